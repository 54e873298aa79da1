"""Gradient flow on ½L beside electron-proton dynamics under Φ: zps17, Theorem 2.2 and prsz18, Theorem 2.3."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from jaxtyping import PRNGKeyArray

from earnshaw.errors import EarnshawError
from earnshaw.studies.equivalence_figure import curves, figure
from earnshaw.studies.study import Cell, Parameters, Study
from earnshaw.theorems.equivalence import (
    Claim,
    Comparison,
    Facts,
    Instance,
    compare,
    judge,
    measure,
    named_potential,
)
from earnshaw.theorems.verdict import Verdict

#: What the printed prsz18, Theorem 2.3 claims: the dynamics under this multiple of Φ.
PRINTED = 2.0


def _cells(parameters: Parameters) -> Sequence[Cell]:
    for moving in parameters["moving"]:
        if moving < 1:
            raise EarnshawError(f"at least one electron has to move, not {moving}")
        for fixed in parameters["fixed"]:
            if not 0 <= fixed < moving:
                raise EarnshawError(
                    f"with {moving} moving electrons 0 to {moving - 1} others can be fixed, not {fixed}"
                )
    return [
        {"manifold": manifold, "potential": potential, "d": d, "moving": moving, "fixed": fixed}
        for manifold in ("euclidean", "sphere")
        for potential in parameters[f"{manifold}_potentials"]
        for d in parameters[f"{manifold}_d"]
        for moving in parameters["moving"]
        for fixed in parameters["fixed"]
    ]


def _compute(cell: Cell, key: PRNGKeyArray, parameters: Parameters) -> xr.Dataset:
    moving, fixed, on_sphere = cell["moving"], cell["fixed"], cell["manifold"] == "sphere"
    instance = Instance.draw(
        key,
        d=cell["d"],
        electrons=moving + fixed,
        # As many particles at rest with fixed electrons as without, so that one compiled program serves both.
        protons=moving - fixed,
        fixed=fixed,
        starts=parameters["starts"],
        on_sphere=on_sphere,
    )
    potential = named_potential(cell["potential"], cell["d"], cell["manifold"])
    facts = measure(potential, cell["d"], on_sphere, "auto")
    settings: dict[str, Any] = {name: parameters[name] for name in ("time", "tolerance")}
    ours = compare(potential, instance, form=facts.form, **settings)
    printed = compare(potential, instance, form=facts.form, factor=PRINTED, **settings)
    axes = ("start", "time", "particle", "coordinate")
    return xr.Dataset(
        {
            "flow": (axes, ours.flow, {"long_name": "electrons under the flow on ½L"}),
            "particles": (axes, ours.particles, {"long_name": "electrons as particles under Φ"}),
            "difference": (axes[:2], ours.difference, {"long_name": "largest distance of the two paths"}),
            "allowed": (axes[:2], ours.allowed, {"long_name": "largest distance by the integrations' errors"}),
            "printed_difference": (axes[:2], printed.difference, {"long_name": "the same with particles under 2Φ"}),
            "rest": (("site", "coordinate"), np.concatenate([instance.protons, instance.frozen])),
            "rest_charge": ("site", np.concatenate([instance.proton_charges, instance.electron_charges[:fixed]])),
            "multiple": ((), ours.multiple, {"long_name": "multiple of Φ by the first velocities"}),
            "asymmetry": ((), facts.asymmetry),
            "spread": ((), facts.spread),
            "singular": ((), int(facts.singular)),
            "form": ((), facts.form),
        },
        coords={"time": ("time", ours.times, {"long_name": "time"})},
    )


def _comparison(results: xr.Dataset, row: int) -> Comparison:
    """The comparison of one cell, without the padding."""
    cell = results.isel(cell=row)
    particles, d = int(cell["moving"]), int(cell["d"])
    return Comparison(
        times=results["time"].values,
        flow=cell["flow"].values[:, :, :particles, :d],
        particles=cell["particles"].values[:, :, :particles, :d],
        difference=cell["difference"].values,
        allowed=cell["allowed"].values,
        multiple=float(cell["multiple"]),
    )


def _rows(results: xr.Dataset) -> list[dict[str, Any]]:
    rows = []
    for row in range(results.sizes["cell"]):
        comparison = _comparison(results, row)
        whole = np.all(comparison.resolved, axis=1)
        share = np.where(whole[:, None], comparison.difference / comparison.allowed, 0.0)
        worst = np.unravel_index(int(np.argmax(share)), share.shape)
        printed = results["printed_difference"].values[row][whole]
        cell = results.isel(cell=row)
        rows.append(
            {
                "manifold": str(cell["manifold"].values),
                "potential": str(cell["potential"].values),
                "d": int(cell["d"]),
                "moving": int(cell["moving"]),
                "fixed": int(cell["fixed"]),
                "starts": int(whole.sum()),
                "left_out": int((~whole).sum()),
                "way": float(np.max(comparison.travelled, where=whole, initial=0.0)),
                "difference": float(comparison.difference[worst]) if whole.any() else float("nan"),
                "allowed": float(comparison.allowed[worst]) if whole.any() else float("nan"),
                "multiple": comparison.multiple,
                "difference_under_2phi": float(np.max(printed, where=np.isfinite(printed), initial=0.0)),
            }
        )
    return rows


def _verdicts(results: xr.Dataset) -> list[Verdict]:
    """One verdict for each theorem and cell; prsz18 speaks of R^d alone."""
    verdicts = []
    for row in range(results.sizes["cell"]):
        cell = results.isel(cell=row)
        where = {name: cell[name].item() for name in ("manifold", "potential", "d", "moving", "fixed")}
        facts = Facts(float(cell["asymmetry"]), float(cell["spread"]), bool(cell["singular"]), str(cell["form"].values))
        theorems = ("zps17-2.2", "prsz18-2.3") if where["manifold"] == "euclidean" else ("zps17-2.2",)
        comparison = _comparison(results, row)
        verdicts += [judge(theorem, Claim(), facts, comparison, where) for theorem in theorems]
    return verdicts


def _figure(results: xr.Dataset) -> Any:
    return figure(results, _rows(results))


study = Study(
    name="equivalence",
    artefact="zps17 Theorem 2.2, prsz18 Theorem 2.3",
    question="Do electrons under gradient flow on ½L go where particles under the potential Φ go?",
    parameters={
        "quick": {
            "euclidean_potentials": ["gaussian", "coulomb"],
            "sphere_potentials": ["relu"],
            "euclidean_d": [2],
            "sphere_d": [3],
            "moving": [4],
            "fixed": [0, 2],
            "starts": 4,
            "time": 1.5,
            "tolerance": 1e-9,
        },
        "paper": {
            "euclidean_potentials": ["gaussian", "coulomb", "inverse_multiquadric", "exponential"],
            "sphere_potentials": ["sphere_exponential", "relu", "monomial", "tanh"],
            "euclidean_d": [2, 3, 6],
            "sphere_d": [3, 10],
            "moving": [4, 10],
            "fixed": [0, 2],
            "starts": 32,
            "time": 1.5,
            "tolerance": 1e-9,
        },
    },
    cells=_cells,
    compute=_compute,
    rows=_rows,
    verdicts=_verdicts,
    figure=_figure,
    curves=curves,
)
