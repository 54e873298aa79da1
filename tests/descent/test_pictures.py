"""Pictures and films of electrons among protons: what they show, and what cannot be shown."""

import stat
from itertools import pairwise

import jax.numpy as jnp
import numpy as np
import pytest
from PIL import Image

from earnshaw import probes
from earnshaw.descent import Every, GradientDescent, Stop, Trajectory, descend
from earnshaw.descent.animation import pictures
from earnshaw.descent.scene import Scene
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import Electrons, Particles, Quadratic

SMALL = {"seconds": 0.5, "rate": 10, "width": 2.0}


def descended(protons, starts, potential="gaussian", **settings):
    landscape = Particles(potentials.get(potential), jnp.asarray(protons), **settings)
    rule = {"stop": Stop(steps=150), "probes": [probes.get("path")], "schedule": Every(5)}
    return landscape, descend(landscape, GradientDescent(0.1), Electrons(jnp.asarray(starts)), **rule)


@pytest.fixture(scope="module")
def plane():
    return descended([[-1.0, 0.0], [1.5, 0.5]], [[[-1.8, 0.4], [2.2, 0.2]], [[-1.5, -0.4], [1.2, 1.0]]])


@pytest.fixture(scope="module")
def space():
    return descended([[-1.0, 0.0, 0.0], [1.5, 0.5, 1.0]], [[[-1.8, 0.4, 0.1], [2.2, 0.2, 0.9]]])


def test_a_descent_returns_a_trajectory_and_so_does_a_part_of_it(plane):
    _, trajectory = plane
    assert isinstance(trajectory, Trajectory)
    assert isinstance(trajectory.sel(start=[1]), Trajectory)
    assert trajectory["path"].dims == ("start", "step", "particle", "coordinate")
    np.testing.assert_array_equal(trajectory["path"].values[:, -1], trajectory["positions"].values)


def test_a_gif_has_its_frames_and_its_electrons_move(plane, tmp_path):
    landscape, trajectory = plane
    path = trajectory.animate(tmp_path / "electrons.gif", landscape, **SMALL)
    with Image.open(path) as film:
        assert film.n_frames == 5
        assert film.size[0] == 200
        frames = []
        for number in range(film.n_frames):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB"), float))
    assert all(np.any(one != two) for one, two in pairwise(frames))
    # what stands still is the same from the first picture to the last
    assert np.mean(np.any(frames[0] != frames[-1], axis=-1)) < 0.2


def test_frames_are_equal_parts_of_the_way_that_all_electrons_make(plane):
    landscape, trajectory = plane
    scene = Scene(trajectory, landscape, [0, 1])
    assert scene.paths.shape[1] == 4
    np.testing.assert_array_equal(scene.at(0.0)[-1], scene.paths[0])
    np.testing.assert_allclose(scene.at(1.0)[-1], scene.paths[-1], atol=1e-12)

    def way(past):
        return np.linalg.norm(np.diff(past, axis=0), axis=-1).sum()

    whole = way(scene.paths)
    for moment in (0.1, 0.5, 0.9):
        assert way(scene.at(moment)) == pytest.approx(moment * whole)


def test_the_head_of_an_electron_is_drawn_where_the_electron_is(plane):
    landscape, trajectory = plane
    scene = Scene(trajectory, landscape, 0)
    figure, axes = scene.canvas(4.0, None, 100)
    electrons = scene.electrons(axes)
    electrons.move(scene.at(1.0))
    for head in electrons.heads:
        np.testing.assert_allclose(np.stack(head.get_data()).T, trajectory["positions"].values[0], atol=1e-12)
    # level lines are there, and nothing of the scene is cut off
    assert len(axes.collections) > 1
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    assert np.all((scene.protons > low) & (scene.protons < high))
    assert figure.get_size_inches()[0] == 4.0


def test_space_turns_and_a_globe_is_drawn_for_a_sphere(space):
    landscape, trajectory = space
    first, last = list(pictures(Scene(trajectory, landscape, 0), 2, 2.0, None))
    assert np.mean(np.any(first != last, axis=-1)) > 0.01
    assert trajectory.draw(landscape).axes[0].name == "3d"
    ball, on_ball = descended(
        np.eye(3), np.eye(3)[None, ::-1] @ np.diag([1.0, -1.0, 1.0]), "sphere_exponential", manifold=Sphere()
    )
    scene = Scene(on_ball, ball, 0)
    assert scene.globe
    assert not Scene(trajectory, landscape, 0).globe
    assert scene.canvas(2.0, None, 100)[0].axes


def test_negative_protons_have_another_colour():
    landscape, trajectory = descended([[-1.0, 0.0], [1.5, 0.5]], [[[-1.8, 0.4], [2.2, 0.2]]], charges=[1.0, -1.0])
    collections = trajectory.draw(landscape).axes[0].collections
    colours = {tuple(one.get_facecolor()[0][:3]) for one in collections if len(one.get_facecolor())}
    assert len(colours) == 2


def test_a_singular_potential_has_level_lines_too():
    start = [[[0.0, 0.4], [1.0, 1.2]]]
    landscape, trajectory = descended([[-1.0, 0.0], [1.5, 0.5]], start, "coulomb", form="interaction")
    lines, *_ = trajectory.draw(landscape).axes[0].collections
    assert len(lines.levels) > 10
    assert np.all(np.isfinite(lines.levels))


def test_an_mp4_needs_ffmpeg_and_says_so(plane, tmp_path, monkeypatch):
    landscape, trajectory = plane
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EarnshawError, match=r"ffmpeg, which is not installed; ask for a \.gif"):
        trajectory.animate(tmp_path / "electrons.mp4", landscape, **SMALL)


def stand_in(folder, body):
    """A program called ffmpeg."""
    program = folder / "ffmpeg"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_ffmpeg_is_given_every_pixel(plane, tmp_path, monkeypatch):
    landscape, trajectory = plane
    stand_in(tmp_path, 'for last; do :; done; echo "$@" > "$last.asked"; cat > "$last"')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    path = trajectory.animate(tmp_path / "electrons.mp4", landscape, **SMALL)
    asked = (tmp_path / "electrons.mp4.asked").read_text()
    size = asked.split("-s ")[1].split()[0]
    width, height = map(int, size.split("x"))
    assert (width % 2, height % 2) == (0, 0)
    # five pictures, and the last one for a second and a half more
    assert path.stat().st_size == 3 * width * height * (5 + 15)


def test_what_ffmpeg_complains_about_is_passed_on(plane, tmp_path, monkeypatch):
    landscape, trajectory = plane
    stand_in(tmp_path, "cat > /dev/null; echo no such encoder >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(EarnshawError, match=r"could not write 'electrons\.mp4': no such encoder"):
        trajectory.animate(tmp_path / "electrons.mp4", landscape, **SMALL)


@pytest.mark.parametrize(
    ("name", "settings", "match"),
    [
        ("electrons.webm", {}, r"a \.gif or an \.mp4, not 'electrons\.webm'"),
        ("electrons.gif", {"seconds": -1}, "up to 600 seconds"),
        ("electrons.gif", {"rate": 0}, "pictures a second"),
        ("electrons.gif", {"starts": 2}, "starts 0 to 1, not 2"),
        ("electrons.gif", {"starts": []}, "starts 0 to 1"),
        ("nowhere/electrons.gif", {}, "there is no directory"),
    ],
)
def test_films_that_cannot_be_made(plane, tmp_path, name, settings, match):
    landscape, trajectory = plane
    with pytest.raises(EarnshawError, match=match):
        trajectory.animate(tmp_path / name, landscape, **settings)


def test_what_has_no_picture(plane, space):
    landscape, trajectory = plane
    with pytest.raises(EarnshawError, match="electrons and protons, such as Particles, not Quadratic"):
        trajectory.draw(Quadratic(jnp.eye(2)))
    with pytest.raises(EarnshawError, match=r'probes=\[earnshaw\.probes\.get\("path"\)\]'):
        trajectory.drop_vars("path").draw(landscape)
    with pytest.raises(EarnshawError, match="do not belong together"):
        space[1].draw(landscape)
    lost = trajectory.copy(deep=True)
    lost["path"].values[0, -1] = np.nan
    with pytest.raises(EarnshawError, match="not a number"):
        lost.draw(landscape)
    five = Particles(potentials.get("gaussian"), jnp.eye(5))
    with pytest.raises(EarnshawError, match="2 and 3 dimensions, not in 5"):
        trajectory.draw(five)


def test_the_probe_needs_positions():
    with pytest.raises(EarnshawError, match="the probe 'path' needs a landscape whose parameters have positions"):
        descend(Quadratic(jnp.eye(2)), GradientDescent(0.1), 1, stop=Stop(steps=1), probes=[probes.get("path")])
