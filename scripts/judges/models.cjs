// Talks to a server that plays a model, by the clients of the providers: {url, key} on standard
// input, what each client understood out.
const OpenAI = require("openai");
const Anthropic = require("@anthropic-ai/sdk");
const { url, key } = JSON.parse(require("fs").readFileSync(0, "utf8"));

const schema = { type: "object", properties: {}, required: [] };
const failure = async (request) => {
  try {
    await request();
    return "none";
  } catch (e) {
    return `${e.constructor.name} ${e.status}: ${e.error?.error?.message ?? e.error?.message ?? e.message}`;
  }
};

async function openai() {
  const client = new OpenAI({ baseURL: url + "/v1", apiKey: key });
  const tools = [{ type: "function", function: { name: "read", parameters: schema } }];
  const messages = [{ role: "system", content: "be brief" }, { role: "user", content: "hi" }];
  const ask = () => client.chat.completions.create({ model: "m", messages, tools });
  const first = await ask();
  messages.push(first.choices[0].message);
  const unanswered = await failure(ask);
  for (const call of first.choices[0].message.tool_calls) messages.push({ role: "tool", tool_call_id: call.id, content: "result" });
  const second = await ask();
  const other = new OpenAI({ baseURL: url + "/v1", apiKey: "wrong" });
  return {
    calls: first.choices[0].message.tool_calls.map((c) => [c.function.name, c.function.arguments]),
    stops: [first.choices[0].finish_reason, second.choices[0].finish_reason],
    text: second.choices[0].message.content,
    usage: [second.usage.prompt_tokens, second.usage.completion_tokens],
    unanswered,
    model: await failure(() => client.chat.completions.create({ model: "none", messages })),
    key: await failure(() => other.chat.completions.create({ model: "m", messages })),
  };
}

async function anthropic() {
  const client = new Anthropic({ baseURL: url, apiKey: key });
  const tools = [{ name: "read", input_schema: schema }];
  const messages = [{ role: "user", content: "hi" }];
  const ask = () => client.messages.create({ model: "m", max_tokens: 100, system: "be brief", messages, tools });
  const first = await ask();
  messages.push({ role: first.role, content: first.content });
  const unanswered = await failure(ask);
  const calls = first.content.filter((b) => b.type === "tool_use");
  messages.push({ role: "user", content: calls.map((c) => ({ type: "tool_result", tool_use_id: c.id, content: "result" })) });
  const second = await ask();
  const other = new Anthropic({ baseURL: url, apiKey: "wrong" });
  return {
    calls: calls.map((c) => [c.name, JSON.stringify(c.input)]),
    stops: [first.stop_reason, second.stop_reason],
    text: second.content.map((b) => b.text).join(""),
    usage: [second.usage.input_tokens, second.usage.output_tokens],
    unanswered,
    model: await failure(() => client.messages.create({ model: "none", max_tokens: 100, messages, tools })),
    key: await failure(() => other.messages.create({ model: "m", max_tokens: 100, messages })),
  };
}

(async () => console.log(JSON.stringify({ chat: await openai(), anthropic: await anthropic() })))();
