// The calls. index.d.ts describes what is public.

import { find } from "./binary.js";
import { Conversation, once } from "./process.js";
import * as protocol from "./protocol.js";

/** What Helve and Session have in common: calls and answers. */
class Calls {
  async call(tool, args, options) {
    return protocol.data(await this.ask(protocol.oneCall(tool, args), protocol.calling("json", protocol.plain), options));
  }

  async run(tool, args, options) {
    return protocol.outcome(await this.ask(protocol.oneCall(tool, args), protocol.calling("text", protocol.plain), options));
  }

  async answer(message, options = {}) {
    return protocol.list(await this.ask(protocol.line(message), protocol.calling("text", options), options));
  }
}

export class Helve extends Calls {
  #settings;

  constructor({ binary, env, timeout, onApproval, ...options } = {}) {
    super();
    this.#settings = { binary: find(binary), env, timeout, onApproval, flags: protocol.flags(options) };
  }

  async definitions(provider = "openai", options = {}) {
    const words = protocol.schema(provider, options);
    return protocol.list(await once({ ...this.#settings, onApproval: undefined }, words, "", options));
  }

  session() {
    return new Session(this.#settings);
  }

  /** Have "helve call", with these words, answer one line. */
  ask(line, words, options = {}) {
    return once(this.#settings, words, line, options);
  }
}

export class Session extends Calls {
  #settings;
  #conversations = new Map(); // by their words
  #last = Promise.resolve(); // when the calls so far are answered
  #closed = false;

  constructor(settings) {
    super();
    this.#settings = settings;
  }

  ask(line, words, options = {}) {
    if (this.#closed) {
      return Promise.reject(new Error("the session is closed"));
    }
    const answer = this.#last.then(() => this.#next(line, words, options));
    this.#last = answer.catch(() => {}); // it is the caller's
    return answer;
  }

  async #next(line, words, options) {
    options.signal?.throwIfAborted();
    const key = words.join("\0");
    let conversation = this.#conversations.get(key);
    if (conversation === undefined || conversation.ended) {
      conversation = new Conversation(this.#settings, words);
      this.#conversations.set(key, conversation);
    }
    return conversation.ask(line, options);
  }

  async close() {
    this.#closed = true;
    await this.#last;
    await Promise.all([...this.#conversations.values()].map((conversation) => conversation.close()));
    this.#conversations.clear();
  }

  [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    return this.close();
  }
}
