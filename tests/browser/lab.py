"""A throw-away JupyterLab, and a notebook open in it, for tests to drive."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat.sign import NotebookNotary
from playwright.sync_api import Error, Page, TimeoutError

from tensorwidgets.live.saving import HOOK

ANSWER_WITHIN = 60.0
START_WITHIN = 240.0
"""Seconds for a server to start: on a busy machine its extensions alone take half a minute to import."""

START = """from tensorwidgets.course.quick_start import grammars_later, jupyterlab
grammars_later()
jupyterlab().launch_instance()"""
"""JupyterLab as `tensorwidgets lab` starts it: without grammars that it does not need."""

LEFT_OUT = [
    "@jupyter-notebook/lab-extension",
    "@jupyter/nbgrader",
    "@jupyterlab/application-extension:property-inspector",
    "@jupyterlab/apputils-extension:kernel-status",
    "@jupyterlab/apputils-extension:running-sessions-status",
    "@jupyterlab/cell-toolbar-extension",
    "@jupyterlab/celltags-extension",
    "@jupyterlab/completer-extension",
    "@jupyterlab/console-extension",
    "@jupyterlab/debugger-extension",
    "@jupyterlab/documentsearch-extension",
    "@jupyterlab/extensionmanager-extension",
    "@jupyterlab/fileeditor-extension:language-server",
    "@jupyterlab/fileeditor-extension:search",
    "@jupyterlab/inspector-extension",
    "@jupyterlab/launcher-extension",
    "@jupyterlab/logconsole-extension",
    "@jupyterlab/lsp-extension",
    "@jupyterlab/metadataform-extension",
    "@jupyterlab/notebook-extension:active-cell-tool",
    "@jupyterlab/notebook-extension:completer",
    "@jupyterlab/notebook-extension:cursor-position",
    "@jupyterlab/notebook-extension:execution-indicator",
    "@jupyterlab/notebook-extension:kernel-status",
    "@jupyterlab/notebook-extension:language-server",
    "@jupyterlab/notebook-extension:log-output",
    "@jupyterlab/notebook-extension:metadata-editor",
    "@jupyterlab/notebook-extension:mode-status",
    "@jupyterlab/notebook-extension:search",
    "@jupyterlab/notebook-extension:toc",
    "@jupyterlab/notebook-extension:tools",
    "@jupyterlab/notebook-extension:trust-status",
    "@jupyterlab/notebook-extension:update-raw-mimetype",
    "@jupyterlab/running-extension",
    "@jupyterlab/statusbar-extension",
    "@jupyterlab/terminal-extension",
    "@jupyterlab/tooltip-extension",
    "@jupyterlab/workspaces-extension",
]
"""Parts of JupyterLab beside a notebook that no test looks at, with a third of what it takes to open one.

The table of contents alone cleans each picture's HTML a second time, in search of headings. The status bar, the toolbar
of the active cell and the like change with each cell that is run. What needs a part that is left out is left out too:
JupyterLab would write an error to the console, and a test that loads a page would fail.
"""

# The status bar says "idle" while there is no kernel yet, so the session itself is asked.
KERNEL_ANSWERS = """async () => {
  await jupyterapp.restored;
  const panel = jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.revealed;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}"""
ASK_KERNEL = """async (expression) => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const content = {code: '', silent: true, store_history: false, user_expressions: {answer: expression}};
  const reply = await kernel.requestExecute(content).done;
  const answer = reply.content.user_expressions.answer;
  if (answer.status !== 'ok') throw new Error(answer.ename + ': ' + answer.evalue);
  return answer.data['text/plain'];
}"""
# `page.evaluate` would wait for ever behind a dialog.
WITH_A_LIMIT = """async ([source, argument, milliseconds]) => {
  const limit = new Promise((_, refuse) => setTimeout(() => {
    const dialogs = [...document.querySelectorAll('.jp-Dialog-header')].map(d => d.textContent);
    refuse(new Error(`no answer in ${milliseconds} ms; open dialogs: ${JSON.stringify(dialogs)}`));
  }, milliseconds));
  // One text: Playwright sends thousands of values one by one.
  return JSON.stringify(await Promise.race([Promise.resolve((0, eval)(`(${source})`)(argument)), limit]));
}"""


def evaluate(page: Page, function: str, argument: Any = None, seconds: float = ANSWER_WITHIN) -> Any:
    """What a JavaScript function gives in the page, or an error that names the dialog in the way."""
    told = page.evaluate(WITH_A_LIMIT, [function, argument, seconds * 1000])
    return None if told is None else json.loads(told)


SHOWN = """() => {
  const inside = window.root?.getRootNode() ?? document;
  const pictures = [...inside.querySelectorAll('.twl')].map((one) => one.innerText.slice(0, 3000));
  return [pictures, inside.activeElement?.outerHTML.slice(0, 200)];
}"""


def until(page: Page, condition: str, argument: Any = None) -> None:
    """Waits until a condition holds in the page, or tells what the live pictures on it show instead."""
    try:
        page.wait_for_function(condition, arg=argument)
    except TimeoutError:
        pictures, focus = page.evaluate(SHOWN)
        parts = [f"not so, with {argument!r}: {condition}", f"the focus is at {focus}", *pictures]
        raise AssertionError("\n\n".join(parts)) from None


def says(page: Page, number: int, words: str) -> None:
    """Waits until the picture of an explorer contains these words."""
    picture = "document.querySelectorAll('.twl')[n]?.querySelector('.tw')"
    until(page, f"([n, words]) => {picture}?.innerText.includes(words)", [number, words])


class Lab:
    """A JupyterLab server with a home, settings and kernels of its own. Use as a context manager."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.root = base / "root"
        self.log = base / "server.log"
        self.root.mkdir(parents=True)
        folders = {
            "HOME": "home",
            "IPYTHONDIR": "ipython",
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        }
        self.env = {**os.environ, **{name: str(base / folder) for name, folder in folders.items()}}
        (base / "home").mkdir()
        self.set("notebook-extension/tracker", windowingMode="none", autoStartDefaultKernel=True)
        self.set("apputils-extension/notification", fetchNews="false", checkForUpdates=False, doNotDisturbMode=True)
        left_out = base / "config" / "labconfig" / "page_config.json"
        left_out.parent.mkdir(parents=True)
        left_out.write_text(json.dumps({"disabledExtensions": dict.fromkeys(LEFT_OUT, True)}), encoding="utf-8")
        with contextlib.closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def set(self, plugin: str, **values: Any) -> None:
        """Settings of a JupyterLab plugin, read when a page is next loaded."""
        path = self.base / "settings" / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")

    def ask(self, path: str, method: str = "GET") -> bytes:
        with urllib.request.urlopen(urllib.request.Request(self.url + path, method=method), timeout=10) as reply:
            body: bytes = reply.read()
        return body

    def __enter__(self) -> Lab:
        options = [
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
            f"--port={self.port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.root}",
            "--IdentityProvider.token=",
            "--ServerApp.password=",
            "--ServerApp.disable_check_xsrf=True",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--LabApp.news_url=",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
            f"--FileContentsManager.pre_save_hook={HOOK}",  # as `tensorwidgets lab` has it, and the connection too
            "--ServerApp.kernel_websocket_connection_class=tensorwidgets.live.at_once.ConnectionAtOnce",
        ]
        command = [sys.executable, "-c", START, *options]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=self.root, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        deadline = time.monotonic() + START_WITHIN
        while True:
            try:
                self.ask("/api/status")
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.process.kill()
                    said = self.log.read_text(errors="replace")[-3000:]
                    raise RuntimeError(f"JupyterLab did not start:\n{said}") from None
                time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def shut_kernels(self) -> None:
        for session in json.loads(self.ask("/api/sessions")):
            self.ask(f"/api/sessions/{session['id']}", method="DELETE")


class Notebook:
    """A notebook that is open in JupyterLab."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.path = path

    def run_all(self, seconds: float = ANSWER_WITHIN) -> None:
        """Run every cell; comes back when the last is done."""
        self.evaluate("async () => { await jupyterapp.commands.execute('notebook:run-all-cells'); }", seconds=seconds)

    def kernel(self, expression: str) -> str:
        """The repr of an expression in the kernel, asked over the page's own connection."""
        return str(self.evaluate(ASK_KERNEL, expression))

    def becomes(self, expression: str, wanted: str) -> None:
        """Wait until an expression in the kernel has this repr, however long messages take."""
        deadline = time.monotonic() + ANSWER_WITHIN
        while (found := self.kernel(expression)) != wanted:
            assert time.monotonic() < deadline, f"{expression} is {found}, not {wanted}"
            self.page.wait_for_timeout(20)  # a kernel that answers all the time takes a core from the page

    def evaluate(self, function: str, argument: Any = None, seconds: float = ANSWER_WITHIN) -> Any:
        """What a JavaScript function gives in the page."""
        return evaluate(self.page, function, argument, seconds)

    def save(self) -> None:
        self.evaluate("async () => { await jupyterapp.commands.execute('docmanager:save'); }")

    def saved(self) -> Any:
        """The notebook as it lies on the disk."""
        return nbformat.read(self.path, as_version=4)


def write_notebook(path: Path, cells: Sequence[str]) -> Path:
    """A notebook of code cells (those that start with `#md ` are Markdown), not run."""
    made = [
        nbformat.v4.new_markdown_cell(c[4:], id=f"cell-{i}")
        if c.startswith("#md ")
        else nbformat.v4.new_code_cell(c, id=f"cell-{i}")
        for i, c in enumerate(cells)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=made, metadata=kernel), path)
    return path


# The cells are laid out once, when all are there: each editor measures itself when it is made, and the page with it.
# And what turns until a notebook is there would be drawn 60 times a second.
OPEN = """async ([path, shouldStart]) => {
  const kernelPreference = {shouldStart, autoStartDefault: shouldStart, canStart: shouldStart};
  const unseen = document.head.appendChild(document.createElement('style'));
  unseen.textContent =
    '.jp-WindowedPanel-viewport { display: none } .jp-Spinner, .jp-Spinner * { animation: none !important }';
  try {
    const panel = await jupyterapp.commands.execute('docmanager:open', {path, factory: 'Notebook', kernelPreference});
    await panel.context.ready;
    await panel.revealed;
  } finally {
    unseen.remove();
  }
}"""
# JupyterLab asks for its launcher, which is left out, where nothing is open when it has looked at the folder.
NO_LAUNCHER = "() => { jupyterapp.commands.addCommand('launcher:create', { execute: () => {} }); }"
WINDOWING = """mode => {
  const factory = jupyterapp.docRegistry.getWidgetFactory('Notebook');
  factory.notebookConfig = { ...factory.notebookConfig, windowingMode: mode };
}"""
CLOSE = """async () => {
  for (const panel of [...jupyterapp.shell.widgets('main')].filter((one) => one.sessionContext)) {
    if (panel.sessionContext.session) await panel.sessionContext.shutdown();
    panel.dispose();
  }
  return document.querySelectorAll('.jp-Dialog, .jp-NotebookPanel').length === 0;
}"""


class Desk:
    """JupyterLab in a page, where tests open notebooks one after the other: to load it takes six seconds of a core."""

    def __init__(self, lab: Lab, page: Page) -> None:
        self.lab = lab
        self.page = page
        self.load()

    def load(self) -> None:
        """JupyterLab anew, with the settings of now and nothing open."""
        self.page.goto(f"{self.lab.url}/lab?reset")
        self.page.wait_for_function("() => window.jupyterapp?.restored", timeout=60_000)
        evaluate(self.page, NO_LAUNCHER)
        evaluate(self.page, "async () => { await jupyterapp.restored; }")

    def leave_out(self, mode: str) -> None:
        """Which cells that are not in sight JupyterLab leaves out of notebooks opened from now on, as its setting
        `windowingMode` says it; a page that is loaded again has the setting itself."""
        evaluate(self.page, WINDOWING, mode)

    def open(self, source: Path | Sequence[str], trust: bool = False, kernel: bool = True) -> Notebook:
        """A copy of a notebook (a file, or the code of its cells), open alone and with a kernel that answers.

        What is only read needs no kernel.
        """
        self.clear()
        folder = self.lab.root / f"n{time.monotonic_ns()}"
        folder.mkdir()
        if isinstance(source, Path):
            path = Path(shutil.copy(source, folder))
        else:
            path = write_notebook(folder / "made.ipynb", source)
        if trust:
            NotebookNotary(data_dir=str(self.lab.base / "data")).sign(nbformat.read(path, as_version=4))
        evaluate(self.page, OPEN, [path.relative_to(self.lab.root).as_posix(), kernel])
        if kernel:
            evaluate(self.page, KERNEL_ANSWERS)
        return Notebook(self.page, path)

    def clear(self) -> None:
        """Nothing is open, no kernel runs, and the mouse is out of the way; where a test left more, a fresh page."""
        try:
            clean = evaluate(self.page, CLOSE)
        except Error:
            clean = False
        self.page.mouse.move(0, 0)
        self.lab.shut_kernels()
        if not clean:
            self.load()
