// The calls. index.d.ts describes what is public.

import { find } from "./binary.js";
import { Conversation, once } from "./process.js";
import * as protocol from "./protocol.js";
import { Queue } from "./queue.js";

/** What Helve and Session have in common: calls and answers. queue keeps the order of single calls. */
class Calls {
  async call(tool, args, options) {
    return protocol.data(await this.#one("json", tool, args, options));
  }

  async run(tool, args, options) {
    return protocol.outcome(await this.#one("text", tool, args, options));
  }

  #one(content, tool, args, options) {
    const made = () => this.ask(protocol.oneCall(tool, args), protocol.calling(content, protocol.plain), options);
    return this.queue.run(tool, args, made, options?.signal);
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
    this.queue = new Queue(options.root, async () => protocol.reading(await this.definitions("mcp")));
  }

  async definitions(provider = "openai", options = {}) {
    const words = protocol.schema(provider, options);
    return protocol.list(await once({ ...this.#settings, onApproval: undefined }, words, "", options));
  }

  session() {
    return new Session(this.#settings, this.queue);
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

  constructor(settings, queue) {
    super();
    this.#settings = settings;
    this.queue = queue;
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
