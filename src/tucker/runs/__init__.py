"""A saved run: a folder of plain files that holds everything needed to use a trained model."""

from tucker.runs.convert import as_tucker
from tucker.runs.folder import RunFolder
from tucker.runs.run import FinishedRun, load_run, save_run

__all__ = ["FinishedRun", "RunFolder", "as_tucker", "load_run", "save_run"]
