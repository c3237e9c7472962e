"""Settings of the whole site. The defaults are the embedded mode: one process, no service, nothing to set.

Two variables switch to the production stack: DATABASE_URL (PostgreSQL) and REDIS_URL. docs/operations.md lists all.
"""

from pathlib import Path

import environ
from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.secret import local_secret_key

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent

DATA_DIR = Path(env("BRANCHLINE_DATA_DIR", default=str(BASE_DIR / "data"))).resolve()
REDIS_URL = env("REDIS_URL", default="")
EMBEDDED = not REDIS_URL
"""One process holds web, worker, beat and channel layer. It decides nothing else."""

# Production is what says so: a host name to answer to. Everything that has to be safe hangs on this.
ALLOWED_HOSTS = [host.strip() for host in env.list("BRANCHLINE_HOSTS", default=[])]
PRODUCTION = bool(ALLOWED_HOSTS)
DEBUG = env.bool("BRANCHLINE_DEBUG", default=False)
if PRODUCTION:
    SECRET_KEY = env("SECRET_KEY")
else:
    SECRET_KEY = env("SECRET_KEY", default="") or local_secret_key(DATA_DIR)
    ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", "testserver"]

SITE_URL = env("BRANCHLINE_URL", default=f"https://{ALLOWED_HOSTS[0]}" if PRODUCTION else "http://127.0.0.1:8000")
"""The address that mails link to."""
SOURCE_URL = env("BRANCHLINE_SOURCE_URL", default="")
"""Where the source of this very site can be had: who changes it and runs it for others owes them that (AGPL)."""

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.static.StaticFiles",
    "django.contrib.humanize",
    "django.forms",
    "channels",
    "allauth",
    "allauth.account",
    "csp",
    "django_filters",
    "django_htmx",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "accounts",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.preferences",
    "accounts.middleware.last_seen",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "frontend" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "games.web.context.header",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# -- data -------------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'branchline.sqlite3'}")}
_db = DATABASES["default"]
POSTGRES = _db["ENGINE"] == "django.db.backends.postgresql"
if POSTGRES:
    # A connection is looked at before it is used, so that a restart of the server costs nobody a turn.
    _db["CONN_HEALTH_CHECKS"] = True
    # A pool a process instead of CONN_MAX_AGE: under ASGI that would open a connection a thread.
    # Statements that come again are prepared by the server: a turn then costs it about a third less.
    _db["OPTIONS"] = {
        **_db.get("OPTIONS", {}),
        "pool": {"min_size": 1, "max_size": env.int("DATABASE_POOL", 8)},
        "server_side_binding": True,
        "prepare_threshold": 2,
    }
else:
    # IMMEDIATE takes the write lock when a transaction begins, which makes a turn on SQLite as serial as a row lock.
    _db["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

if REDIS_URL:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
    # The pub/sub layer keeps idle sockets open under redis-py 8 and delivers to many groups without a pool of its own.
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {"default": {"BACKEND": "config.embedded.ThreadSafeChannelLayer"}}

# -- background work --------------------------------------------------------------------------------------------------

# The rows in the database are the truth and a message is only a nudge: nothing is lost with one (docs/architecture.md).
CELERY_BROKER_URL = REDIS_URL or "memory://localhost"
if REDIS_URL:
    CELERY_BROKER_TRANSPORT = "config.broker:Transport"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for a broker that is away, however long that takes
CELERY_TASK_IGNORE_RESULT = True
# A message is confirmed when it is taken up, not when its work is done: what a killed worker had in hand the sweep
# finds, and a worker that had to confirm to a broker that has just gone away would break down.
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A message waits where the next idle process takes it, not behind a slow task.
CELERY_WORKER_DISABLE_PREFETCH = bool(REDIS_URL)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "house"
QUEUES = ("house", "clocks", "timeouts", "notices", "opponents", "ratings")
"""A slow opponent or mail server delays neither a deal nor a reminder: the queues can have workers of their own."""
CELERY_TASK_ROUTES = {
    "games.tasks.house.move_opponent": {"queue": "opponents"},
    "games.tasks.house.*": {"queue": "house"},
    "games.tasks.clocks.play_for": {"queue": "timeouts"},
    "games.tasks.clocks.*": {"queue": "clocks"},
    "games.tasks.notices.*": {"queue": "notices"},
    "games.tasks.ratings.*": {"queue": "ratings"},
}
CELERY_BROKER_TRANSPORT_OPTIONS = {} if REDIS_URL else {"polling_interval": 0.05}
SWEEP_SECONDS = env.float("BRANCHLINE_SWEEP_SECONDS", default=5)
"""How long a match may wait for the house at most when every message about it was lost."""
SWEEPS = ("house", "clocks", "notices", "ratings")
CELERY_BEAT_SCHEDULE = {
    f"sweep-{name}": {
        "task": f"games.tasks.{name}.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    }
    for name in SWEEPS
}
OVERDUE_SECONDS = env.float("BRANCHLINE_OVERDUE_SECONDS", default=60)
"""A deadline, a move of the house or of an opponent that waits longer is told by `manage.py canary` and /healthz."""
DELIVERIES_OVERDUE_SECONDS = env.float("BRANCHLINE_DELIVERIES_OVERDUE_SECONDS", default=600)
"""The same for notices, what is sent of them, and ratings."""
OPPONENT_PAUSE_SECONDS = env.float("BRANCHLINE_OPPONENT_PAUSE", default=1.0)
"""How long a computer opponent lets people see the board before it moves."""

# -- people -----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "departures"
LOGOUT_REDIRECT_URL = "front"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
# accounts/adapter.py says how these three let people play at once and still tell nobody who has an account.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_USER_MODEL_EMAIL_FIELD = None
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = {"password"}
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
# On top of allauth's own limits of log-in, reset and the rest; counted in the cache by address or account.
ACCOUNT_RATE_LIMITS = {
    "signup": "20/m/ip,100/h/ip",
    "guest": "20/m/ip,100/h/ip",
    "new_match": "60/m/user,300/d/user",
    "invite": "30/h/user,100/d/user,100/h/ip",  # each time, not each person: a match takes few
    "outward_call": "10/m/ip,10/m/user",  # a slow other side holds up the process that serves the page
}
PROXIES = env.int("BRANCHLINE_PROXIES", default=1 if PRODUCTION else 0)
"""How many reverse proxies of ours a request passes: that many entries of X-Forwarded-For are believed."""
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
ACCOUNT_PRESERVE_USERNAME_CASING = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.username_validators"

SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
SESSION_ENGINE = "config.sessions"

# -- mail -------------------------------------------------------------------------------------------------------------

if env("EMAIL_URL", default=""):
    vars().update(env.email("EMAIL_URL"))
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"
DEFAULT_FROM_EMAIL = env("BRANCHLINE_MAIL_FROM", default="Branchline <branchline@localhost>")
EMAIL_TIMEOUT = 10
"""Seconds for each word of the mail server. All of a mail's words together must fit into DELIVERY_LEASE_SECONDS."""
UNSUBSCRIBE_ADDRESS = env("BRANCHLINE_UNSUBSCRIBE_ADDRESS", default="")
"""Where who wants no more mails may also write to, for mail programs that can do no better; somebody must read it."""
DELIVERY_LEASE_SECONDS = env.float("BRANCHLINE_DELIVERY_LEASE", default=120)
"""How long a worker may take to send one mail, push or call before another one sends it again."""

# -- push and webhooks ------------------------------------------------------------------------------------------------

VAPID_PRIVATE_KEY = env("BRANCHLINE_VAPID_PRIVATE_KEY", default="")
"""By which push services know this site. Empty: it follows from SECRET_KEY (accounts/notifications/vapid.py)."""
WEBHOOKS_TO_LOOPBACK = env.bool("BRANCHLINE_WEBHOOKS_TO_LOOPBACK", default=False)
"""Whether webhooks and push endpoints may lie on this computer, and there be plain http: for tests and trying out."""

# -- words ------------------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "frontend" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# -- files ------------------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(env("BRANCHLINE_STATIC_DIR", default=str(DATA_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "frontend" / "static"]
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Hashed names only where files are collected first; the embedded mode serves them from where they lie.
    "staticfiles": {
        "BACKEND": "config.static.HashedStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = DEBUG

# -- REST -------------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["games.api.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["games.api.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "games.api.problems.handle",
    "DEFAULT_THROTTLE_RATES": {"token": "10/min", "webhooks": "10/min"},
    "NUM_PROXIES": PROXIES,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Branchline",
    "DESCRIPTION": "Railway board games, played over days. See docs/api.md for a first turn with curl.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {"LevelEnum": "games.rules.contract.LEVELS"},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
}

# -- protection -------------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SAMESITE = "Lax"
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
if PRODUCTION:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = env.bool("BRANCHLINE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # asked from inside, past the reverse proxy
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env("BRANCHLINE_LOG_LEVEL", default="WARNING")},
}
