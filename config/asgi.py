"""The site for ASGI servers: the live socket, and HTTP as well; in the embedded mode also its background work."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
http = get_asgi_application()

# After Django is set up: these import models.
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import path  # noqa: E402

from config.embedded import Lifespan  # noqa: E402
from games.consumers import LiveConsumer  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AllowedHostsOriginValidator(
            AuthMiddlewareStack(URLRouter([path("ws/", LiveConsumer.as_asgi())])),
        ),
        "lifespan": Lifespan(background=settings.EMBEDDED),
    }
)
