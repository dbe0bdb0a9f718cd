"""docs/backend.md: each command works as written, and the page is complete."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support import FOLDER, Server

DOCUMENT = FOLDER.parents[2] / "docs" / "backend.md"


@pytest.mark.skipif(not shutil.which("mosquitto_sub"), reason="mosquitto-clients is missing")
def test_every_command_works_as_it_is_written(tmp_path: Path) -> None:
    server = Server(tmp_path / "folder", "--tls")
    blocks = re.findall(r"^```sh\n(.*?)^```$", DOCUMENT.read_text(), re.M | re.S)
    text = "set -euo pipefail\n" + "\n".join(blocks)
    text = text.replace("/tmp/offhook-backend", str(server.folder)).replace(":8400", f":{urlsplit(server.url).port}")
    text = re.sub(r"/tmp/(\w+\.json)", rf"{tmp_path}/\1", text)
    run = subprocess.run(
        ["bash", "-c", text], capture_output=True, text=True, cwd=tmp_path, timeout=60,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"})
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    assert '"caller_name": "Charles Babbage"' in run.stdout
    server.wait("device-deleted", device="dt-3")
    server.close()


def test_names_every_endpoint_command_event_and_fault() -> None:
    document, schema = DOCUMENT.read_text(), (DOCUMENT.parent / "backend.openapi.yaml").read_text()
    sources = "".join(path.read_text() for path in (FOLDER / "phonebackend").glob("*.py"))
    sources += (FOLDER / "serve.py").read_text()
    commands = [name.replace("_", "-") for name in re.findall(r"^@command\ndef (\w+)", sources, re.M)]
    events = set(re.findall(r'emit\(\s*"([\w-]+)"', sources)) | {"code-approved", "code-denied"}
    faults = re.findall(r'^    "([\w-]+)": \(\{', (FOLDER / "phonebackend" / "faults.py").read_text(), re.M)
    assert len(commands) == 14 and len(events) > 20 and len(faults) == 10
    for path in re.findall(r"^  (/\S+):$", schema, re.M):
        assert f"$backend{path.partition('{')[0]}" in document, path
    for name in [*commands, *events, *faults]:
        assert f"`{name}`" in document, name
