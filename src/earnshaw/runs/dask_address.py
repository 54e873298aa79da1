"""Workers of a Dask cluster that is already there, by the address of its scheduler."""

import logging
import re

from distributed import Client, Security
from distributed.utils import silence_logging_cmgr

from earnshaw.errors import EarnshawError
from earnshaw.runs.dask_executor import DaskExecutor
from earnshaw.runs.place import Certificates

SECONDS_TO_ANSWER = 10.0
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]@]+):(\d{1,5})")


def connect(address: str, certificates: Certificates | None = None, seconds: float = SECONDS_TO_ANSWER) -> DaskExecutor:
    """An executor on the workers of the scheduler at `address`, which must answer within so many seconds."""
    _check(address, certificates)
    secured = security(certificates)
    quiet = silence_logging_cmgr(logging.CRITICAL)
    quiet.__enter__()
    try:
        client = Client(address, timeout=seconds, security=secured, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, KeyError) as error:
        quiet.__exit__(None, None, None)
        raise EarnshawError(
            f"no Dask scheduler answers at {address} within {seconds:g} s; "
            "check the address and that `dask scheduler` is running there"
        ) from error

    def close() -> None:
        try:
            client.close(timeout=5)
        finally:
            quiet.__exit__(None, None, None)

    return DaskExecutor(client, f"the cluster at {address}", [close])


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
