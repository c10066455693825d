// Where the program helve is.

import { accessSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

import { BinaryNotFound } from "./errors.js";

const name = process.platform === "win32" ? "helve.exe" : "helve";

/** The path of helve: see index.d.ts. */
export function find(explicit) {
  const given = explicit ?? (process.env.HELVE_BINARY || undefined);
  if (given !== undefined) {
    const found = /[\\/]/.test(given) ? given : onPath(given);
    if (found !== undefined && isProgram(found)) {
      return found;
    }
    throw new BinaryNotFound(`${given} is no program`, {
      code: "not_configured",
      hint: "name the path of helve, or leave it out",
    });
  }
  const found = installed() ?? onPath(name);
  if (found === undefined) {
    throw new BinaryNotFound(`helve is not installed for ${process.platform}-${process.arch}`, {
      code: "not_configured",
      hint: "npm install helve brings it, unless optional dependencies are left out; or name its path as binary",
    });
  }
  return found;
}

/** The program in the package of this platform, which npm installs beside this one. */
export function installed() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@helve/${process.platform}-${process.arch}/package.json`);
    const file = join(dirname(manifest), "bin", name);
    return isProgram(file) ? file : undefined;
  } catch {
    return undefined; // npm installs none for a platform that has none, or with --omit=optional
  }
}

function onPath(program) {
  for (const directory of (process.env.PATH ?? "").split(delimiter)) {
    // What npm put there is the script of this package, which starts Node to look for the program.
    const file = join(directory, program);
    if (directory !== "" && !directory.endsWith(join("node_modules", ".bin")) && isProgram(file)) {
      return file;
    }
  }
  return undefined;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
