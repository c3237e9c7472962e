"""`/healthz`: for monitors and load balancers. Anybody may ask; it tells numbers and nothing about anybody."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.health import problems


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 {"ok": true, "problems": {}}, or 503 with the number of rows by code of `games.health.problems`."""
    found = dict(problems())
    return JsonResponse({"ok": not found, "problems": found}, status=503 if found else 200)
