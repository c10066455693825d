// What helve reports when a call failed, as errors. index.d.ts describes them.

export class HelveError extends Error {
  constructor(message, { code = "internal", hint = "", retryable = false, details = {}, warnings = [], cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    Object.assign(this, { code, hint, retryable, details, warnings });
  }
}

export class InvalidArguments extends HelveError {}
export class UnknownTool extends HelveError {}
export class NotFound extends HelveError {}
export class Refused extends HelveError {}
export class ApprovalRequired extends HelveError {
  get approval() {
    return this.details.approval ?? {};
  }
}
export class Unavailable extends HelveError {}
export class BinaryNotFound extends HelveError {}
export class SessionLost extends HelveError {}

const classes = {
  invalid_arguments: InvalidArguments,
  usage: InvalidArguments,
  unknown_tool: UnknownTool,
  not_registered: UnknownTool,
  not_found: NotFound,
  text_not_found: NotFound,
  hunk_not_found: NotFound,
  outside_workspace: Refused,
  protected_path: Refused,
  permission_denied: Refused,
  denied: Refused,
  rejected: Refused,
  blocked_address: Refused,
  approval_invalid: Refused,
  approval_stale: Refused,
  approval_required: ApprovalRequired,
  timeout: Unavailable,
  unavailable: Unavailable,
  rate_limited: Unavailable,
  canceled: Unavailable,
};

/**
 * The error for {"ok":false,"error":{…}}, or for a failure that a profile answers like a result:
 * {"ok":false,"data":"…","helve":{"error":{…}}}.
 */
export function fromEnvelope({ data, helve = {}, error = helve.error ?? {}, warnings = [] }) {
  const { code = "internal", message: own = code, ...rest } = error;
  const message = typeof data === "string" ? data : own;
  return new (classes[code] ?? HelveError)(message, { code, ...rest, warnings });
}
