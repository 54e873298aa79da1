"""The angle from its half-chords, as a polynomial that vectorises.

XLA calls the scalar library for the arccosine and the arctangent on CPUs (8 ns an element, measured); landscapes of
angular kernels spend their time there. asin(√z)/√z is analytic on the interval 0 ≤ z ≤ ½ that is needed, with its
nearest singularity at z = 1, so 20 Chebyshev terms give all digits.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

ARCSINE_COEFFICIENTS = (
    1.0471975511965979,
    0.05375149359132689,
    0.0077989022389741295,
    0.0015196685396002487,
    0.00034086372340580136,
    8.302317788222728e-05,
    2.1345552714939684e-05,
    5.701783556049392e-06,
    1.5669620367998919e-06,
    4.401968116419152e-07,
    1.2584781240170216e-07,
    3.6493460957148516e-08,
    1.0697036292140507e-08,
    3.170159567820474e-09,
    9.634387253469615e-10,
    2.9026250109754305e-10,
    7.451232855164786e-11,
    2.2637806505151557e-11,
    1.3266616229762829e-11,
    4.097889497209511e-12,
)
"""Power coefficients in t = 4z − 1 of the Chebyshev interpolant of asin(√z)/√z, computed in 40 digits."""


def angle_from_half_chords(apart: Float[Array, "..."], facing: Float[Array, "..."]) -> Float[Array, "..."]:
    """α from 1 − cos α and 1 + cos α, with full relative accuracy at 0 and (as π − α) at π.

    >>> import jax.numpy as jnp
    >>> round(float(angle_from_half_chords(jnp.array(1.0), jnp.array(1.0))), 14) == round(jnp.pi / 2, 14)
    True
    """
    z = jnp.minimum(apart, facing) / 2
    t = 4 * z - 1
    series = jnp.full_like(t, ARCSINE_COEFFICIENTS[-1])
    for coefficient in ARCSINE_COEFFICIENTS[-2::-1]:
        series = series * t + coefficient
    acute = 2 * jnp.sqrt(z) * series
    return jnp.where(apart < facing, acute, jnp.pi - acute)
