"""Jupyter's server sends the messages of a kernel at once."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

from tensorwidgets.live import at_once
from tests.project.running import ROOT


def served_by(connection: type) -> Any:
    return SimpleNamespace(web_app=SimpleNamespace(settings={at_once.SETTING: connection}))


def test_jupyters_own_connection_is_replaced_and_no_other() -> None:
    server = served_by(ZMQChannelsWebsocketConnection)
    at_once.send_at_once(server)
    assert server.web_app.settings[at_once.SETTING] is at_once.ConnectionAtOnce
    of_a_gateway = served_by(dict)
    at_once.send_at_once(of_a_gateway)
    assert of_a_gateway.web_app.settings[at_once.SETTING] is dict


def test_the_socket_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Any] = []
    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "connect", lambda self: said.append("connected"))
    monkeypatch.setattr(
        at_once.ConnectionAtOnce, "websocket_handler", SimpleNamespace(set_nodelay=said.append), raising=False
    )
    at_once.ConnectionAtOnce.connect(at_once.ConnectionAtOnce.__new__(at_once.ConnectionAtOnce))
    assert said == [True, "connected"]


def test_the_package_registers_it_with_jupyter() -> None:
    config = json.loads((ROOT / "tensorwidgets" / "live" / "jupyter_server.json").read_text(encoding="utf-8"))
    assert config["ServerApp"]["jpserver_extensions"] == {at_once.__name__: True}
    assert at_once._jupyter_server_extension_points() == [{"module": at_once.__name__}]
    assert at_once._load_jupyter_server_extension is at_once.send_at_once
