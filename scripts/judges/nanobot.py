"""Makes calls with nanobot's own tools: reads {"root", "calls": [[tool, arguments]]}, prints the answers."""

import asyncio
import json
import os
import sys
import types
from pathlib import Path

# Its agent as a whole needs clients of many providers; its tools do not.
peers = Path(os.environ["HELVE_PEERS"])
sys.path.insert(0, str(peers))
agent = types.ModuleType("nanobot.agent")
agent.__path__ = [str(peers / "nanobot" / "agent")]
sys.modules["nanobot.agent"] = agent
tools = types.ModuleType("nanobot.agent.tools")
tools.__path__ = [str(peers / "nanobot" / "agent" / "tools")]
sys.modules["nanobot.agent.tools"] = tools

from nanobot.agent.tools import filesystem, registry, shell  # noqa: E402


async def main():
    task = json.load(sys.stdin)
    root = Path(task["root"])
    os.chdir(root)
    known = registry.ToolRegistry()
    for kind in (filesystem.ReadFileTool, filesystem.WriteFileTool, filesystem.EditFileTool, filesystem.ListDirTool):
        known.register(kind(allowed_dir=root))
    known.register(shell.ExecTool(working_dir=str(root), restrict_to_workspace=True))
    print(json.dumps([await known.execute(tool, arguments) for tool, arguments in task["calls"]]))


asyncio.run(main())
