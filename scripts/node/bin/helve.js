#!/usr/bin/env node
// Starts the program of this platform. A program that calls helve often starts it by its own path: see findBinary().

import { spawn } from "node:child_process";
import { constants } from "node:os";

import { installed } from "../lib/binary.js";

const binary = process.env.HELVE_BINARY || installed();
if (binary === undefined) {
  console.error(`helve: there is no program for ${process.platform}-${process.arch}; install the package without --omit=optional`);
  process.exit(127);
}
const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`helve: ${error.message}`);
  process.exit(126);
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal)); // helve decides when to end
}
child.on("exit", (status, signal) => process.exit(status ?? 128 + (constants.signals[signal] ?? 0)));
