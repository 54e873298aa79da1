import re

import toys
from earnshaw.cli.bars import Bars
from earnshaw.cli.progress import Lines


def watch(observer):
    observer.planned(2, 24)
    for _ in range(2):
        observer.started(toys.study, 12, 3)
        observer.estimated(toys.study, 7200.0, 2)
        for stored in range(4, 13):
            observer.shard_stored(toys.study, stored, 12)
        observer.finished(toys.study, 1.5)
    observer.close()


def test_lines_say_how_fast_and_how_long(capsys):
    watch(Lines())
    shown = capsys.readouterr()
    lines = shown.err.splitlines()
    assert not shown.out
    assert lines[0] == "2 studies, 24 shards in all"
    assert lines[1] == "toy: 12 shards, 3 stored before"
    assert lines[2] == "toy: paper scale takes about 2.0 h here with 2 workers"
    assert re.fullmatch(r"toy: 5 of 12 shards stored, \S+/s, about 1 s left; 5 of 24 in all", lines[4])
    assert lines[-2].endswith("; 23 of 24 in all")
    assert lines.count("toy: finished in 1.5 s") == 2


def test_bars_say_the_same_at_a_terminal(capsys):
    watch(Bars())
    shown = capsys.readouterr()
    assert not shown.out
    assert shown.err.count("toy: paper scale takes about 2.0 h here with 2 workers") == 2
    assert shown.err.count("toy: finished in 1.5 s") == 2
