"""All addresses of the site. Pages and the API keep theirs in `games/web/urls.py`, `games/api/urls.py`, `accounts/urls.py`."""

from django.conf import settings
from django.urls import include, path, re_path
from django.views.static import serve

urlpatterns = [
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", include("games.api.urls")),
    path("", include("games.web.urls")),
]
if not settings.PRODUCTION:
    # In production the reverse proxy serves uploads and there are real mails.
    urlpatterns += [
        re_path(r"^media/(?P<path>.*)$", serve, {"document_root": settings.MEDIA_ROOT}),
        path("dev/", include("config.dev_urls")),
    ]
