"""What the strict transformer of OpenAI's client for Python makes of each schema of an
array on standard input."""

import json
import sys

from openai.lib._pydantic import _ensure_strict_json_schema

schemas = json.load(sys.stdin)
json.dump([_ensure_strict_json_schema(s, path=(), root=s) for s in schemas], sys.stdout)
