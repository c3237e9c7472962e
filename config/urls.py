"""All addresses of the site. Pages, API and accounts keep theirs in a `urls.py` of their own."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.static import serve

from accounts.notifications.views import manifest, service_worker
from games.web.health import healthz

urlpatterns: list[URLPattern | URLResolver] = [
    path("sw.js", service_worker, name="service_worker"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("accounts/", include("accounts.urls")),
    path("healthz", healthz, name="healthz"),
    path("api/v1/", include("games.api.urls")),
    path("", include("games.web.urls")),
]
if not settings.PRODUCTION:
    # In production the reverse proxy serves uploads and there are real mails.
    urlpatterns += [
        re_path(r"^media/(?P<path>.{1,200})$", serve, {"document_root": settings.MEDIA_ROOT}),
        path("dev/", include("config.dev_urls")),
    ]
