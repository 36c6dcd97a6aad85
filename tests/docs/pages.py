"""The examples of the manual: found in a page, run in a folder, compared with what is shown.

A page is Markdown. What a reader would do is done in the order of the page:

- a `console` block: each line that begins with `$ ` is run, the lines below it are its output;
- a `python` block: run with the names of the blocks before it; a `text` block right after it is
  its output;
- any block with a `title="facts.tsv"`: written to that file;
- `<!-- first: tucker … -->`: run before the page begins, for what an earlier page has made;
- `<!-- not run: a reason -->` before a block: only shown.

`python -m tests.docs.pages PAGE …` runs pages as they stand and writes what comes out into them. A
line `…` stands for lines left out, and stays where it is.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest import mock

from tests.cli.running import SCRIPT, environment
from tucker.cli.main import run

ROOT = Path(__file__).parents[2]
EPOCHS = 3  # of the trainings of the tests that a page begins with, enough to calibrate
FEWER = 2  # of those of a page itself, unless it says `<!-- epochs in tests: 3 -->`
LEFT_OUT = "…"
ADDRESS = "127.0.0.1:8000"  # where a page says that its server is
_BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+) -->\n+)?"
    r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$',
    re.DOTALL | re.MULTILINE,
)
_FIRST = re.compile(r"^<!-- first: (.+) -->$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    body: str
    title: str | None
    reason: str | None  # why it is not run
    start: int  # where its body stands in the page
    end: int


@dataclass(frozen=True)
class Example:
    """A command or a piece of Python, and the output that the page shows."""

    code: str
    shown: str
    start: int  # where the output stands in the page
    end: int
    python: bool = False


def blocks(page: str) -> list[Block]:
    found = [
        Block(m["language"], m["body"], m["title"], m["reason"], m.start("body"), m.end("body"))
        for m in _BLOCK.finditer(page)
    ]
    fences = len(re.findall(r"^\s*```", page, re.MULTILINE))
    assert fences == 2 * len(found), "a fence that is indented, or not closed, is not seen here"
    return found


def epochs(page: str) -> int:
    """Return how many epochs a training of the page takes in the tests."""
    said = re.search(r"^<!-- epochs in tests: (\d+) -->$", page, re.MULTILINE)
    return int(said[1]) if said else FEWER


def preparations(page: str) -> tuple[str, ...]:
    """Return the commands that come before a page."""
    return tuple(_FIRST.findall(page))


def steps(page: str) -> list[Example | Block]:
    """Return what a reader does, in order: examples to run, and files to write."""
    found: list[Example | Block] = []
    of_page = blocks(page)
    for block, after in zip_longest(of_page, of_page[1:]):
        if block.reason:
            continue
        if block.title:
            found.append(block)
        elif block.language == "console":
            found += _commands(block)
        elif block.language == "python":
            own = bool(after and after.language == "text" and _adjoin(page, block, after))
            shown = after if after and own else Block("text", "", None, None, block.end, block.end)
            found.append(Example(block.body, shown.body, shown.start, shown.end, python=True))
    return found


def _adjoin(page: str, block: Block, after: Block) -> bool:
    """Say whether nothing stands between two blocks but their fences."""
    return page[block.end : after.start].replace("```", "").replace("text", "").strip() == ""


def _commands(block: Block) -> list[Example]:
    """Cut the body of a console into commands with their outputs."""
    pattern = re.compile(r"^\$ (?P<code>(?:.*\\\n)*.*\n)(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)
    found = list(pattern.finditer(block.body))
    assert "".join(m[0] for m in found) == block.body, "a console begins with a command"
    return [
        Example(
            m["code"].replace("\\\n", " ").strip(),
            m["shown"],
            block.start + m.start("shown"),
            block.start + m.end("shown"),
        )
        for m in found
    ]


@dataclass(frozen=True)
class Outcome:
    """What came of an example: both streams in one, as in a terminal."""

    code: int
    text: str


class Desk:
    """The folder in which the examples of a page are run, and the names of its Python."""

    def __init__(self, *, quick: bool) -> None:
        self._quick = quick
        self.epochs = EPOCHS  # of a training, if it is to be quick
        self._names: dict[str, Any] = {"__name__": "__main__"}
        self._server: subprocess.Popen[str] | None = None
        self._url = ""

    def close(self) -> None:
        if self._server:
            self._server.terminate()
            self._server.wait(20)

    def run(self, example: Example) -> Outcome:
        if example.python:
            return self._python(example.code)
        return self.command(example.code)

    def command(self, line: str) -> Outcome:
        words = shlex.split(line, comments=True)
        if re.search(r"[|<>&;]", re.sub(r"'[^']*'|\"[^\"]*\"", "", line)):
            return _shell(line)
        if words[:2] == ["tucker", "serve"]:
            return self._serve(words)
        if words[0] == "tucker":
            return _tucker(self._words(words))
        if words[0] == "curl":
            return self._request(words)
        return _shell(line)

    def _words(self, words: list[str]) -> list[str]:
        """Return the words of a command; a training of the tests is shorter."""
        if words[1] == "reproduce":
            return [*words, "--results", str(ROOT / "results")]
        if self._quick and words[1] == "train" and not {"--resume", "--plan"} & set(words):
            rules = any(word.startswith("rules.") for word in words)
            few = ["--set=rules.facts=300"] if rules else []
            return [*words, f"--set=training.epochs={self.epochs}", *few]
        return words

    def _python(self, code: str) -> Outcome:
        if self._quick:
            code = re.sub(r"\bepochs=\d+", f"epochs={self.epochs}", code)
            code = re.sub(
                r"tucker\.train\((\w+)\)", rf"tucker.train(\1, epochs={self.epochs})", code
            )
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(code, "the page", "exec"), self._names)
        return Outcome(0, out.getvalue())

    def _serve(self, words: list[str]) -> Outcome:
        """Start the server on any port, and let it run until the page is done."""
        command = [str(SCRIPT), *words[1:], "--port", "0", "--json"]
        self._server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
        )
        assert self._server.stdout
        assert self._server.stderr
        told = "".join(self._server.stdout.readline() for _ in range(4))
        self._url = json.loads(told)["url"]
        address = self._url.partition("//")[2]
        return Outcome(0, self._server.stderr.readline().replace(address, ADDRESS))

    def _request(self, words: list[str]) -> Outcome:
        """Do what a simple curl would; not every machine has one."""
        values = dict(zip(words[1:], [*words[2:], ""], strict=True))
        given = [word for flag, word in values.items() if flag in ("-H", "-d", "-o")]
        (address,) = (w for w in words[1:] if not w.startswith("-") and w not in given)
        body = values["-d"].encode() if "-d" in values else None
        headers = dict([values["-H"].split(": ")]) if "-H" in values else {}
        url = f"{self._url}/{address.removeprefix('http://').partition('/')[2]}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as reply:
                text = reply.read().decode()
        except urllib.error.HTTPError as refusal:
            text = refusal.read().decode()
        if "-o" in values:
            Path(values["-o"]).write_text(text, encoding="utf-8")
            return Outcome(0, "")
        return Outcome(0, text.rstrip("\n") + "\n")


def _tucker(words: list[str]) -> Outcome:
    """Run the command here: torch is slow to import for each of them."""
    streams = io.StringIO()
    code: object = 0
    with (
        mock.patch.object(sys, "argv", words),
        contextlib.redirect_stdout(streams),
        contextlib.redirect_stderr(streams),
    ):
        try:
            run()
        except SystemExit as exit:
            code = exit.code
    return Outcome(int(code or 0), streams.getvalue())


def _shell(line: str) -> Outcome:
    path = f"{SCRIPT.parent}:{environment()['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=environment() | {"PATH": path},
        check=False,
    )
    return Outcome(done.returncode, done.stdout)


def tidy(text: str) -> str:
    """Return an output without what differs from one moment to the next."""
    lines = [line.rstrip() for line in text.splitlines()]
    return "".join(f"{line}\n" for line in lines if not re.match(r"epoch \d+/", line))


def shape(text: str) -> list[str]:
    """Return what an output is like, whatever the model: keys, columns, words without figures."""
    if text.lstrip().startswith(("[", "{")):
        return sorted(set(re.findall(r'"(\w+)":', text)) | ({LEFT_OUT} & set(text.split())))
    lines: list[str] = []
    for line in text.splitlines():
        if line[:1] in "┏┡└":
            continue
        alike = f"row of {line.count('│')}" if line[:1] == "│" else _without_figures(line)
        if lines[-1:] == [LEFT_OUT] and alike in lines[-2:-1]:
            lines.pop()  # rows were left out of one table
        elif alike not in lines[-1:]:  # rows of a table are one
            lines.append(alike)
    return lines


def _without_figures(line: str) -> str:
    words = re.sub(r"[-+]?\d[\d,.:]*(e[-+]\d+)?", "#", line)
    return re.sub(r"\s+", " ", words).strip()


def same(shown: str, found: str, *, alike: bool) -> bool:
    """Say whether an output is the one shown, or one like it; `…` stands for any lines."""
    shown, found = tidy(shown), tidy(found)
    if alike and shown.lstrip().startswith(("[", "{")):
        keys = {key for key in shape(shown) if key != LEFT_OUT}
        return keys <= set(shape(found)) if LEFT_OUT in shown else keys == set(shape(found))
    of_shown, of_found = (shape(text) if alike else text.splitlines() for text in (shown, found))
    parts = [re.escape(line) if line.strip() != LEFT_OUT else "(.*\n)*.*" for line in of_shown]
    return re.fullmatch("\n".join(parts), "\n".join(of_found)) is not None


def numbers_a_line(text: str) -> list[int]:
    """Return how many figures each line of a Python output has: names differ with the model."""
    return [len(re.findall(r"\d[\d,.]*", line)) for line in text.splitlines()]


def _cut(shown: str, found: str) -> str:
    """Leave out of a new output the lines that the page leaves out."""
    old, new = shown.splitlines(), tidy(found).splitlines()
    if LEFT_OUT not in old:
        return "".join(f"{line}\n" for line in new)
    first, last = old.index(LEFT_OUT), len(old) - 1 - old[::-1].index(LEFT_OUT)
    kept = [*new[:first], LEFT_OUT, *new[len(new) - (len(old) - 1 - last) :]]
    return "".join(f"{line}\n" for line in kept)


def fill(page: Path, begun: dict[tuple[str, ...], Path]) -> None:
    """Run the examples of a page as they stand, and write what comes out into it."""
    text = page.read_text(encoding="utf-8")
    desk = Desk(quick=False)
    pieces, place = [], 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        begin(desk, preparations(text), begun)
        for step in steps(text):
            if isinstance(step, Block):
                write(step, quick=False)
                continue
            outcome = desk.run(step)
            sys.stderr.write(f"{step.code.splitlines()[0]} -> {outcome.code}\n")
            if step.shown or not step.python:
                pieces += [text[place : step.start], _cut(step.shown, outcome.text)]
                place = step.end
        desk.close()
    page.write_text("".join([*pieces, text[place:]]), encoding="utf-8")


def write(block: Block, *, quick: bool) -> None:
    """Write the file that a block shows; a recipe of the tests trains for less time."""
    assert block.title
    path = Path(block.title)
    path.parent.mkdir(parents=True, exist_ok=True)
    body = re.sub(r"\bepochs: \d+", f"epochs: {FEWER}", block.body) if quick else block.body
    path.write_text(body, encoding="utf-8")


def begin(desk: Desk, commands: tuple[str, ...], begun: dict[tuple[str, ...], Path]) -> None:
    """Bring the current folder to where a page begins; many begin with the same run."""
    parts = [commands[:count] for count in range(1, len(commands) + 1)]
    for part in parts:
        if part in begun:
            continue
        if before := begun.get(part[:-1]):
            shutil.copytree(before, Path.cwd(), dirs_exist_ok=True)
        outcome = desk.command(part[-1])
        assert outcome.code == 0, outcome.text
        begun[part] = Path(tempfile.mkdtemp()) / "desk"
        shutil.copytree(Path.cwd(), begun[part])
    if commands:
        shutil.copytree(begun[commands], Path.cwd(), dirs_exist_ok=True)


def main(names: list[str]) -> None:
    begun: dict[tuple[str, ...], Path] = {}
    for name in names:
        sys.stderr.write(f"{name}\n")
        fill(Path(name).resolve(), begun)
    for folder in begun.values():
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main(sys.argv[1:])
