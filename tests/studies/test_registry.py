import pytest

from earnshaw import studies
from earnshaw.errors import EarnshawError
from earnshaw.studies.registry import REGISTRY
from earnshaw.studies.study import SCALES, Study


@pytest.mark.parametrize("name", studies.names())
def test_every_entry_loads_and_says_what_the_study_says(name):
    study = studies.get(name)
    assert study.name == name
    assert study.artefact == REGISTRY[name].artefact
    assert study.question.endswith("?")


@pytest.mark.parametrize("name", studies.names())
@pytest.mark.parametrize("scale", SCALES)
def test_every_grid_has_distinct_cells_of_plain_scalars_with_the_same_names(name, scale):
    study = studies.get(name)
    parameters = study.settings(scale)
    cells = study.cells(parameters)
    assert cells
    assert len({str(sorted(cell.items())) for cell in cells}) == len(cells)
    for cell in cells:
        assert list(cell) == list(cells[0])
        assert all(isinstance(value, bool | int | float | str) for value in cell.values())
        assert study.shards(cell, parameters) >= 1


def test_an_unknown_study_is_named_with_the_nearest():
    with pytest.raises(EarnshawError, match="unknown study 'dual-tabel'"):
        studies.get("dual-tabel")


def unused(*arguments):
    raise AssertionError


def make(parameters):
    return Study("s", "a", "q?", parameters, lambda p: [{}], unused, unused, unused, unused)


def test_both_scales_name_the_same_parameters():
    with pytest.raises(ValueError, match="same parameters"):
        make({"quick": {"d": 1}, "paper": {"k": 1}})
    with pytest.raises(ValueError, match="scales quick and paper"):
        make({"quick": {"d": 1}})


def test_settings_go_over_the_scale():
    study = make({"quick": {"d": 1, "k": 2}, "paper": {"d": 10, "k": 20}})
    assert study.settings("paper", d=3) == {"d": 3, "k": 20}
    with pytest.raises(EarnshawError, match="quick or paper"):
        study.settings("huge")
    with pytest.raises(EarnshawError, match="did you mean"):
        study.settings("quick", dd=3)
