import shutil
from dataclasses import replace

import pytest

import toys
from earnshaw.report import write_report
from earnshaw.runs import run
from report import samples


@pytest.fixture(scope="session")
def unfinished(tmp_path_factory):
    """A run that was interrupted after its third shard."""
    left = [None] * 3

    def compute(cell, key, parameters):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return toys.compute(cell, key, parameters)

    folder = tmp_path_factory.mktemp("unfinished") / "half"
    with pytest.raises(KeyboardInterrupt):
        run(replace(toys.study, name="half", compute=compute), folder)
    return folder


@pytest.fixture(scope="session")
def crowd(tmp_path_factory):
    """A report about nine large studies: the path of its file."""
    folder = tmp_path_factory.mktemp("crowd")
    whole = run(samples.crowded("study-1"), folder / "study-1").out
    others = [shutil.copytree(whole, folder / f"study-{number}") for number in range(2, 10)]
    for other in others:
        manifest = other / "manifest.json"
        manifest.write_text(manifest.read_text().replace("study-1", other.name))
    return write_report([whole, *others], folder / "report")


@pytest.fixture(scope="session")
def page(tmp_path_factory, unfinished):
    """A report with everything in it: the path of its file."""
    folder = tmp_path_factory.mktemp("report")
    runs = [
        run(samples.rich, folder / "rich").out,
        run(toys.study, folder / "toy").out,
        run(samples.hostile, folder / "other").out,
        run(samples.bare, folder / "bare", settings={"d": [1]}).out,
        run(toys.study, folder / "again", seed=1).out,
        unfinished,
    ]
    path = write_report(runs, folder / "report")
    assert [entry.name for entry in path.parent.iterdir()] == ["index.html"]
    return path
