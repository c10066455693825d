import type { FunctionTool } from "@openai/agents";

import type { AdapterOptions } from "./options.js";
import type { Helve } from "../index.js";

/** The tools. A call that fails is answered with the error, as a model reads it. */
export function tools(helve: Helve, options?: AdapterOptions & { strict?: boolean }): Promise<FunctionTool<any, any, any>[]>;
