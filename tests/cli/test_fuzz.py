"""Whatever is typed, the program answers with an exit code it has promised and never with a traceback."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

words = st.sampled_from(
    ["check", "theorems", "studies", "run", "reproduce", "chekc", "all", "toy-1.1", "toy-2", "toy", "--help", "--json",
     "--version", "--seed", "--set", "--scale", "--out", "quick", "paper", "huge", "0", "-1", "3.5", "1e400", "9" * 11,
     "d=3", "d=4", "d=[1]", "d=", "=", "bound=0", "bound=nan", "words=inconclusive", "--", "-", "--s", "--j", "-h", "",
     "--help=1", "--seed=", "--set=", "\x00", "\x1b[31m", "∇Φ", "\ud800", "--\n"]
)  # fmt: skip
argument = words | st.text(max_size=8)
# A run writes files and costs seconds, so here it only ever meets names and places that it must refuse.
refused_run = st.tuples(st.just("run"), st.sampled_from(["tyo", "\n", "toy-1.1", "--seed"]))
refused_place = st.just(("run", "toy", "--out", "/proc/earnshaw"))
check = st.tuples(st.sampled_from(["check", "theorems", "studies"]), argument)
rest = st.lists(argument, max_size=6)


def is_cheap(arguments):
    return not ({"run", "reproduce"} & set(arguments))


lines = st.one_of(
    rest.filter(is_cheap),
    st.tuples(check, rest).map(lambda parts: [*parts[0], *parts[1]]).filter(is_cheap),
    st.tuples(refused_run, rest).map(lambda parts: [*parts[0], *(word for word in parts[1] if word != "toy")]),
    refused_place.map(list),
)


@settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(lines)
def test_never_a_traceback(earnshaw, arguments):
    answer = earnshaw(*arguments)
    assert answer.code in {0, 1, 2, 3, 4}
    assert "Traceback" not in answer.stderr
    if answer.code == 2:
        assert answer.stderr.startswith("earnshaw: ")
        assert answer.stderr.count("\n") == 1
        assert not answer.stdout
    elif "--json" in arguments and "--help" not in arguments and "--version" not in arguments:
        assert answer.stdout.count("\n") == 1
