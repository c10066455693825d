// What the strict transformer of OpenAI's client for Node makes of each schema of
// an array on standard input.
const { toStrictJsonSchema } = require("openai/lib/transform");
const schemas = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(schemas.map((s) => toStrictJsonSchema(s))));
