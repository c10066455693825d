// The process of helve.

import { spawn } from "node:child_process";
import { once as event } from "node:events";
import { createInterface } from "node:readline";

import { Approvals, approvalFD } from "./approvals.js";
import { HelveError, Unavailable } from "./errors.js";
import { lost, parse } from "./protocol.js";

const grace = 5000; // milliseconds that a process has to end after a request

/** Starts helve. settings are { binary, flags, env, onApproval }. */
class Process {
  constructor({ binary, flags, env, onApproval }, words) {
    this.approvals = new Approvals(onApproval);
    const all = [...words, ...flags, ...this.approvals.flags];
    const stdio = ["pipe", "pipe", "ignore"];
    if (onApproval) {
      stdio[approvalFD] = "pipe";
    }
    this.child = spawn(binary, all, { stdio, env: env ? { ...process.env, ...env } : process.env });
    if (this.child.stdin === undefined) {
      this.child.on("error", () => {});
      throw new HelveError("helve could not be started: too many files are open", { code: "unavailable", retryable: true });
    }
    this.child.stdin.on("error", () => {}); // it ended before it read everything: its end says so
    this.child.stdout.setEncoding("utf8");
    this.ended = false;
    this.end = new Promise((resolve) => {
      this.child.on("error", (cause) => resolve({ failed: new HelveError(`helve could not be started: ${cause.message}`, { code: "not_configured", cause }) }));
      this.child.on("close", (status, signal) => resolve({ status: status ?? signal }));
    }).then((how) => {
      this.ended = true;
      return how;
    });
    this.approvals.serve(this.child.stdio[approvalFD]);
  }

  /** Has it end: politely, so that helve leaves nothing half done, then surely. */
  async stop() {
    if (!this.ended) {
      this.child.kill("SIGTERM");
      const timer = setTimeout(() => this.child.kill("SIGKILL"), grace);
      await this.end;
      clearTimeout(timer);
    }
  }

  /** What task returns, unless the time or the signal of the options ends it: then the process is stopped. */
  async within(task, timeout, { signal } = {}) {
    signal?.throwIfAborted();
    let timer;
    let abort;
    const stopped = new Promise((_, reject) => {
      abort = () => reject(signal.reason);
      signal?.addEventListener("abort", abort, { once: true });
      if (timeout !== undefined) {
        const late = () => reject(new Unavailable(`helve took longer than ${timeout} ms`, {
          code: "timeout", hint: "look at what is there before making the call again", retryable: true,
        }));
        timer = setTimeout(late, timeout);
      }
    });
    try {
      const result = await Promise.race([task, stopped]);
      this.approvals.rethrow();
      return result;
    } catch (error) {
      task.catch(() => {}); // the process ends, and the task with it
      await this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }
}

/** Starts helve with these words, gives it the text, and returns the document that it prints. */
export async function once(settings, words, text, options) {
  options.signal?.throwIfAborted();
  const helve = new Process(settings, words);
  const answered = async () => {
    let out = "";
    helve.child.stdout.on("data", (part) => (out += part));
    helve.child.stdin.end(text);
    const { failed, status } = await helve.end;
    if (failed) {
      throw failed;
    }
    return parse(out, status);
  };
  return helve.within(answered(), settings.timeout, options);
}

/** A process that answers each line with a line. One line at a time. */
export class Conversation {
  constructor(settings, words) {
    this.timeout = settings.timeout;
    this.helve = new Process(settings, [...words, "--ndjson"]);
    this.lines = createInterface({ input: this.helve.child.stdout, crlfDelay: Infinity });
  }

  get ended() {
    return this.helve.ended;
  }

  async ask(line, options) {
    const answered = async () => {
      const found = event(this.lines, "line");
      this.helve.child.stdin.write(line + "\n");
      const how = await Promise.race([found, this.helve.end]);
      if (Array.isArray(how)) {
        try {
          return JSON.parse(how[0]);
        } catch {
          throw lost(); // it ended within the line
        }
      }
      found.catch(() => {});
      throw how.failed ?? lost();
    };
    return this.helve.within(answered(), this.timeout, options);
  }

  async close() {
    if (!this.ended) {
      this.helve.child.stdin.end(); // it ends with its input
      const timer = setTimeout(() => this.helve.stop(), grace);
      await this.helve.end;
      clearTimeout(timer);
    }
  }
}
