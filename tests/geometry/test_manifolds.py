"""Identities that make a manifold a manifold, on every one of them."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from earnshaw.geometry import Euclidean, Manifold, Product, Sphere


def ambient(shape, seed):
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape))


def tree(seed):
    return {"charges": ambient((3,), seed), "none": None, "places": ambient((3, 4), seed + 100)}


CASES = {
    "euclidean": (Euclidean(), lambda seed: ambient((5,), seed)),
    "circle": (Sphere(), lambda seed: ambient((2,), seed)),
    "sphere": (Sphere(), lambda seed: ambient((6,), seed)),
    "spheres": (Sphere(), lambda seed: ambient((3, 4), seed)),
    "product": (Product({"charges": Euclidean(), "none": Euclidean(), "places": Sphere()}), tree),
}


@pytest.fixture(params=CASES, scope="module")
def case(request):
    manifold, draw = CASES[request.param]
    return manifold, manifold.project(draw(1)), draw


def inner(x, y):
    return ravel_pytree(x)[0] @ ravel_pytree(y)[0]


def combine(scale, x, shift):
    return jax.tree.map(lambda a, b: a + scale * b, x, shift)


def bumpy(params):
    """A function with no symmetry that could make a wrong Hessian right."""
    flat = ravel_pytree(params)[0]
    weights = jnp.arange(1.0, flat.size + 1)
    return jnp.sum(jnp.sin(flat * weights)) + jnp.prod(flat[:2]) + jnp.exp(flat @ jnp.cos(weights) / 4)


def test_projection_is_idempotent_and_lands_on_the_manifold(case):
    manifold, x, _ = case
    again = manifold.project(x)
    assert manifold.contains(x)
    np.testing.assert_allclose(ravel_pytree(again)[0], ravel_pytree(x)[0], atol=1e-15)


def test_projection_is_nearest(case):
    manifold, _, draw = case
    outside = draw(7)
    nearest = manifold.project(outside)
    residual = combine(-1.0, outside, nearest)
    # what is left over is orthogonal to the tangent space, and no other point is nearer
    normal_part = manifold.to_tangent(nearest, residual)
    np.testing.assert_allclose(ravel_pytree(normal_part)[0], 0, atol=1e-14)
    for seed in range(20, 30):
        other = combine(-1.0, outside, manifold.project(draw(seed)))
        assert inner(other, other) >= inner(residual, residual)


def test_tangent_projection_is_orthogonal(case):
    manifold, x, draw = case
    u, v = draw(2), draw(3)
    pu, pv = manifold.to_tangent(x, u), manifold.to_tangent(x, v)
    np.testing.assert_allclose(ravel_pytree(manifold.to_tangent(x, pu))[0], ravel_pytree(pu)[0], atol=1e-14)
    np.testing.assert_allclose(inner(pu, v), inner(u, pv), rtol=1e-12)


def test_tangent_basis_is_orthonormal_and_spans_the_image_of_the_projection(case):
    manifold, x, _ = case
    basis = eqx.filter_jit(manifold.tangent_basis)(x)
    np.testing.assert_allclose(basis.T @ basis, np.eye(basis.shape[1]), atol=1e-14)
    flat, unravel = ravel_pytree(x)
    project = jax.jit(jax.vmap(lambda e: ravel_pytree(manifold.to_tangent(x, unravel(e)))[0]))
    projection = project(jnp.eye(flat.size))
    np.testing.assert_allclose(basis @ basis.T, projection, atol=1e-14)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_tangent_basis_at_the_poles_of_the_reflection(sign):
    for axis in range(3):
        x = sign * jnp.eye(3)[axis]
        basis = Sphere().tangent_basis(x)
        np.testing.assert_allclose(basis.T @ basis, np.eye(2), atol=1e-15)
        np.testing.assert_allclose(x @ basis, 0, atol=1e-15)


def test_retraction_stays_on_the_manifold_with_error_of_third_order(case):
    manifold, x, draw = case
    v = manifold.to_tangent(x, draw(4))
    assert manifold.contains(manifold.retract(x, combine(9.0, v, v)))
    if isinstance(manifold, Euclidean):
        np.testing.assert_array_equal(manifold.retract(x, v), x + v)
        return
    geodesic = geodesic_of(manifold, x, v)
    steps = np.array([0.04, 0.02, 0.01])

    @jax.jit
    def error(t):
        gap = combine(-1.0, manifold.retract(x, jax.tree.map(lambda a: t * a, v)), geodesic(t))
        return jnp.sqrt(inner(gap, gap))

    errors = [float(error(t)) for t in steps]
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(3.0, abs=0.1)


def geodesic_of(manifold: Manifold, x, v):
    """The exact geodesic, written out: straight lines and great circles."""

    def great_circle(xi, vi, t):
        speed = jnp.sqrt(jnp.sum(vi**2, axis=-1, keepdims=True))
        return jnp.cos(t * speed) * xi + jnp.sin(t * speed) * vi / speed

    def run(t):
        if isinstance(manifold, Product):
            parts = {"charges": x["charges"] + t * v["charges"], "none": None}
            return parts | {"places": great_circle(x["places"], v["places"], t)}
        if isinstance(manifold, Sphere):
            return great_circle(x, v, t)
        return x + t * v

    return run


def test_hessian_action_is_the_second_derivative_along_geodesics(case):
    manifold, x, draw = case

    def second_derivative(curve):
        return jax.grad(jax.grad(lambda t: bumpy(curve(t))))(0.0)

    @jax.jit
    def measure(v):
        action = manifold.hessian_action(x, *jax.jvp(jax.grad(bumpy), (x,), (v,)), v)
        along_retraction = second_derivative(lambda t: manifold.retract(x, jax.tree.map(lambda a: t * a, v)))
        return action, inner(v, action), second_derivative(geodesic_of(manifold, x, v)), along_retraction

    for seed in (5, 6):
        action, form, along_geodesic, along_retraction = measure(manifold.to_tangent(x, draw(seed)))
        np.testing.assert_allclose(form, along_geodesic, rtol=1e-11)
        np.testing.assert_allclose(along_retraction, along_geodesic, rtol=1e-11)
        tangent = manifold.to_tangent(x, action)
        np.testing.assert_allclose(ravel_pytree(tangent)[0], ravel_pytree(action)[0], rtol=1e-10, atol=1e-12)


def test_gradient_is_the_derivative_along_tangent_vectors(case):
    manifold, x, draw = case
    v = manifold.to_tangent(x, draw(8))
    gradient = manifold.gradient(x, jax.jit(jax.grad(bumpy))(x))
    along = jax.jit(jax.grad(lambda t: bumpy(manifold.retract(x, jax.tree.map(lambda a: t * a, v)))))(0.0)
    np.testing.assert_allclose(inner(gradient, v), along, rtol=1e-12)


def test_contains_refuses_what_is_off_or_not_finite():
    assert not Sphere().contains(jnp.array([[1.0, 0.0], [1.0, 1e-3]]) * 1.001)
    assert not Sphere().contains(jnp.array([jnp.nan, 0.0]))
    assert not Euclidean().contains(jnp.array([jnp.inf]))
    product = Product((Euclidean(), Sphere()))
    assert product.contains((jnp.array([7.0]), jnp.array([0.0, 1.0])))
    assert not product.contains((jnp.array([7.0]), jnp.array([0.0, 2.0])))


def test_manifolds_pass_through_jit_and_vmap():
    product = Product((Euclidean(), Sphere()))
    points = (jnp.ones((4, 2)), ambient((4, 3), 9))
    moved = eqx.filter_jit(jax.vmap(product.project))(points)
    assert jnp.allclose(jnp.sum(moved[1] ** 2, axis=-1), 1)


def test_projection_of_the_zero_vector_is_a_point_with_zero_derivative():
    zero = jnp.zeros((2, 3))
    assert Sphere().contains(Sphere().project(zero))
    np.testing.assert_array_equal(jax.jit(jax.jacobian(Sphere().project))(zero), 0)
