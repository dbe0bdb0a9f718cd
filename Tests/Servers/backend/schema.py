"""schema.py: prints docs/backend.openapi.yaml, which drf-spectacular generates from the server's code."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from phonebackend import options, settings  # noqa: E402


def text() -> str:
    with tempfile.TemporaryDirectory() as folder:
        settings.configure(options.read(["--folder", folder]))
        from drf_spectacular.generators import SchemaGenerator
        from drf_spectacular.renderers import OpenApiYamlRenderer

        from phonebackend import urls

        schema = SchemaGenerator(patterns=urls.documented).get_schema(request=None, public=True)
        return OpenApiYamlRenderer().render(schema, renderer_context={}).decode()


if __name__ == "__main__":
    sys.stdout.write("# Written by Scripts/backend-test --write. docs/backend.md explains it.\n" + text())
