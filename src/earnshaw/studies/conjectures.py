"""A hunt for counterexamples to zps17, Conjectures 3.13 and 3.14: random teachers, many starts, every end point judged.

zps17 gives no sizes. Ours: teachers uniform on the sphere (Gaussian in R^d), charges all 1 or ± a number from ½ to 2,
positions from the same laws and first charges N(0, 1/k), gradient descent whose step 0.1 is halved twenty times in the
second half of the way.
"""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
import xarray as xr
from jaxtyping import PRNGKeyArray

from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.studies import style
from earnshaw.studies.curve import Curve
from earnshaw.studies.study import Cell, Parameters, Study
from earnshaw.theorems.conjectures import LABELS, Found, Hunt, Kinked, conclude, hunt
from earnshaw.theorems.verdict import Hypothesis, Verdict

CONJECTURES = {"sign": "zps17-3.13", "attraction": "zps17-3.14"}
NAMES = {"sign": "sign on the sphere", "attraction": "−‖θ − w‖ in ℝᵈ"}
MEANINGS = {
    "global": "global minimum",
    "shared": "spurious minimum, electrons share a proton",
    "separate": "spurious minimum, all places different",
    "undecided": "undecided",
}
COLOURS = {"global": "C0", "shared": "C1", "separate": "C4", "undecided": "#bbbbbb"}


def _cells(parameters: Parameters) -> Sequence[Cell]:
    sign = [
        {"potential": "sign", "d": d, "k": k, "charges": charges}
        for charges in parameters["charges"]
        for d in parameters["sign_d"]
        for k in parameters["k"]
    ]
    # With fixed charges those of the electrons are opposite to the protons', all of one size.
    attraction = [
        {"potential": "attraction", "d": d, "k": k, "charges": "equal"}
        for d in parameters["attraction_d"]
        for k in parameters["k"]
    ]
    return sign + attraction


def _teachers(cell: Cell, parameters: Parameters) -> int:
    return parameters["teachers"]


def _cost(cell: Cell, parameters: Parameters) -> float:
    return float(parameters["teachers"] * parameters["starts"] * parameters["steps"] * cell["k"] ** 2 * cell["d"])


def _compute(cell: Cell, key: PRNGKeyArray, parameters: Parameters) -> xr.Dataset:
    hunted = Hunt(
        cell["potential"], cell["d"], cell["k"], cell["charges"],
        starts=parameters["starts"], steps=parameters["steps"], first_step=parameters["first_step"],
    )  # fmt: skip
    found = hunt(hunted, int(jax.random.randint(key, (), 0, 2**31 - 1)))
    ends, count = found.ends, len(found.ends)

    def all_of(name: str) -> np.ndarray:
        return np.array([getattr(end, name) for end in ends])

    return xr.Dataset(
        {
            "label": ("start", [LABELS.index(end.label) for end in ends], {"long_name": ", ".join(LABELS)}),
            "loss": ("start", all_of("loss"), {"long_name": "loss where the descent ended"}),
            "gradient_norm": ("start", all_of("gradient_norm"), {"long_name": "gradient in smooth directions"}),
            "smallest": ("start", all_of("smallest"), {"long_name": "least curvature in smooth directions"}),
            "slope": ("start", all_of("slope"), {"long_name": "least slope out of a kink"}),
            "electrons": (("start", "electron", "coordinate"), all_of("positions")),
            "electron_charges": (("start", "electron"), all_of("charges")),
            "site": (("start", "electron"), all_of("site"), {"long_name": "proton under the electron, -1 for none"}),
            "protons": (("start", "proton", "coordinate"), np.repeat(found.protons[None], count, axis=0)),
            "proton_charges": (("start", "proton"), np.repeat(found.charges[None], count, axis=0)),
        }
    )


def _rows(results: xr.Dataset) -> list[dict[str, Any]]:
    rows = []
    for row in range(results.sizes["cell"]):
        cell = results.isel(cell=row)
        counts, losses = _counts(cell), cell["loss"].values
        starts = sum(counts.values())
        off = counts["shared"] + counts["separate"]
        low, high = clopper_pearson(off, starts)
        spurious = np.isin(cell["label"].values, (LABELS.index("shared"), LABELS.index("separate")))
        rows.append(
            {
                "conjecture": CONJECTURES[str(cell["potential"].values)],
                "potential": str(cell["potential"].values),
                "d": int(cell["d"]),
                "k": int(cell["k"]),
                "charges": str(cell["charges"].values),
                "starts": starts,
                **counts,
                "off_global": off / starts,
                "low": low,
                "high": high,
                "largest_spurious_loss": float(np.max(losses[spurious])) if spurious.any() else None,
            }
        )
    return rows


def _counts(cell: xr.Dataset) -> dict[str, int]:
    return {name: int(np.sum(cell["label"].values == place)) for place, name in enumerate(LABELS)}


def _found(cell: xr.Dataset) -> Found:
    """The hunt of one cell as far as its best suspect needs it: only spurious ends, with that one's teacher."""
    d, k = int(cell["d"]), int(cell["k"])
    places = np.flatnonzero(np.isin(cell["label"].values, (LABELS.index("shared"), LABELS.index("separate"))))
    ends = [
        Kinked(
            LABELS[int(cell["label"].values[n])],
            "",
            cell["electrons"].values[n, :k, :d],
            cell["electron_charges"].values[n, :k],
            cell["site"].values[n, :k].astype(int),
            *(float(cell[name].values[n]) for name in ("loss", "gradient_norm", "smallest", "slope")),
        )
        for n in places
    ]
    hunted = Hunt(str(cell["potential"].values), d, k, str(cell["charges"].values))
    best = Found(hunted, np.zeros((k, d)), np.zeros(k), tuple(ends)).suspect()
    n = places[next(i for i, end in enumerate(ends) if end is best)] if best is not None else 0
    return Found(
        hunted,
        cell["protons"].values[n, :k, :d],
        cell["proton_charges"].values[n, :k],
        () if best is None else (best,),
    )


def _verdicts(results: xr.Dataset) -> list[Verdict]:
    """One for each conjecture, over all its cells, with the suspect that is farthest from being none."""
    verdicts = []
    for potential, theorem in CONJECTURES.items():
        rows = [n for n in range(results.sizes["cell"]) if str(results["potential"].values[n]) == potential]
        if not rows:
            continue
        cells = [results.isel(cell=n) for n in rows]
        counts = {name: sum(_counts(cell)[name] for cell in cells) for name in LABELS}
        hunts = [found for cell in cells if (found := _found(cell)).ends]
        best = max(hunts, key=lambda found: min(found.ends[0].slope, found.ends[0].smallest), default=None)
        sizes = sorted({(int(cell["d"]), int(cell["k"])) for cell in cells})
        verdicts.append(
            conclude(
                theorem,
                counts,
                None if best is None else best.evidence(),
                (Hypothesis("the potential is the conjecture's", True, NAMES[potential]),),
                f"Searched (d, k) = {', '.join(map(str, sizes))}. Every suspect is stored with its evidence.",
            )
        )
    return verdicts


def _figure(results: xr.Dataset) -> Any:
    rows = _rows(results)
    canvas, panel = style.subplots(width=style.PAGE, height=1.3 + 0.22 * len(rows))
    axes: Any = panel
    left = np.zeros(len(rows))
    places = np.arange(len(rows))[::-1]
    for label in LABELS:
        shares = np.array([row[label] / row["starts"] for row in rows])
        axes.barh(places, shares, left=left, color=COLOURS[label], height=0.75, label=MEANINGS[label])
        left += shares
    names = [f"{NAMES[row['potential']]}, d = {row['d']}, k = {row['k']}, {_law(row)}" for row in rows]
    axes.set_yticks(places, names)
    axes.set(xlabel="share of the starts", xlim=(0, 1), title="Where descents end")
    axes.grid(False)
    canvas.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return canvas


def _law(row: dict[str, Any]) -> str:
    return "b = 1" if row["charges"] == "equal" else "b mixed"


def _curves(results: xr.Dataset) -> list[Curve]:
    """The share of starts that end at a spurious minimum against k."""
    rows = _rows(results)
    lines: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
    for row in rows:
        lines.setdefault((row["potential"], row["d"], _law(row)), []).append(row)
    return [
        Curve(
            f"{NAMES[potential]}, d = {d}, {law}",
            x=[row["k"] for row in line],
            y=[row["off_global"] for row in line],
            low=[row["low"] for row in line],
            high=[row["high"] for row in line],
            chart="Share of starts that end at a spurious minimum",
            xlabel="electrons k",
            ylabel="share",
            points=True,
        )
        for (potential, d, law), line in lines.items()
    ]


study = Study(
    name="conjectures",
    artefact="zps17 Conjectures 3.13, 3.14",
    question="Does any descent under the potential of the sign, or of the distance, end in a spurious minimum?",
    parameters={
        "quick": {
            "sign_d": [3],
            "attraction_d": [3],
            "k": [2, 4],
            "charges": ["equal", "mixed"],
            "teachers": 2,
            "starts": 50,
            "steps": 2000,
            "first_step": 0.1,
        },
        "paper": {
            "sign_d": [2, 3, 5, 10],
            "attraction_d": [2, 3, 5],
            "k": [2, 3, 4, 6, 8],
            "charges": ["equal", "mixed"],
            "teachers": 20,
            "starts": 200,
            "steps": 20_000,
            "first_step": 0.1,
        },
    },
    cells=_cells,
    compute=_compute,
    rows=_rows,
    verdicts=_verdicts,
    figure=_figure,
    curves=_curves,
    shards=_teachers,
    cost=_cost,
    exploratory=True,
)
