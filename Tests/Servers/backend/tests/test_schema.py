"""docs/backend.openapi.yaml is current, and the server conforms to it."""
from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from support import FOLDER, Server

SCHEMA = FOLDER.parents[2] / "docs" / "backend.openapi.yaml"
PROGRAM = Path(sys.executable).with_name("schemathesis")


class Run:
    """A run of schemathesis: hundreds of valid and invalid requests. It skips the endpoint that ends its token."""

    def __init__(self, folder: Path, whose: str) -> None:
        self.server = Server(folder, "--quiet")
        if whose == "phone":
            bearer = self.server.phone().headers["Authorization"]
            paths = ["--exclude-path", "/api/device-tokens", "--exclude-method", "DELETE"]
        else:
            bearer = f"Bearer {self.server.sign_in()['access_token']}"
            paths = ["--include-path", "/api/device-tokens"]
        self.output: IO[str] = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [PROGRAM, "--config-file", FOLDER / "tests" / "schemathesis.toml", "run", SCHEMA, "--url", self.server.url,
             "--header", f"Authorization: {bearer}", "--phases", "examples,coverage,fuzzing", "--max-examples", "10",
             "--seed", "1", "--generation-database", "none", "--continue-on-failure", "--no-color", *paths],
            stdout=self.output, stderr=subprocess.STDOUT, cwd=folder)

    def end(self) -> str:
        try:
            self.process.wait(60)
        finally:
            self.process.kill()
            self.server.close()
        self.output.seek(0)
        return self.output.read()


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Run]]:
    """Two runs, in parallel with the other tests."""
    yield {whose: Run(tmp_path_factory.mktemp(whose), whose) for whose in ("phone", "person")}


def test_file_is_that_of_the_code() -> None:
    written = subprocess.run([sys.executable, "-B", FOLDER / "schema.py"], capture_output=True, text=True, check=True)
    assert SCHEMA.read_text() == written.stdout, "old: run Scripts/backend-test --write"
    assert not written.stderr


def test_runs_begin(runs: dict[str, Run]) -> None:
    assert all(run.process.poll() is None for run in runs.values())


@pytest.mark.parametrize("whose", ["phone", "person"])
def test_server_keeps_to_the_schema(runs: dict[str, Run], whose: str) -> None:
    output = runs[whose].end()
    assert runs[whose].process.returncode == 0, output[-5000:]
    assert "Tested: " in output
    assert not [event for event in runs[whose].server.events if event["event"] == "fault"]
