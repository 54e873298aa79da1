"""What the exit code of a command means."""

from collections.abc import Iterable

FINE = 0
REFUTED = 1
BAD_INPUT = 2
NOT_APPLICABLE = 3
INCONCLUSIVE = 4
INTERNAL = 70  # EX_SOFTWARE of sysexits.h: a mistake of the program, not of its user
INTERRUPTED = 130
BROKEN_PIPE = 141

_CODES = {"holds": FINE, "refuted": REFUTED, "not-applicable": NOT_APPLICABLE, "inconclusive": INCONCLUSIVE}


def of_verdicts(words: Iterable[str]) -> int:
    """The exit code for one verdict or many: any refutation first, then any doubt.

    `not-applicable` counts only when there is nothing else: a study may contain such instances on purpose.

    >>> of_verdicts(["holds", "inconclusive"]), of_verdicts(["holds", "not-applicable"]), of_verdicts([])
    (4, 0, 0)
    """
    codes = {_CODES[word] for word in words}
    for code in (REFUTED, INCONCLUSIVE):
        if code in codes:
            return code
    return NOT_APPLICABLE if codes == {NOT_APPLICABLE} else FINE
