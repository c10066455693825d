// helve from a Node program: one process for each call, or one for a session.

export { Helve, Session } from "./client.js";
export { find as findBinary } from "./binary.js";
export {
  ApprovalRequired,
  BinaryNotFound,
  HelveError,
  InvalidArguments,
  NotFound,
  Refused,
  SessionLost,
  Unavailable,
  UnknownTool,
} from "./errors.js";
