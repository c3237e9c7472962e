"""The REST API under /api/v1/. Thin: who are you, is the JSON well formed, what do we show; the table does the rest."""
