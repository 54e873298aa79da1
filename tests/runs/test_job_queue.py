"""Jobs for batch systems: what would be submitted, and a batch system of a few lines of shell."""

import os
import stat

import pytest

import fleet
import pieces
from earnshaw.errors import EarnshawError
from earnshaw.runs import Place, run
from earnshaw.runs.job_queue import make_cluster

DIRECTIVES = {
    "slurm": ["#SBATCH -p long", "#SBATCH -A theory", "#SBATCH -n 1", "#SBATCH --cpus-per-task=2", "#SBATCH --mem=4G",
              "#SBATCH -t 08:00:00"],
    "pbs": ["#PBS -q long", "#PBS -A theory", "#PBS -l select=1:ncpus=2:mem=", "#PBS -l walltime=08:00:00"],
    "sge": ["#$ -q long", "#$ -P theory", "#$ -l h_rt=08:00:00"],
    "lsf": ["#BSUB -q long", '#BSUB -P "theory"', "#BSUB -n 2", "#BSUB -W 08:00"],
}  # fmt: skip


@pytest.mark.parametrize("kind", DIRECTIVES)
def test_the_job_that_would_be_submitted(kind):
    settings = {"cores": 2, "memory": "4GB", "queue": "long", "walltime": "08:00:00", "interface": "lo"}
    settings["account" if kind in ("slurm", "pbs") else "project"] = "theory"
    if kind == "lsf":
        settings["walltime"] = "08:00"
    settings["job_script_prologue"] = ["module load python"]
    cluster = make_cluster(kind, settings)
    try:
        script = cluster.job_script()
    finally:
        cluster.close()
    lines = script.splitlines()
    for directive in DIRECTIVES[kind]:
        assert any(line.startswith(directive) for line in lines), (directive, script)
    assert lines.index("export PJRT_NPROC=1") < lines.index("module load python")
    assert "export EARNSHAW_THREADS=1" in lines
    assert "export DASK_DISTRIBUTED__WORKER__MEMORY__SPILL=False" in lines
    assert "distributed.cli.dask_worker" in lines[-1]
    for option in ("--nthreads 1", "--nworkers 2", "--memory-limit 1.86GiB", "--interface lo"):
        assert option in lines[-1]


SBATCH = """#!/bin/sh
# Runs the job at once, and gives it a number.
sh "$1" >/dev/null 2>&1 &
echo $! >> {jobs}
echo "Submitted batch job $!"
"""


def test_a_run_on_a_batch_system(tmp_path, monkeypatch):
    jobs = tmp_path / "jobs"
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in {"sbatch": SBATCH.format(jobs=jobs), "scancel": '#!/bin/sh\nkill "$@"\n'}.items():
        (commands / name).write_text(text)
        (commands / name).chmod(stat.S_IRWXU)
    for name, value in fleet.environment(PATH=f"{commands}{os.pathsep}{os.environ['PATH']}").items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    settings = {"memory": "1GB", "interface": "lo", "worker_extra_args": ["--no-dashboard"]}
    with Place(workers=2, cluster="slurm", settings=settings).open() as executor:
        outcome = run(pieces.study, tmp_path / "run", executor=executor)
    assert len(jobs.read_text().split()) == 2
    alone = run(pieces.study, tmp_path / "alone")
    assert (outcome.out / "results.nc").read_bytes() == (alone.out / "results.nc").read_bytes()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "needs the memory of a job, such as --cluster-set memory=4GB"),
        ({"memory": "4GB", "memroy": 3}, "unknown setting of a slurm cluster 'memroy'; did you mean 'memory'"),
        ({"memory": "lots"}, "dask-jobqueue refuses these settings"),
        ({"memory": "4GB", "interface": "nonsense0"}, "dask-jobqueue refuses these settings"),
    ],
)
def test_settings_that_make_no_sense(settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        Place(workers=1, cluster="slurm", settings=settings).open()
