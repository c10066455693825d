// What VS Code's language server for JSON says of a configuration file, without a network.
// Standard input has the file, a text to look at in place of its own, and the words after
// which to complete. Standard output has the problems, the completions, and what was read.
const { readFileSync } = require("fs");
const { fileURLToPath, pathToFileURL } = require("url");
const { getLanguageService } = require("vscode-json-languageservice");
const { TextDocument } = require("vscode-languageserver-textdocument");

const given = JSON.parse(readFileSync(0, "utf8"));
const read = [];
const service = getLanguageService({
  schemaRequestService: async (address) => {
    read.push(address);
    return readFileSync(fileURLToPath(address), "utf8"); // which refuses all but files
  },
  workspaceContext: { resolveRelativePath: (path, from) => new URL(path, from).href },
});

async function main() {
  const document = TextDocument.create(pathToFileURL(given.file).href, "json", 1, given.text);
  const parsed = service.parseJSONDocument(document);
  const problems = (await service.doValidation(document, parsed, {})).map((p) => p.message);
  let completions = [];
  if (given.after) {
    const at = document.positionAt(given.text.indexOf(given.after) + given.after.length);
    completions = (await service.doComplete(document, at, parsed)).items.map((item) => item.label);
  }
  process.stdout.write(JSON.stringify({ problems, completions, read: read.map((address) => fileURLToPath(address)) }));
}

main();
