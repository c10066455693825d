// The order of calls. Frameworks make all calls of a turn at once, and mean them one after the other: those that only
// read go together; one that may change something waits for all before it, and those behind it wait for it.

import { resolve } from "node:path";

// What runs for longer than this many milliseconds holds back only calls on its own paths.
const patience = 2000;

const named = ["path", "paths", "from", "to", "cwd", "dir", "file_path"];

export class Queue {
  #places = []; // of the calls that are not over, in their order
  #changed = []; // called when a call has come to something
  #root;
  #load;
  #reads; // a promise of the names of the tools that only read

  /** load returns a promise of the names of the tools that only read; it is called when two calls meet. */
  constructor(root, load) {
    this.#root = root ?? ".";
    this.#load = load;
  }

  /** What work returns, which begins once no call before holds this one back. The order is that of the calls of run. */
  async run(tool, args, work, signal) {
    const place = { tool, paths: this.#paths(args), loose: false };
    const loosen = () => {
      place.loose = true;
      this.#wake();
    };
    const timers = [];
    const soon = () => timers.push(setTimeout(loosen, patience).unref());
    this.#places.push(place);
    try {
      if (place.paths.length > 0) {
        soon(); // it touches nothing else, whenever it begins
      }
      if (this.#places.length > 1) {
        await this.#turn(place, signal);
      }
      soon();
      return await work();
    } finally {
      timers.forEach(clearTimeout);
      this.#places.splice(this.#places.indexOf(place), 1);
      this.#wake();
    }
  }

  async #turn(place, signal) {
    this.#reads ??= this.#load().then((names) => new Set(names), () => new Set()); // else each call may change something
    const reads = await this.#reads;
    while (this.#held(place, reads)) {
      await new Promise((next, failed) => {
        const aborted = () => failed(signal.reason);
        if (signal?.aborted) {
          aborted();
          return;
        }
        signal?.addEventListener("abort", aborted, { once: true });
        this.#changed.push(() => {
          signal?.removeEventListener("abort", aborted);
          next();
        });
      });
    }
    signal?.throwIfAborted();
  }

  #held(place, reads) {
    for (const before of this.#places) {
      if (before === place) {
        return false;
      }
      const beside = before.tool === "spawn" || (reads.has(before.tool) && reads.has(place.tool));
      if (!beside && (!before.loose || touch(before.paths, place.paths))) {
        return true;
      }
    }
    return false;
  }

  #wake() {
    this.#changed.splice(0).forEach((look) => look());
  }

  #paths(args) {
    let given = args;
    if (typeof args === "string") {
      try {
        given = JSON.parse(args);
      } catch {
        return []; // the call will say what is wrong
      }
    }
    return named
      .flatMap((name) => given?.[name] ?? [])
      .filter((path) => typeof path === "string")
      .map((path) => resolve(this.#root, path));
  }
}

/** Whether one of some paths is, or is in, one of others. */
function touch(some, others) {
  const within = (inner, outer) => inner === outer || inner.startsWith(outer.endsWith("/") ? outer : outer + "/");
  return some.some((a) => others.some((b) => within(a, b) || within(b, a)));
}
