"""What a run is: the study, its parameters and seed, and the software it was computed with."""

import hashlib
import json
import os
import platform
from collections import Counter
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import jax

import earnshaw
from earnshaw.errors import EarnshawError
from earnshaw.plain import plain
from earnshaw.studies.study import Study

FORMAT = 1
COMPUTING = ("earnshaw", "jax", "jaxlib", "equinox", "diffrax", "numpy", "scipy")
_STORING = ("xarray", "h5netcdf", "h5py", "matplotlib")
_ROOMS_THAT_ONLY_STORE_OR_SHOW = ("cli", "report", "runs")


def describe(study: Study, scale: str, seed: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of a run that is about to begin."""
    return {
        "format": FORMAT,
        "study": study.name,
        "artefact": study.artefact,
        "question": study.question,
        "scale": scale,
        "seed": seed,
        "settings": plain(settings),
        "parameters": plain(study.settings(scale, **settings)),
        "source": source_digest(),
        "versions": {name: metadata.version(name) for name in (*COMPUTING, *_STORING)},
        "platform": this_machine(),
    }


def this_machine() -> dict[str, str]:
    """The driver's machine in words; where workers are elsewhere, theirs may be another."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": str(os.cpu_count() or "unknown"),
        "devices": ", ".join(f"{count} × {kind}" for kind, count in Counter(map(_kind, jax.devices())).items()),
    }


def _processor() -> str:
    """The processor's name, which Python itself knows on few systems."""
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or "unknown"


def _kind(device: Any) -> str:
    return f"{device.platform} {device.device_kind}" if device.device_kind != device.platform else device.platform


def require_same(stored: dict[str, Any], wanted: dict[str, Any], where: object) -> None:
    """Refuse to go on in a directory whose run is another one: results of two runs are never mixed."""
    if not isinstance(stored.get("format"), int) or "study" not in stored:
        raise EarnshawError(f"{where} holds a manifest that is none of Earnshaw's; choose another directory")
    if stored["format"] > FORMAT:
        raise EarnshawError(f"{where} was written by a newer version of Earnshaw; update Earnshaw to read it")
    for name in ("study", "scale", "seed", "parameters"):
        if stored.get(name) != wanted[name]:
            had, has = _difference(stored.get(name), wanted[name])
            raise EarnshawError(
                f"{where} holds a run with {name} {had}, not {has}; choose another directory with --out"
            )
    for name in COMPUTING:
        had, has = stored.get("versions", {}).get(name), wanted["versions"][name]
        if had != has:
            raise EarnshawError(
                f"{where} was computed with {name} {had}, not {has}, and one run never mixes versions; "
                "choose another directory with --out"
            )
    if stored.get("source") != wanted["source"]:
        raise EarnshawError(
            f"{where} was computed by Earnshaw's code before it was changed; choose another directory with --out"
        )


def identity(manifest: Mapping[str, Any]) -> str:
    """What makes a shard this run's and no other's, as one canonical line; every shard carries it.

    So a shard can be understood on its own, and one that was put among those of another run is told apart.
    """
    facts = {name: manifest[name] for name in ("study", "scale", "seed", "parameters", "source")}
    versions = {name: manifest["versions"][name] for name in COMPUTING}
    return json.dumps({**facts, "versions": versions}, sort_keys=True, ensure_ascii=False)


def source_digest() -> str:
    """A fingerprint of the code that computes: what it computed before and after a change is not mixed in a run."""
    root = Path(earnshaw.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if place.parts[0] not in _ROOMS_THAT_ONLY_STORE_OR_SHOW:
            digest.update(place.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _difference(had: Any, has: Any) -> tuple[str, str]:
    """Both values as text; of two dicts only where they differ."""
    if isinstance(had, dict) and isinstance(has, dict):
        names = [name for name in {**had, **has} if had.get(name) != has.get(name)]
        had = {name: had[name] for name in names if name in had}
        has = {name: has[name] for name in names if name in has}
    return json.dumps(had, ensure_ascii=False), json.dumps(has, ensure_ascii=False)
