"""Django's settings. The caller of `configure` supplies the folder."""
from __future__ import annotations

from typing import Any

from .options import LOOPBACK, Options

APP = "phonebackend"


def values(options: Options) -> dict[str, Any]:
    return {
        "SECRET_KEY": "a test server has no secret",
        "DEBUG": False,
        "ALLOWED_HOSTS": [*LOOPBACK, "[::1]", options.name, options.host, *options.names],
        "ROOT_URLCONF": f"{APP}.urls",
        "INSTALLED_APPS": [
            "django.contrib.auth", "django.contrib.contenttypes", "rest_framework", "drf_spectacular", APP],
        "MIDDLEWARE": [
            f"{APP}.middleware.ReportRequests", f"{APP}.middleware.InjectFaults",
            "django.middleware.http.ConditionalGetMiddleware", "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware"],
        # `syncdb` creates the tables: a test server has no older database to migrate.
        "MIGRATION_MODULES": {app: None for app in ("auth", "contenttypes", APP)},
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "DATABASES": {"default": {
            "ENGINE": "django.db.backends.sqlite3", "NAME": options.path("backend.sqlite3"),
            # Requests run one after another, so that none overwrites another's change.
            "ATOMIC_REQUESTS": True,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE", "timeout": 10,
                "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF"}}},
        "TEMPLATES": [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
        # The seeded passwords are public, so a slow hash would only delay each start.
        "PASSWORD_HASHERS": [f"{APP}.models.QuickHasher"],
        "USE_TZ": True,
        "APPEND_SLASH": False,
        "DATA_UPLOAD_MAX_MEMORY_SIZE": 65_536,
        "LOGGING_CONFIG": None,
        "AUTHLIB_OAUTH2_PROVIDER": {"refresh_token_generator": True},
        "REST_FRAMEWORK": {
            "DEFAULT_AUTHENTICATION_CLASSES": [f"{APP}.authentication.BearerAuthentication"],
            "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
            "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
            "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
            "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
            "EXCEPTION_HANDLER": f"{APP}.errors.answer",
            "UNAUTHENTICATED_USER": None,
        },
        "SPECTACULAR_SETTINGS": {
            "TITLE": "Backend of the phone",
            "DESCRIPTION": "Sign-in, organisations, credentials and push registration. docs/backend.md explains it.",
            "VERSION": "1",
            "OAS_VERSION": "3.1.0",
            "SERVE_INCLUDE_SCHEMA": False,
            "COMPONENT_SPLIT_REQUEST": True,
            "ENUM_NAME_OVERRIDES": {},
        },
        "BACKEND": options,
    }


def configure(options: Options) -> None:
    import logging

    import django
    from django.conf import settings

    # Rejected requests are events, not warnings. Errors of the server go to standard error with a traceback.
    logging.getLogger("django").setLevel(logging.ERROR)
    settings.configure(**values(options))
    django.setup(set_prefix=False)
