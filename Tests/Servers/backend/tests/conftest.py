"""A server that most tests share. Each test begins with the data of a new folder."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import Server


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("shared"), "--tls")
    yield server
    server.close()
    faults = [event for event in server.events if event["event"] == "fault"]
    assert not faults


@pytest.fixture
def server(shared: Server) -> Server:
    shared.admin("reset")
    return shared


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Starts schemathesis first and reads its results last: it runs in parallel with the other tests."""
    order = {"test_runs_begin": 0, "test_server_keeps_to_the_schema": 2}
    items.sort(key=lambda item: order.get(item.name.partition("[")[0], 1))
