// Approvals as a function of the program: helve asks about a call that the policy leaves to a person, over a socket that
// only the two processes have. Each request is a line of JSON, and so is each answer.

import { createInterface } from "node:readline";

import { HelveError } from "./errors.js";

/** The descriptor of helve's end of the socket, in its process. */
export const approvalFD = 3;

const failed = "the program that was asked failed";

/** A function that answers helve's requests. */
export class Approvals {
  #onApproval;
  #failure;

  constructor(onApproval) {
    if (onApproval && process.platform === "win32") {
      throw new HelveError("onApproval needs a descriptor that a process inherits, which Windows has not", {
        code: "unsupported",
        hint: "leave onApproval out; the approval.id of ApprovalRequired is what helve approve takes",
      });
    }
    this.#onApproval = onApproval;
  }

  get flags() {
    return this.#onApproval ? ["--approval-fd", String(approvalFD)] : [];
  }

  /** Answers what comes on the socket until helve closes it. */
  serve(socket) {
    if (!this.#onApproval) {
      return;
    }
    socket.on("error", () => {}); // helve has ended: its call is over, however it was decided
    const lines = createInterface({ input: socket });
    lines.on("error", () => {}); // as above
    lines.on("line", async (line) => {
      let request;
      try {
        request = JSON.parse(line);
      } catch {
        return; // helve ended while it asked
      }
      let decision = failed;
      try {
        decision = await this.#onApproval(request);
      } catch (error) {
        this.#failure = { error }; // it belongs to who made the call
      }
      socket.write(JSON.stringify(reply(request.id, decision)) + "\n");
    });
  }

  /** Throws what the function threw, once. */
  rethrow() {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) {
      throw failure.error;
    }
  }
}

/** The answer to a request. */
function reply(id, decision) {
  return {
    id,
    decision: decision === true ? "approve" : "deny",
    ...(typeof decision === "string" && { reason: decision }),
  };
}
