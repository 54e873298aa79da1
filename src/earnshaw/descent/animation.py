"""Films of electrons on their way to protons, as GIF by Pillow and as MP4 by ffmpeg."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from earnshaw.descent.scene import INK, Scene
from earnshaw.errors import EarnshawError

#: How long the last picture stays, and how far a camera turns around a scene in space.
SECONDS_AT_THE_END = 1.5
DEGREES = 80.0
COLOURS = 96


def animate(
    scene: Scene, path: Path, *, seconds: float | int, rate: int, width: float | int, height: float | int | None
) -> Path:
    """Write the film; the ending of the file's name says of which kind."""
    if not (np.isfinite(seconds) and 0 < seconds <= 600 and 0 < rate <= 60):
        raise EarnshawError(
            f"a film lasts up to 600 seconds at up to 60 pictures a second, not {seconds!r} at {rate!r}"
        )
    ending = path.suffix.lower()
    if ending not in (".gif", ".mp4"):
        raise EarnshawError(f"a film is a .gif or an .mp4, not {path.name!r}")
    ffmpeg = shutil.which("ffmpeg") if ending == ".mp4" else None
    if ending == ".mp4" and ffmpeg is None:
        raise EarnshawError("an MP4 is written by the program ffmpeg, which is not installed; ask for a .gif instead")
    if not path.parent.is_dir():
        raise EarnshawError(f"there is no directory {str(path.parent)!r} to write {path.name!r} into")
    frames = pictures(scene, max(2, round(seconds * rate)), width, height)
    if ffmpeg is None:
        _write_gif(path, frames, rate)
    else:
        _write_mp4(path, frames, rate, ffmpeg)
    return path


def pictures(
    scene: Scene, count: int, width: float | int, height: float | int | None, dpi: int = 100
) -> Iterator[np.ndarray]:
    """So many pictures, shape (height, width, 3): equal parts of the electrons' way, so that slow ends take no time."""
    figure, axes = scene.canvas(width, height, dpi)
    electrons = scene.electrons(axes)
    # In the plane only the electrons change, and the level lines beneath are drawn once.
    still = None
    if scene.d == 2:
        for artist in electrons.artists:
            artist.set_animated(True)
        figure.canvas.draw()
        still = figure.canvas.copy_from_bbox(figure.bbox)
    for moment in np.linspace(0, 1, count):
        electrons.move(scene.at(float(moment)))
        if still is None:
            axes.view_init(elev=18, azim=-60 + DEGREES * moment)
            figure.canvas.draw()
        else:
            figure.canvas.restore_region(still)
            for artist in electrons.artists:
                axes.draw_artist(artist)
        yield np.array(figure.canvas.buffer_rgba())[:, :, :3]


def picture(scene: Scene, width: float | int, height: float | int | None) -> Any:
    """One figure of the whole way, with names."""
    figure, axes = scene.canvas(width, height, 200)
    electrons = scene.electrons(axes)
    electrons.move(scene.paths)
    starts = scene.paths[0].T
    look = {"color": INK, "markersize": 2.2, "alpha": 0.8, "markeredgewidth": 0, "zorder": 4}
    axes.plot(*starts, "o", **look)
    if scene.d == 3:
        axes.view_init(elev=18, azim=-60 + DEGREES / 2)
    return figure


def _write_gif(path: Path, frames: Iterator[np.ndarray], rate: int) -> None:
    from PIL import Image

    pixels = list(frames)
    # One palette for all, which small bright things must get into, with a last place for what has not changed.
    samples = np.concatenate([pixels[0], pixels[len(pixels) // 2], pixels[-1]])
    palette = Image.fromarray(samples).quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE)
    indices = [np.array(Image.fromarray(one).quantize(palette=palette, dither=Image.Dither.NONE)) for one in pixels]
    images = []
    for place, now in enumerate(indices):
        changed = now if place == 0 else np.where(now == indices[place - 1], COLOURS, now)
        image = Image.fromarray(changed.astype(np.uint8), mode="P")
        image.putpalette([*(palette.getpalette() or [])[: 3 * COLOURS], 0, 0, 0])
        images.append(image)
    durations = [round(1000 / rate)] * (len(images) - 1) + [round(1000 * SECONDS_AT_THE_END)]
    look: Any = {"loop": 0, "disposal": 1, "transparency": COLOURS, "optimize": False}
    images[0].save(path, save_all=True, append_images=images[1:], duration=durations, **look)


def _write_mp4(path: Path, frames: Iterator[np.ndarray], rate: int, ffmpeg: str) -> None:
    first = next(frames)
    height, width, _ = first.shape
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-"]
    made = ["-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)]
    command = [ffmpeg, "-y", "-loglevel", "error", *source, *made]
    every = [first.tobytes(), *(frame.tobytes() for frame in frames)]
    every += every[-1:] * round(rate * SECONDS_AT_THE_END)
    done = subprocess.run(command, input=b"".join(every), capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise EarnshawError(f"ffmpeg could not write {path.name!r}: {said[-1] if said else 'it did not say why'}")
