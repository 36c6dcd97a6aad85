"""A run on disk: a folder of plain files with all that is needed to use a trained model.

How a run comes about is in `tucker.pipeline`, what it can be asked in `tucker.prediction`.
"""

from tucker.runs.convert import as_tucker
from tucker.runs.folder import RunFolder
from tucker.runs.run import FinishedRun, load_run, save_run

__all__ = ["FinishedRun", "RunFolder", "as_tucker", "load_run", "save_run"]
