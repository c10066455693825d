// helve's tools for LangChain.js and LangGraph.js (@langchain/core): model.bindTools(await tools(helve)).

import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";

/** The tools. */
export async function tools(helve, { tools: only, calls = helve } = {}) {
  const definitions = await helve.definitions("openai", { tools: only });
  return definitions.map(({ function: { name, description, parameters } }) => {
    const run = async (args, config) => {
      const { ok, text } = await calls.run(name, args, { signal: config?.signal });
      const id = config?.toolCall?.id;
      return ok || id === undefined ? text : new ToolMessage({ content: text, status: "error", name, tool_call_id: id });
    };
    return tool(run, { name, description, schema: parameters });
  });
}
