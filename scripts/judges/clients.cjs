// Uses helve as a server of MCP over standard input and output, by a generation of the
// official client for Node: {generation, era, command, dir, env, steps} on standard input,
// results of the client out. A step is {list: true}, or {call, arguments}, with until,
// a file at whose appearance the call is cancelled, and with answer, what a person who is
// asked says.
const { existsSync, readFileSync } = require("fs");
const { setTimeout: pause } = require("timers/promises");
const { generation, era, command, dir, env, steps } = JSON.parse(readFileSync(0, "utf8"));

const old = generation === "v1";
const { Client } = require(old ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
const { StdioClientTransport } = require(old ? "@modelcontextprotocol/sdk/client/stdio.js" : "@modelcontextprotocol/client/stdio");
const elicitation = old ? require("@modelcontextprotocol/sdk/types.js").ElicitRequestSchema : "elicitation/create";

// filled returns the answers of a person who takes the first of all choices.
function filled(schema) {
  const content = {};
  for (const [name, p] of Object.entries(schema.properties ?? {})) {
    content[name] = p.default ?? p.enum?.[0] ?? p.oneOf?.[0].const ?? (p.type === "boolean" ? true : "");
  }
  return content;
}

async function main() {
  const options = { capabilities: { elicitation: {} } };
  if (!old) options.versionNegotiation = { mode: era === "legacy" ? "legacy" : { pin: era } };
  const client = new Client({ name: "judge", version: "1.0.0" }, options);
  let answer, asked;
  client.setRequestHandler(elicitation, async ({ params }) => {
    asked.push(params);
    if (answer === "decline") await new Promise((done) => setTimeout(done, 1000)); // a person takes their time
    return answer === "accept" ? { action: answer, content: filled(params.requestedSchema) } : { action: answer };
  });
  const transport = new StdioClientTransport({ command: command[0], args: command.slice(1), cwd: dir, env, stderr: "inherit" });
  let revision;
  if (old) transport.setProtocolVersion = (v) => (revision = v);
  await client.connect(transport);
  const told = [];
  for (const step of steps) {
    if (step.list) {
      const { tools } = await client.listTools();
      told.push({ tools });
      continue;
    }
    asked = [];
    answer = step.answer;
    const stop = new AbortController();
    const request = { name: step.call, arguments: step.arguments };
    const call = old ? client.callTool(request, undefined, { signal: stop.signal }) : client.callTool(request, { signal: stop.signal });
    if (step.until) {
      const ended = call.then(() => true, () => true);
      while (!existsSync(step.until) && !(await Promise.race([ended, pause(20, false)])));
      stop.abort("no longer wanted");
    }
    told.push(await call.then((result) => ({ result, asked }), (e) => ({ error: String(e.message ?? e), asked })));
  }
  if (!old) revision = client.getNegotiatedProtocolVersion();
  await client.close();
  console.log(JSON.stringify({ revision, told }));
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
