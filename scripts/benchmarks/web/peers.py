"""Runs trafilatura for the benchmark of the web.

It reads one JSON document {html,url} a line and writes
{content,markdown,published,author,milliseconds} or {error}.
"""

import json
import sys
import time

import trafilatura
from trafilatura.settings import use_config


def extract(page, url, config):
    began = time.perf_counter()
    kept = {"url": url, "include_links": True, "include_formatting": True, "config": config}
    markdown = trafilatura.extract(page, output_format="markdown", **kept) or ""
    data = trafilatura.extract_metadata(page, default_url=url)
    took = (time.perf_counter() - began) * 1000
    content = trafilatura.extract(page, output_format="html", **kept) or ""  # the same, for the score of the text
    title, published, author = (data and getattr(data, key) or "" for key in ("title", "date", "author"))
    return {"content": content, "markdown": f"# {title}\n\n{markdown}", "published": published, "author": author.replace("; ", ", "), "milliseconds": took}


def main():
    config = use_config()
    config.set("DEFAULT", "EXTRACTION_TIMEOUT", "0")
    for line in sys.stdin:
        try:
            question = json.loads(line)
            answer = extract(question["html"], question["url"], config)
        except Exception as error:  # any failure is one of the page
            answer = {"error": repr(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


main()
