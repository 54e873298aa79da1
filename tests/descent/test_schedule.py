import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earnshaw.descent import Every, Logarithmic
from earnshaw.errors import EarnshawError

schedules = st.one_of(st.builds(Every, st.integers(1, 50)), st.builds(Logarithmic, st.integers(1, 40)))


@settings(deadline=None, derandomize=True)
@given(schedules, st.integers(0, 100_000))
def test_marks_rise_from_zero_to_the_last_step(schedule, last):
    marks = schedule.marks(last)
    assert marks[0] == 0
    assert marks[-1] == last
    assert np.all(np.diff(marks) > 0)


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 50), st.integers(0, 1000))
def test_every_n_is_the_multiples_of_n(n, last):
    assert set(Every(n).marks(last)) == {s for s in range(last + 1) if s % n == 0} | {last}


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 40), st.integers(1, 10**9))
def test_logarithmic_marks_are_few_and_evenly_spread(per_decade, last):
    marks = Logarithmic(per_decade).marks(last)
    assert len(marks) <= per_decade * np.log10(last) + 3
    late = marks[marks > 20 * per_decade]
    if len(late) > 3:
        ratios = late[1:-1] / late[:-2]
        np.testing.assert_allclose(ratios, 10 ** (1 / per_decade), rtol=1 / (10 * per_decade))


@pytest.mark.parametrize("n", [0, -1, 2.5, True, None])
@pytest.mark.parametrize("kind", [Every, Logarithmic])
def test_nonsense_is_refused(kind, n):
    # The annotation is already checked in tests; a user's program has only the sentence.
    schedule = object.__new__(kind)
    object.__setattr__(schedule, "n" if kind is Every else "per_decade", n)
    with pytest.raises(EarnshawError, match="at least 1"):
        schedule.__post_init__()
