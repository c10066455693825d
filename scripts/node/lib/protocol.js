// What is said between this package and the process of helve: command lines, lines of JSON, and what the answers mean.
// It starts no process.

import { HelveError, SessionLost, fromEnvelope } from "./errors.js";

/** The words of "helve schema". */
export function schema(provider, { strict = false, tools } = {}) {
  const words = ["schema", "-o", "json", "--format", provider];
  if (strict) {
    words.push("--strict");
  }
  if (tools !== undefined) {
    words.push("--tools", tools.join(","));
  }
  return words;
}

/** The dialect of oneCall. */
export const plain = { dialect: "canonical" };

/** The words of "helve call". */
export function calling(content, { dialect = "auto", images = false } = {}) {
  const words = ["call", "-o", "json", "--content", content, "--dialect", dialect];
  if (images) {
    words.push("--images");
  }
  return words;
}

/** The global flags. Nobody is asked on the terminal of the program. */
export function flags({ root, session, config, lang, as, readonly }) {
  const all = ["--no-input"];
  for (const [flag, value] of Object.entries({ root, session, config, lang, as })) {
    if (value !== undefined) {
      all.push(`--${flag}`, String(value));
    }
  }
  if (readonly) {
    all.push("--readonly");
  }
  return all;
}

/** One call, as a line: the answer is { ok, content, error? }. Arguments may be the JSON that a model wrote. */
export function oneCall(tool, args) {
  return JSON.stringify({ id: "call", name: tool, arguments: args ?? {} });
}

/** What a provider returned, as a line. */
export function line(message) {
  return JSON.stringify(typeof message === "string" ? JSON.parse(message) : message);
}

/** The document that helve printed. */
export function parse(text, status) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HelveError(`helve ended with ${status} and no answer`, { details: { status, output: text }, cause });
  }
}

/** The definitions that "helve schema" printed, or the messages of "helve call". */
export function list(answer) {
  if (Array.isArray(answer)) {
    return answer;
  }
  if (answer?.ok === false) {
    throw fromEnvelope(answer);
  }
  if (answer !== null && typeof answer === "object" && !("ok" in answer)) {
    return [answer]; // a protocol's answer to one request
  }
  throw new HelveError("helve printed what this package does not know", { details: { answer } });
}

/** The names of those of the definitions for MCP that only read. */
export function reading(definitions) {
  return definitions.filter((d) => d.annotations?.readOnlyHint).map((d) => d.name);
}

/** What became of one call: see index.d.ts. */
export function outcome(answer) {
  if (typeof answer?.content !== "string") {
    list(answer); // it reports the error
  }
  return { ok: answer.ok, text: answer.content };
}

/** The data of one call, with its warnings. */
export function data(answer) {
  const envelope = JSON.parse(outcome(answer).text);
  if (!envelope.ok) {
    throw fromEnvelope(envelope);
  }
  const data = envelope.data ?? null; // of a custom tool it may be anything
  const object = typeof data === "object" && data !== null && !Array.isArray(data) ? data : { value: data };
  return Object.defineProperty(object, "warnings", { value: envelope.warnings ?? [] });
}

/** The error of a call during which helve ended. */
export function lost() {
  return new SessionLost("helve ended while it ran the call; what the call did is unknown", {
    code: "unavailable",
    hint: "look at what is there before making the call again",
  });
}
