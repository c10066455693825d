// helve's tools for Vercel's AI SDK (the package "ai"): generateText({ model, tools: await tools(helve), … }).

import { jsonSchema, tool } from "ai";

/** The tools by name. */
export async function tools(helve, { tools: only, calls = helve } = {}) {
  const definitions = await helve.definitions("openai", { tools: only });
  return Object.fromEntries(
    definitions.map(({ function: { name, description, parameters } }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: async (args, { abortSignal } = {}) => (await calls.run(name, args, { signal: abortSignal })).text,
      }),
    ]),
  );
}
