"""Uses helve as a server of MCP over standard input and output, by the official client for
Python: {era, command, dir, env, steps} on standard input, what the client was told out.
The steps are those of clients.cjs."""

import json
import os
import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import ElicitResult

given = json.load(sys.stdin)
state = {"answer": "cancel", "asked": []}


def filled(schema):
    """What a person enters who takes the first of all choices."""
    content = {}
    for name, p in schema.get("properties", {}).items():
        choices = p.get("enum") or [c["const"] for c in p.get("oneOf", [])] or [True if p.get("type") == "boolean" else ""]
        content[name] = p.get("default", choices[0])
    return content


async def elicit(_context, params):
    state["asked"].append(json.loads(params.model_dump_json(by_alias=True, exclude_none=True)))
    if state["answer"] == "decline":
        await anyio.sleep(1)  # a person takes their time
    if state["answer"] != "accept":
        return ElicitResult(action=state["answer"])
    return ElicitResult(action="accept", content=filled(params.requested_schema))


def plain(model):
    return json.loads(model.model_dump_json(by_alias=True, exclude_none=True))


async def called(client, step):
    """Makes a call, and cancels it when its file appears."""
    state.update(answer=step.get("answer", "cancel"), asked=[])
    told = {"error": "cancelled"}
    async with anyio.create_task_group() as group:

        async def call():
            try:
                told.update(result=plain(await client.call_tool(step["call"], step["arguments"])))
                del told["error"]
            except MCPError as e:
                told["error"] = str(e)
            group.cancel_scope.cancel()

        group.start_soon(call)
        while step.get("until") and not os.path.exists(step["until"]):
            await anyio.sleep(0.02)
        if step.get("until"):
            group.cancel_scope.cancel()
    return {**told, "asked": state["asked"]}


async def main():
    command = StdioServerParameters(command=given["command"][0], args=given["command"][1:], cwd=given["dir"], env=given["env"])
    told = []
    async with Client(command, mode=given["era"], elicitation_callback=elicit) as client:
        for step in given["steps"]:
            told.append(plain(await client.list_tools()) if step.get("list") else await called(client, step))
        revision = client.protocol_version
    json.dump({"revision": revision, "told": told}, sys.stdout)


anyio.run(main)
