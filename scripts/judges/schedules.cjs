// Says when cron expressions run next, by croner: [[zone, expression, seconds], …] on
// standard input, for each [seconds, …] of two runs out, fewer if there are no more, or
// what croner says is wrong. Fixed times are those without wildcards and steps, as in
// Vixie cron and in helve.
const { Cron } = require("croner");

const answers = JSON.parse(require("fs").readFileSync(0, "utf8")).map(([timezone, text, after]) => {
  try {
    const job = new Cron(text, { timezone, paused: true, sloppyRanges: true, fixedTimeRule: "no-wildcard" });
    return job.nextRuns(2, new Date(after * 1000)).map((run) => run.getTime() / 1000);
  } catch (e) {
    return String(e.message);
  }
});
console.log(JSON.stringify(answers));
