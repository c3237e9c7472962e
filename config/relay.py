"""One address for the two servers of the stack on a computer without a reverse proxy: `manage.py stack`.

    python -m config.relay PORT HTTP LIVE

listens on the loopback address at PORT. A connection that begins by asking for /ws/ goes to the server at LIVE, every
other to the one at HTTP, and from then on bytes are passed on as they come: browsers open a connection of its own for
a socket. Not for a site that people reach from elsewhere: no TLS, no limits, nothing is added to what is passed on.
"""

import asyncio
import contextlib
import sys

HOST = "127.0.0.1"
CHUNK = 64 * 1024


async def serve(port: int, http: int, live: int) -> None:
    """Relay for ever."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            first = await reader.readuntil(b"\r\n")
            target = live if first.split(b" ")[1:2] == [b"/ws/"] else http
            far_reader, far_writer = await asyncio.open_connection(HOST, target)
            far_writer.write(first)
            await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))
        writer.close()

    server = await asyncio.start_server(connected, HOST, port)
    async with server:
        await server.serve_forever()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Everything until the reader's side ends, which then ends the writer's."""
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(*map(int, sys.argv[1:4])))
