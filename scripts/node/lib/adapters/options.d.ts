import type { Helve, Session } from "../index.js";

export interface AdapterOptions {
  /** Only these tools. */
  tools?: readonly string[];
  /** What makes the calls: a session saves a start for each. */
  calls?: Helve | Session;
}
