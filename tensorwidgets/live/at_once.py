"""A Jupyter server sends each message of a kernel at once.

Otherwise the system holds a small message back until the browser has confirmed the one before, up to 40 ms: a cell that
takes 1 ms takes 50, and a picture that is dragged follows 18 times a second in place of 60. The package registers this
file with Jupyter as a server extension; it leaves a connection of another class, such as that of a gateway, as it is.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

SETTING = "kernel_websocket_connection_class"


class ConnectionAtOnce(ZMQChannelsWebsocketConnection):
    """Jupyter's connection between a browser and a kernel, without the wait."""

    def connect(self) -> Any:
        self.websocket_handler.set_nodelay(True)
        return super().connect()


def send_at_once(server: Any) -> None:
    """Use this connection in a server, in place of Jupyter's own."""
    settings = server.web_app.settings
    if settings.get(SETTING) is ZMQChannelsWebsocketConnection:
        settings[SETTING] = ConnectionAtOnce


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


_load_jupyter_server_extension = send_at_once
