import subprocess
import sys

import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError
from earnshaw.theorems.registry import REGISTRY


@pytest.mark.parametrize("theorem_id", theorems.ids())
def test_every_entry_loads_and_says_what_the_theorem_says(theorem_id):
    theorem = theorems.get(theorem_id)
    assert theorem.id == theorem_id
    assert theorem.title == REGISTRY[theorem_id].title
    assert theorem.source
    assert theorem.statement


def test_an_unknown_theorem_is_named_with_the_nearest():
    with pytest.raises(EarnshawError, match=r"unknown theorem 'zps17-9\.9'"):
        theorems.get("zps17-9.9")


def test_listing_theorems_and_studies_loads_nothing_numeric():
    code = (
        "import sys, earnshaw.theorems, earnshaw.studies; earnshaw.theorems.ids(); earnshaw.studies.names();"
        "print([m for m in ('jax', 'numpy', 'xarray', 'matplotlib') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
