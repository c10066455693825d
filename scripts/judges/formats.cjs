// What providers' own code for Node says of tool definitions. Standard input has them by
// format, in the formats' own arrays. Standard output has the faults, each in words, and
// what the clients make of the strict schemas.
const { readFileSync } = require("fs");
const { isDeepStrictEqual } = require("util");
const { toStrictJsonSchema } = require("openai/lib/transform");
const { transformJSONSchema } = require("@anthropic-ai/sdk/lib/transform-json-schema");
const { ListToolsResultSchema } = require("@modelcontextprotocol/sdk/types.js");
const { GoogleGenAI } = require("@google/genai");
const Ajv2020 = require("ajv/dist/2020").default;

const given = JSON.parse(readFileSync(0, "utf8"));
const faults = [];

// Ajv's strict mode refuses keywords that it does not know, and those that do not go with
// the type. Only schemas of results and strict ones may be null or something.
function compile(where, schema, allowUnionTypes) {
  try {
    const ajv = new Ajv2020({ strict: true, strictRequired: true, allowUnionTypes, formats: { "date-time": true } });
    if (ajv.validateSchema(schema) !== true) throw new Error(ajv.errorsText());
    ajv.compile(schema);
  } catch (e) {
    faults.push(`ajv: ${where}: ${e.message}`);
  }
}

// MCP's schema drops members that it does not know.
const listed = ListToolsResultSchema.safeParse({ tools: given.mcp });
if (!listed.success) faults.push(`mcp: ${listed.error.message}`);
else if (!isDeepStrictEqual(listed.data.tools, given.mcp)) faults.push(`mcp: ${JSON.stringify(listed.data.tools)}`);

for (const t of given["json-schema"]) {
  compile(`${t.name} input`, t.input_schema, false);
  compile(`${t.name} output`, t.output_schema, true);
}
for (const t of given.openai) compile(`openai ${t.function.name}`, t.function.parameters, false);
for (const t of given["openai-responses"]) compile(`openai-responses ${t.name}`, t.parameters, false);
for (const t of given.anthropic) compile(`anthropic ${t.name}`, t.input_schema, false);
for (const t of given["openai-strict"]) compile(`openai-strict ${t.function.name}`, t.function.parameters, true);
for (const t of given.mcp) {
  compile(`mcp ${t.name} input`, t.inputSchema, false);
  if (t.outputSchema) compile(`mcp ${t.name} output`, t.outputSchema, true);
}

// What Gemini's client sends has only the members that it knows.
async function sentToGemini(tools) {
  let sent;
  globalThis.fetch = async (_, init) => {
    sent = JSON.parse(init.body);
    return new Response(JSON.stringify({ candidates: [] }), { headers: { "content-type": "application/json" } });
  };
  const client = new GoogleGenAI({ apiKey: "none" });
  await client.models.generateContent({ model: "gemini-2.5-flash", contents: "hello", config: { tools } });
  return sent.tools;
}

sentToGemini(structuredClone(given.gemini)).then(
  (sent) => {
    if (!isDeepStrictEqual(sent, given.gemini)) faults.push(`google: ${JSON.stringify(sent)}`);
  },
  (e) => faults.push(`google: ${e.message}`),
).then(() => {
  console.log(JSON.stringify({
    faults,
    "openai-strict": given["openai-strict"].map((t) => toStrictJsonSchema(t.function.parameters)),
    "openai-responses-strict": given["openai-responses-strict"].map((t) => toStrictJsonSchema(t.parameters)),
    "anthropic-strict": given["anthropic-strict"].filter((t) => t.strict).map((t) => transformJSONSchema(t.input_schema)),
    "anthropic-strict-alone": given["anthropic-strict-alone"].map((t) => transformJSONSchema(t.input_schema)),
  }));
});
