"""The options that say where shards are computed, shared by every command that runs a study."""

import inspect
import json
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from earnshaw.errors import EarnshawError

Workers = Annotated[int | None, typer.Option("--workers", metavar="N", help="Compute in N processes.")]
Dask = Annotated[
    str | None, typer.Option("--dask", metavar="ADDRESS", help="Compute on the cluster of the Dask scheduler there.")
]
DaskCa = Annotated[Path | None, typer.Option("--dask-ca", metavar="FILE", help="The authority, for tls:// addresses.")]
DaskCert = Annotated[Path | None, typer.Option("--dask-cert", metavar="FILE", help="Our certificate.")]
DaskKey = Annotated[Path | None, typer.Option("--dask-key", metavar="FILE", help="The certificate's key.")]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="slurm|pbs|sge|lsf", help="Ask the batch system for --workers N workers."),
]
ClusterSet = Annotated[
    list[str] | None,
    typer.Option("--cluster-set", metavar="NAME=VALUE", help="A setting of dask-jobqueue; repeatable."),
]


class Where(NamedTuple):
    """The options as they were given.

    >>> Where(workers=2).words()
    ['--workers', '2']
    """

    workers: int | None = None
    dask: str | None = None
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None
    cluster: str | None = None
    settings: list[str] | None = None

    def place(self) -> Any:
        """The `Place` that the options name; contradictions are refused."""
        from earnshaw.runs.place import Certificates, Place

        certificates = None
        if self.ca is not None and self.cert is not None and self.key is not None:
            certificates = Certificates(self.ca, self.cert, self.key)
        elif (self.ca, self.cert, self.key) != (None, None, None):
            raise EarnshawError("TLS needs all of --dask-ca, --dask-cert and --dask-key")
        return Place(self.workers, self.dask, self.cluster, cluster_settings(self.settings or []), certificates)

    def words(self) -> list[str]:
        """The options for the line that goes on with a run."""
        names = ("--workers", "--dask", "--dask-ca", "--dask-cert", "--dask-key", "--cluster")
        words = [
            word for name, value in zip(names, self, strict=False) if value is not None for word in (name, str(value))
        ]
        return words + [word for setting in self.settings or [] for word in ("--cluster-set", setting)]


HERE = Where()
_OPTIONS: dict[str, Any] = {
    "workers": Workers,
    "dask": Dask,
    "dask_ca": DaskCa,
    "dask_cert": DaskCert,
    "dask_key": DaskKey,
    "cluster": Cluster,
    "cluster_set": ClusterSet,
}


def placed(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Where`; it gets them together as its argument `where`."""

    @wraps(command)
    def with_options(**given: Any) -> None:
        where = Where(*(given.pop(name) for name in _OPTIONS))
        command(**given, where=where)

    parameters = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if parameter.name != "where":
            parameters.append(parameter)
            continue
        for name, kind in _OPTIONS.items():
            parameters.append(inspect.Parameter(name, parameter.kind, default=None, annotation=kind))
    described: Any = with_options
    # Typer reads both.
    described.__signature__ = inspect.Signature(parameters)
    described.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return with_options


def pin_threads() -> None:
    """One thread of arithmetic in this process, before anything numeric is loaded; see `earnshaw.threads`."""
    from earnshaw.threads import pin

    pin()


def cluster_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Settings of dask-jobqueue: whole numbers, truth values, lists in JSON, and everything else as it stands.

    >>> cluster_settings(["cores=2", "walltime=08:00:00", "queue=day,night", 'job_extra_directives=["--gres=gpu:1"]'])
    {'cores': 2, 'walltime': '08:00:00', 'queue': 'day,night', 'job_extra_directives': ['--gres=gpu:1']}
    """
    settings: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise EarnshawError(f"--cluster-set needs NAME=VALUE, such as memory=4GB, not {text!r}")
        if name in settings:
            raise EarnshawError(f"--cluster-set gives {name!r} twice")
        settings[name] = _value(name, value)
    return settings


def _value(name: str, text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if text.isascii() and text.isdigit():
        return int(text)
    if not text.startswith(("[", "{")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise EarnshawError(f'--cluster-set {name}: {text!r} is not a list that JSON can read, such as ["a"]') from None
