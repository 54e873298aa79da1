"""Times in words, as exact as a forecast is."""

_UNITS = (("s", 60.0), ("min", 60.0), ("h", 24.0), ("days", float("inf")))


def roughly(seconds: float | int) -> str:
    """A time in its largest fitting unit.

    >>> roughly(0.3), roughly(42), roughly(600), roughly(9000), roughly(500_000)
    ('1 s', '42 s', '10 min', '2.5 h', '5.8 days')
    """
    amount = max(seconds, 1.0)
    for unit, in_the_next in _UNITS:
        # Two minutes say less than a hundred seconds.
        if amount < 2 * in_the_next:
            number = f"{amount:.1f}" if unit in ("h", "days") and amount < 10 else f"{amount:.0f}"
            return f"{number} {unit}"
        amount /= in_the_next
    raise AssertionError("the last unit fits everything")
