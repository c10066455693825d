// Says when cron expressions run next, by croner with the time-zone data of Node's ICU:
// as zones.py does, whose head describes what comes in and goes out.
const { Cron } = require("croner");

const formats = new Map();
const ahead = (timeZone, seconds) => {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en", {
      timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const p = Object.fromEntries(format.formatToParts(new Date(seconds * 1000)).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute, p.second) / 1000 - seconds;
};

const answers = JSON.parse(require("fs").readFileSync(0, "utf8")).map(([timezone, text, after, asked]) => {
  try {
    const job = new Cron(text, { timezone, paused: true, sloppyRanges: true, fixedTimeRule: "no-wildcard" });
    const runs = job.nextRuns(2, new Date(after * 1000)).map((run) => run.getTime() / 1000);
    return [runs, [...asked, ...runs].map((seconds) => ahead(timezone, seconds))];
  } catch (e) {
    return [[], [], String(e.message)];
  }
});
console.log(JSON.stringify({ release: process.versions.tz, answers }));
