/** A call that helve asks a person about. */
export interface ApprovalRequest {
  id: string;
  tool: string;
  args: Record<string, unknown>;
  risk: "read" | "write" | "destructive";
  reasons?: string[];
  /** A diff, or the commands. */
  preview?: string;
  session?: string;
  [member: string]: unknown;
}

/** true allows the call once, false refuses it, and a text refuses it with that reason, which the model reads. */
export type Decision = boolean | string | undefined;

/** What an error throws refuses the call, and is thrown again by the call that asked. */
export type OnApproval = (request: ApprovalRequest) => Decision | Promise<Decision>;

export interface HelveOptions {
  /** The workspace; by default the working directory. */
  root?: string;
  /** Groups calls; helve records what a session has read. */
  session?: string;
  /** Refuse every tool that does more than read. */
  readonly?: boolean;
  /** Is asked about calls that a person must allow (not on Windows). Without it such calls fail with ApprovalRequired. */
  onApproval?: OnApproval;
  /** Milliseconds that one call may take, approvals included; by default without end. */
  timeout?: number;
  /** The program helve; by default the one that this package brings. */
  binary?: string;
  /** A configuration file that takes precedence over the others. */
  config?: string;
  /** Language of the messages. */
  lang?: "en" | "zh";
  /** A profile: the names, words and results of another system, such as "claude-code". */
  as?: string;
  /** Variables to add to the environment of helve. */
  env?: Record<string, string>;
}

export interface CallOptions {
  /** Ends the call. What it did until then is done. */
  signal?: AbortSignal;
}

export interface AnswerOptions extends CallOptions {
  /** The provider's format, if it is not to be found out: openai, openai-responses, anthropic, gemini, mcp, … */
  dialect?: string;
  /** Show the model the images that it reads. */
  images?: boolean;
}

export type Provider = "openai" | "openai-responses" | "anthropic" | "gemini" | "mcp" | "json-schema";

export interface DefinitionOptions extends CallOptions {
  /** In the form of structured outputs, where the provider has one. */
  strict?: boolean;
  /** Only these tools. */
  tools?: readonly string[];
}

/** The data of a call. */
export type Data = Record<string, any> & {
  /** What came with it; not enumerable. */
  readonly warnings: readonly string[];
};

/** What became of a call that a model made. */
export interface Outcome {
  ok: boolean;
  /** The result or the error, as a model reads it. */
  text: string;
}

declare abstract class Calls {
  /** Call one tool and return its data. Rejects with a HelveError if the call failed. */
  call(tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Data>;
  /** Call one tool for a model. Arguments may be the JSON that the model wrote, with its slips. A call that fails does not reject. */
  run(tool: string, args?: string | Record<string, unknown>, options?: CallOptions): Promise<Outcome>;
  /**
   * Run the tool calls that a provider returned, and return the messages to append: one answer for each call, in order,
   * also for those that failed; without calls there is none. `message` is JSON or an object: a call, a list of calls, a
   * message or a whole response.
   */
  answer(message: unknown, options?: AnswerOptions): Promise<any[]>;
}

/** helve in a workspace: a process for each call. */
export class Helve extends Calls {
  constructor(options?: HelveOptions);
  /** Return the definitions for a request's `tools`. */
  definitions(provider?: Provider, options?: DefinitionOptions): Promise<any[]>;
  /** Return a session: one process that answers many calls, until it is closed. */
  session(): Session;
}

/**
 * One process of helve that answers call after call, which saves a start for each. Its calls run one after another. If
 * helve ends during a call, that rejects with SessionLost, as nobody knows what it did; it is not made again. The next
 * call starts another process.
 */
export class Session extends Calls {
  private constructor();
  /** End the session, once the calls that were made are answered. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A call that failed. `message` says what is wrong. */
export class HelveError extends Error {
  /** One of helve's codes, which never change. */
  code: string;
  /** What to do next; may be empty. */
  hint: string;
  /** The same call may succeed later. */
  retryable: boolean;
  details: Record<string, any>;
  warnings: string[];
}

/** The call is wrong: correct it. */
export class InvalidArguments extends HelveError {}
/** There is no tool of that name, or it is switched off. */
export class UnknownTool extends HelveError {}
/** A file, or what was looked for in it, is not there. */
export class NotFound extends HelveError {}
/** The policy or a person refused the call. */
export class Refused extends HelveError {}
/** A person must decide: `approval.id` is what `helve approve` takes. */
export class ApprovalRequired extends HelveError {
  get approval(): Record<string, any>;
}
/** A timeout, the network or a cancelled call: a retry may help. */
export class Unavailable extends HelveError {}
/** The program helve itself is not there. */
export class BinaryNotFound extends HelveError {}
/** helve ended while it ran a call: what that did is unknown, so it was not repeated. */
export class SessionLost extends HelveError {}

/** Return the path of helve: the given one, $HELVE_BINARY, the one that npm installed, or one on the PATH. Throws BinaryNotFound. */
export function findBinary(explicit?: string): string;
