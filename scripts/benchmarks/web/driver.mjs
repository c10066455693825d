// Extracts pages for the benchmark: node driver.mjs readability|defuddle [FILE URL].
// Without a file it reads one JSON document {html,url} a line and answers with
// {content,markdown,published,author,milliseconds} or {error}.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { JSDOM, VirtualConsole } from "jsdom";

async function readability() {
  const { Readability } = await import("@mozilla/readability");
  const { default: Turndown } = await import("turndown");
  return (html, url) => {
    const began = performance.now();
    const dom = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
    const article = new Readability(dom.window.document).parse();
    const content = article?.content ?? "";
    const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
    const markdown = `# ${article?.title ?? ""}\n\n` + turndown.turndown(content);
    dom.window.close();
    const { publishedTime: published, byline: author } = article ?? {};
    return { content, markdown, published: published ?? "", author: author ?? "", milliseconds: performance.now() - began };
  };
}

async function defuddle() {
  const { Defuddle } = await import("defuddle/node");
  return async (html, url) => {
    const began = performance.now();
    const dom = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
    const article = await Defuddle(dom.window.document, url, { separateMarkdown: true, useAsync: false });
    const markdown = `# ${article.title}\n\n` + article.contentMarkdown;
    dom.window.close();
    const { published, author } = article;
    return { content: article.content, markdown, published: published ?? "", author: author ?? "", milliseconds: performance.now() - began };
  };
}

console.log = console.warn = console.error = console.info = () => {};
const extract = await { readability, defuddle }[process.argv[2]]();
if (process.argv[3]) {
  const { markdown } = await extract(readFileSync(process.argv[3], "utf8"), process.argv[4]);
  process.stdout.write(markdown);
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
      const { html, url } = JSON.parse(line);
      answer = await extract(html, url);
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
}
