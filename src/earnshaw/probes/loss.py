"""The loss along the way."""

from earnshaw.descent.probe import ALWAYS

#: The loss. `descend` records it in any case.
loss = next(probe for probe in ALWAYS if probe.name == "loss")
