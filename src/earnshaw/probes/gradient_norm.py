"""The size of the gradient along the way."""

from earnshaw.descent.probe import ALWAYS

#: The norm of the Riemannian gradient over all parameters. `descend` records it in any case.
gradient_norm = next(probe for probe in ALWAYS if probe.name == "gradient_norm")
