"""Static files under names that hold a hash of their content, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage, which also rewrites the imports between ES modules."""

    support_js_module_import_aggregation = True
