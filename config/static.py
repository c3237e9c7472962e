"""Static files: which are collected, and their names, which hold a hash so that browsers may keep them for ever."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(StaticFilesConfig):
    """Django's app for static files, without what nobody asks for.

    The extensions that come with htmx name files in their comments that are not there, on which collecting would stop.
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*"]


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage, which also rewrites the imports between ES modules."""

    support_js_module_import_aggregation = True
