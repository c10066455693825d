// helve's tools for OpenAI's Agents SDK (@openai/agents): new Agent({ tools: await tools(helve), … }).

import { tool } from "@openai/agents";

/** The tools. */
export async function tools(helve, { tools: only, calls = helve, strict = false } = {}) {
  const definitions = await helve.definitions("openai", { tools: only, strict });
  return definitions.map(({ function: { name, description, parameters } }) =>
    tool({
      name,
      description,
      parameters,
      strict,
      execute: async (args, _context, details) => (await calls.run(name, args, { signal: details?.signal })).text,
    }),
  );
}
