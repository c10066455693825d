// Reads an array of texts and prints how many tokens each has by three tokenizers.
import fs from "node:fs";
import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens } from "@anthropic-ai/tokenizer";

const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
const texts = JSON.parse(fs.readFileSync(0));
console.log(JSON.stringify(texts.map((t) => [o200k(t, plain).length, cl100k(t, plain).length, countTokens(t)])));
