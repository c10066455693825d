"""Says when cron expressions run next, by zoneinfo with the data of PyPI's tzdata alone.

[[zone, expression, seconds, [seconds, …]], …] on standard input; out, of each, two runs, and
how far the zone's clock is ahead of UTC at those seconds, then at the runs. The expressions
have five fields of numbers. Written from the manual of cron(8), not from helve.
"""

import json
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone

import tzdata

zoneinfo.reset_tzpath(to=[])
EPOCH = datetime(1970, 1, 1)
MARGIN = 4 * 3600  # longer than any gap in which a run is made up for


def numbers(field, least, greatest):
    out = set()
    for part in field.split(","):
        values, _, step = part.partition("/")
        if values == "*":
            first, last = least, greatest
        else:
            first, _, last = values.partition("-")
            first, last = int(first), int(last or (greatest if step else first))
        out.update(range(first, last + 1, int(step or 1)))
    return out


class Clock:
    def __init__(self, name):
        self.zone = zoneinfo.ZoneInfo(name)

    def ahead(self, seconds):
        return int(datetime.fromtimestamp(seconds, self.zone).utcoffset().total_seconds())

    def moments(self, wall):
        """Returns when the clock shows a time, or the end of the gap that leaps over it."""
        at = int((wall - EPOCH).total_seconds())
        both = sorted({at - int(wall.replace(tzinfo=self.zone, fold=f).utcoffset().total_seconds()) for f in (0, 1)})
        shown = [s for s in both if s + self.ahead(s) == at]
        if shown:
            return shown, None
        low, high = both[0], both[-1]
        before, after = self.ahead(low), self.ahead(high)
        while high - low > 1:
            middle = (low + high) // 2
            if self.ahead(middle) == before:
                low = middle
            else:
                high = middle
        return [], high if after - before <= 3 * 3600 else None


def runs(clock, text, after):
    minute, hour, dom, month, dow = text.split()
    minutes, hours = sorted(numbers(minute, 0, 59)), sorted(numbers(hour, 0, 23))
    doms, months = numbers(dom, 1, 31), numbers(month, 1, 12)
    dows = {d % 7 for d in numbers(dow, 0, 7)}
    fixed = "*" not in minute + hour and "/" not in minute + hour
    either = not dom.startswith("*") and not dow.startswith("*")
    found = set()
    now = EPOCH + timedelta(seconds=after + clock.ahead(after))
    day = now.replace(hour=0, minute=0, second=0) - timedelta(days=2)
    for _ in range(366 * 9):
        on_dom, on_dow = day.day in doms, (day.weekday() + 1) % 7 in dows
        if day.month in months and (on_dom or on_dow if either else on_dom and on_dow):
            for h in hours:
                for m in minutes:
                    wall = day.replace(hour=h, minute=m)
                    if wall < now - timedelta(seconds=MARGIN):
                        continue
                    shown, end = clock.moments(wall)
                    if fixed:
                        shown = shown[:1] or ([end] if end is not None else [])
                    found.update(s for s in shown if s > after)
                    if len(found) > 1 and shown and shown[0] > sorted(found)[1] + MARGIN:
                        return sorted(found)[:2]
        day += timedelta(days=1)
        if len(found) > 1 and int((day - EPOCH).total_seconds()) - 86400 > sorted(found)[1] + 2 * 86400:
            break
    return sorted(found)[:2]


def main():
    clocks, out = {}, []
    for name, text, after, asked in json.load(sys.stdin):
        clock = clocks.setdefault(name, None) or Clock(name)
        clocks[name] = clock
        found = runs(clock, text, after)
        out.append([found, [clock.ahead(s) for s in asked + found]])
    json.dump({"release": tzdata.IANA_VERSION, "answers": out}, sys.stdout)


main()
