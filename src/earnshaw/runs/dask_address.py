"""Workers of a Dask cluster that is already there, by the address of its scheduler."""

import asyncio
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from distributed import Client, Security
from distributed.core import rpc
from distributed.utils import silence_logging_cmgr

from earnshaw.errors import EarnshawError
from earnshaw.runs.dask_executor import DaskExecutor
from earnshaw.runs.place import Certificates

SECONDS_TO_ANSWER = 10.0
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]@]+):(\d{1,5})")


def connect(address: str, certificates: Certificates | None = None) -> DaskExecutor:
    """An executor on the workers of the scheduler at `address`, which must answer soon."""
    _check(address, certificates)
    secured = security(certificates)
    with ExitStack() as taken:
        taken.enter_context(silence_logging_cmgr(logging.CRITICAL))
        _ask(address, secured)
        client = Client(address, timeout=SECONDS_TO_ANSWER, security=secured, set_as_default=False)
        taken.callback(client.close, timeout=5)
        return DaskExecutor(client, f"the cluster at {address}", taken.pop_all().close)


def _ask(address: str, secured: Security | None) -> None:
    """Refuse an address where no scheduler answers in time.

    Dask's own client goes on waiting where something listens and never says a word.
    """

    async def identity() -> dict[str, Any]:
        arguments = (secured or Security()).get_connection_args("client")
        remote: Any = rpc(address, timeout=SECONDS_TO_ANSWER, connection_args=arguments)
        try:
            return await asyncio.wait_for(remote.identity(), SECONDS_TO_ANSWER)
        finally:
            await remote.close_rpc()

    # In a thread of its own, because a notebook's thread already runs a loop.
    with ThreadPoolExecutor(1) as pool:
        try:
            kind = pool.submit(asyncio.run, identity()).result().get("type")
        except Exception as error:
            raise EarnshawError(
                f"no Dask scheduler answers at {address} within {SECONDS_TO_ANSWER:g} s; "
                "check the address and that `dask scheduler` is running there"
            ) from error
    if kind != "Scheduler":
        raise EarnshawError(f"{address} is the address of a Dask {str(kind).lower()}, and a scheduler's is needed")


def security(certificates: Certificates | None) -> Security | None:
    """What Dask needs to know to speak TLS."""
    if certificates is None:
        return None
    for path in (certificates.ca, certificates.cert, certificates.key):
        if not path.is_file():
            raise EarnshawError(f"{path} is no file; --dask-ca, --dask-cert and --dask-key need files in PEM format")
    files = {"tls_ca_file": str(certificates.ca), "require_encryption": True}
    for role in ("client", "scheduler", "worker"):
        files |= {f"tls_{role}_cert": str(certificates.cert), f"tls_{role}_key": str(certificates.key)}
    return Security(**files)


def _check(address: str, certificates: Certificates | None) -> None:
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[3]) < 65536:
        raise EarnshawError(f"--dask needs an address such as tcp://10.0.0.1:8786, not {address!r}")
    if match[1] == "tls" and certificates is None:
        raise EarnshawError(f"{address} needs certificates: give --dask-ca, --dask-cert and --dask-key")
    if match[1] == "tcp" and certificates is not None:
        raise EarnshawError(f"certificates secure a tls:// address, and {address} is none")
