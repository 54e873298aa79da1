"""The dual pair: an activation σ and the potential Φ(θ, w) = E σ(x, θ)σ(x, w) through which two units interact."""

import earnshaw.numerics  # noqa: F401  (double precision first)
