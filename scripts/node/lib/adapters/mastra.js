// helve's tools for Mastra (@mastra/core, with Zod 4): new Agent({ tools: await tools(helve), … }).

import { createTool } from "@mastra/core/tools";
import { z } from "zod";

/** The tools by name. */
export async function tools(helve, { tools: only, calls = helve } = {}) {
  const definitions = await helve.definitions("openai", { tools: only });
  return Object.fromEntries(
    definitions.map(({ function: { name, description, parameters } }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: z.fromJSONSchema(parameters),
        // Older versions pass the arguments as the context.
        execute: async (input, options) => (await calls.run(name, input?.context ?? input, { signal: options?.abortSignal })).text,
      }),
    ]),
  );
}
