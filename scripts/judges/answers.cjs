// Says what is wrong with the answers of helve call to MCP, by the schemas of its SDK:
// [reply, …] on standard input, a list of faults out.
const { CallToolResultSchema, JSONRPCResponseSchema, JSONRPCResultResponseSchema } = require("@modelcontextprotocol/sdk/types.js");
const response = JSONRPCResultResponseSchema ?? JSONRPCResponseSchema;

const faults = [];
for (const reply of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
  const checks = reply.jsonrpc ? [response.safeParse(reply), CallToolResultSchema.safeParse(reply.result)] : [CallToolResultSchema.safeParse(reply)];
  for (const check of checks) if (!check.success) faults.push(`${check.error}: ${JSON.stringify(reply).slice(0, 500)}`);
}
console.log(JSON.stringify(faults));
