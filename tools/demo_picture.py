"""Draw docs/figures/demo.svg, the README's picture: the demo as a terminal shows it.

.venv/bin/python tools/demo_picture.py
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from rich.console import Console

from tucker.cli.demo import demo_tables
from tucker.files import write_text
from tucker.pipeline.demo import run_demo
from tucker.progress import ProgressBar
from tucker.runs import RunFolder

PICTURE = Path(__file__).parents[1] / "docs" / "figures" / "demo.svg"


def main() -> None:
    """Run the demo and keep its tables as a picture."""
    with tempfile.TemporaryDirectory() as folder, ProgressBar() as bar:
        result = run_demo(RunFolder(Path(folder) / "demo"), report=bar)
    console = Console(record=True, width=108, file=io.StringIO())
    for table in demo_tables(result):
        console.print(table)
    write_text(PICTURE, console.export_svg(title="tucker demo"))


if __name__ == "__main__":
    main()
