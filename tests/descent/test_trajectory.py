from typing import NamedTuple

import jax
import jax.numpy as jnp
import matplotlib
import numpy as np
import pytest
import xarray as xr

import earnshaw
from earnshaw.descent import Every, GradientDescent, Probe, Stop, Trajectory, descend, endpoints
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Euclidean, Manifold
from earnshaw.landscapes import Landscape, Quadratic

matplotlib.use("Agg")


class Charged(NamedTuple):
    positions: jax.Array
    charges: jax.Array | None


class Cloud(Landscape):
    """A quadratic bowl for a named tuple of parameters."""

    manifold: Manifold = Euclidean()
    with_charges: bool = True

    def loss(self, params):
        return 0.5 * sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(params))

    def init(self, key):
        return Charged(jax.random.normal(key, (4, 2)), jnp.ones(4) if self.with_charges else None)


@pytest.fixture(scope="module")
def trajectory():
    wide = Probe("wide", lambda landscape, state: jnp.max(jnp.abs(state.params.positions)) > 1)
    return descend(Cloud(), GradientDescent(0.1), 3, stop=Stop(steps=25), schedule=Every(10), probes=(wide,), key=7)


def test_variables_have_the_documented_dimensions(trajectory):
    assert trajectory.loss.dims == ("start", "step")
    assert trajectory.positions.dims == ("start", "particle", "coordinate")
    assert trajectory.charges.dims == ("start", "particle")
    for name in ("outcome", "steps", "final_loss", "final_gradient_norm", "final_time"):
        assert trajectory[name].dims == ("start",)
    assert trajectory.step.values.tolist() == [0, 10, 20, 25]
    assert trajectory.wide.dtype == bool


def test_everything_is_labelled(trajectory):
    assert all(trajectory[name].attrs["long_name"] for name in trajectory.variables)
    assert trajectory.attrs["seed"] == 7
    assert trajectory.attrs["earnshaw_version"] == earnshaw.__version__
    assert trajectory.attrs["jax_version"] == jax.__version__
    assert trajectory.attrs["algorithm"] == "GradientDescent(step_size=Constant(size=0.1))"
    assert trajectory.attrs["landscape"].startswith("Cloud(")
    assert "steps=25" in trajectory.attrs["stop"]


def test_netcdf_there_and_back(trajectory, tmp_path):
    trajectory.to_netcdf(tmp_path / "t.nc", engine="h5netcdf")
    with xr.open_dataset(tmp_path / "t.nc", engine="h5netcdf") as file:
        back = file.load()
    assert (back.outcome == "out of steps").all()
    xr.testing.assert_equal(Trajectory.of(back), trajectory)
    assert dict(back.attrs) == dict(trajectory.attrs)
    jax.tree.map(np.testing.assert_array_equal, endpoints(back, Cloud()), endpoints(trajectory, Cloud()))


def test_a_plot_is_one_line(trajectory):
    assert len(trajectory.loss.plot.line(x="step")) == 3


def test_endpoints_go_back_into_a_descent(trajectory):
    ends = endpoints(trajectory, Cloud())
    assert isinstance(ends, Charged)
    np.testing.assert_allclose(jax.vmap(Cloud().loss)(ends), trajectory.final_loss, rtol=1e-14)
    further = descend(Cloud(), GradientDescent(0.1), ends, stop=Stop(steps=5))
    np.testing.assert_allclose(further.positions, trajectory.positions * 0.9**5, rtol=1e-12)


def test_absent_parameters_stay_absent():
    cloud = Cloud(with_charges=False)
    trajectory = descend(cloud, GradientDescent(0.1), 2, stop=Stop(steps=1))
    assert "charges" not in trajectory
    assert endpoints(trajectory, cloud).charges is None


def test_endpoints_of_another_landscape_are_refused(trajectory):
    with pytest.raises(EarnshawError, match="does not belong"):
        endpoints(trajectory, Quadratic(jnp.eye(3)))
    with pytest.raises(EarnshawError, match="do not belong"):
        endpoints(trajectory.isel(particle=slice(2)), Cloud())


@pytest.mark.parametrize("name", ["positions", "outcome", "final_loss", "step"])
def test_a_probe_may_not_take_a_name_that_is_taken(name):
    with pytest.raises(EarnshawError, match=name):
        descend(Cloud(), GradientDescent(0.1), 1, probes=(Probe(name, lambda landscape, state: state.loss),))
