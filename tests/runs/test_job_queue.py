"""Jobs for batch systems: what would be submitted, and a batch system of a few lines of shell."""

import os
import stat

import psutil
import pytest

import fleet
import pieces
from earnshaw.errors import EarnshawError
from earnshaw.runs import Observer, Place, job_queue, run
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
    for what in ("SPILL", "PAUSE"):
        assert f"export DASK_DISTRIBUTED__WORKER__MEMORY__{what}=False" in lines
    assert "distributed.cli.dask_worker" in lines[-1]
    for option in ("--nthreads 1", "--nworkers 2", "--memory-limit 1.86GiB", "--interface lo", "--death-timeout 600"):
        assert option in lines[-1]


SBATCH = """#!/bin/sh
# Runs the job at once, and gives it a number.
sh "$1" >/dev/null 2>&1 &
echo $! >> {jobs}
echo "Submitted batch job $!"
"""


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    """A batch system of two commands; the path of the file in which it notes the number of each job."""
    jobs = tmp_path / "jobs"
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in {"sbatch": SBATCH.format(jobs=jobs), "scancel": '#!/bin/sh\nkill "$@"\n'}.items():
        (commands / name).write_text(text)
        (commands / name).chmod(stat.S_IRWXU)
    for name, value in fleet.environment(PATH=f"{commands}{os.pathsep}{os.environ['PATH']}").items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return jobs


def submit(workers, **settings):
    here = {"memory": "1GB", "interface": "lo", "worker_extra_args": ["--no-dashboard"], **settings}
    return Place(workers=workers, cluster="slurm", settings=here).open()


def test_a_run_on_a_batch_system(jobs, tmp_path):
    with submit(workers=2) as executor:
        outcome = run(pieces.study, tmp_path / "run", executor=executor)
    assert len(jobs.read_text().split()) == 2
    alone = run(pieces.study, tmp_path / "alone")
    assert (outcome.out / "results.nc").read_bytes() == (alone.out / "results.nc").read_bytes()


class TimeIsUp(Observer):
    """Ends every job, with all its processes, when some shards are stored."""

    def __init__(self, jobs):
        self.jobs = jobs
        self.ended = []

    def shard_stored(self, study, stored, shards):
        if stored == 3:
            self.ended = self.jobs.read_text().split()
            for job in self.ended:
                shell = psutil.Process(int(job))
                for process in [*shell.children(recursive=True), shell]:
                    process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("cores", [1, 2])
def test_a_job_whose_time_is_up_is_asked_for_again(jobs, tmp_path, monkeypatch, cores):
    monkeypatch.setattr(job_queue, "SECONDS_UNTIL_ENDED", 3.0)
    observer = TimeIsUp(jobs)
    with submit(workers=2, cores=cores, memory=f"{cores}GB") as executor:
        outcome = run(pieces.study, tmp_path / "run", settings={"seconds": 0.2}, executor=executor, observer=observer)
    assert len(observer.ended) == 2 // cores
    assert len(jobs.read_text().split()) >= 2 * len(observer.ended)
    assert outcome.starts == 8 * pieces.SHARDS


def test_a_machine_without_a_batch_system_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EarnshawError, match="there is no command sbatch here; run this on a machine where jobs"):
        submit(workers=1)


def test_a_job_that_is_refused_is_a_sentence(jobs):
    refusing = jobs.parent / "bin" / "sbatch"
    refusing.write_text("#!/bin/sh\necho 'sbatch: error: invalid partition specified: long' >&2\nexit 1\n")
    with pytest.raises(EarnshawError, match="refuses the job: sbatch: error: invalid partition specified: long"):
        submit(workers=1, queue="long")


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
