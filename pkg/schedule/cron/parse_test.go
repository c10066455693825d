package cron

import (
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// daysOf returns the first n days on which an expression runs, as 2024-01-31.
func daysOf(t *testing.T, text string, from time.Time, n int) []string {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	var days []string
	for at := from.Add(-time.Second); len(days) < n; {
		next, ok := e.Next(at, time.UTC)
		if !ok {
			break
		}
		at, days = next, append(days, next.Format("2006-01-02"))
	}
	return days
}

func TestDays(t *testing.T) {
	for _, tt := range []struct{ text, from, want string }{
		{"0 0 L * *", "2024-01-01", "2024-01-31 2024-02-29 2024-03-31 2024-04-30"},
		{"0 0 L 2 *", "2023-01-01", "2023-02-28 2024-02-29 2025-02-28 2026-02-28"},
		{"0 0 29 2 *", "2023-01-01", "2024-02-29 2028-02-29 2032-02-29 2036-02-29"},
		{"0 0 29 2 *", "2097-01-01", "2104-02-29 2108-02-29 2112-02-29 2116-02-29"}, // 2100 is no leap year
		{"0 0 29 2 +MON", "2024-01-01", "2044-02-29 2072-02-29 2112-02-29 2140-02-29"},
		{"0 0 30 * *", "2024-01-01", "2024-01-30 2024-03-30 2024-04-30 2024-05-30"},
		{"0 0 31 4,5 *", "2024-01-01", "2024-05-31 2025-05-31 2026-05-31 2027-05-31"},
		{"0 0 LW * *", "2024-03-01", "2024-03-29 2024-04-30 2024-05-31 2024-06-28"},
		{"0 0 15W * *", "2024-06-01", "2024-06-14 2024-07-15 2024-08-15 2024-09-16"},
		{"0 0 1W * *", "2024-06-01", "2024-06-03 2024-07-01 2024-08-01 2024-09-02"},
		{"0 0 31W * *", "2024-03-01", "2024-03-29 2024-05-31 2024-07-31 2024-08-30"},
		{"0 0 30W 4,6 *", "2023-01-01", "2023-04-28 2023-06-30 2024-04-30 2024-06-28"},
		{"0 0 1W,L * *", "2024-06-01", "2024-06-03 2024-06-30 2024-07-01 2024-07-31"},
		{"0 0 * * FRI#2", "2024-01-01", "2024-01-12 2024-02-09 2024-03-08 2024-04-12"},
		{"0 0 * * 5#5", "2024-01-01", "2024-03-29 2024-05-31 2024-08-30 2024-11-29"},
		{"0 0 * * 5L", "2024-01-01", "2024-01-26 2024-02-23 2024-03-29 2024-04-26"},
		{"0 0 * * fri#l", "2024-01-01", "2024-01-26 2024-02-23 2024-03-29 2024-04-26"},
		{"0 0 * * SAT-SUN#1", "2024-09-01", "2024-09-01 2024-09-07 2024-10-05 2024-10-06"},
		{"0 0 * * 7#1", "2024-01-01", "2024-01-07 2024-02-04 2024-03-03 2024-04-07"},
		{"0 0 ? * 7", "2024-01-01", "2024-01-07 2024-01-14 2024-01-21 2024-01-28"},
		{"0 0 ? * FRI-SUN", "2024-01-01", "2024-01-05 2024-01-06 2024-01-07 2024-01-12"},
		{"0 0 * * 5-7", "2024-01-01", "2024-01-05 2024-01-06 2024-01-07 2024-01-12"},
		{"0 0 * * 5-0", "2024-01-01", "2024-01-05 2024-01-06 2024-01-07 2024-01-12"},
		{"0 0 * * 6-0", "2024-01-01", "2024-01-06 2024-01-07 2024-01-13 2024-01-14"},
		{"0 0 * * 0-0", "2024-01-01", "2024-01-07 2024-01-14 2024-01-21 2024-01-28"},
		{"0 0 * * SUN-TUE", "2024-01-01", "2024-01-01 2024-01-02 2024-01-07 2024-01-08"},
		{"0 0 * * SUN-SUN", "2024-01-01", "2024-01-07 2024-01-14 2024-01-21 2024-01-28"},
		{"0 0 * * 0,7", "2024-01-01", "2024-01-07 2024-01-14 2024-01-21 2024-01-28"},
		{"0 0 * * 1/2", "2024-01-01", "2024-01-01 2024-01-03 2024-01-05 2024-01-08"},
		{"0 0 1 JAN-dec/6 ?", "2024-01-01", "2024-01-01 2024-07-01 2025-01-01 2025-07-01"},
		{"0 0 28/2 * *", "2024-02-01", "2024-02-28 2024-03-28 2024-03-30 2024-04-28"},
		{"@weekly", "2024-01-01", "2024-01-07 2024-01-14 2024-01-21 2024-01-28"},
		{"@Monthly", "2024-01-02", "2024-02-01 2024-03-01 2024-04-01 2024-05-01"},
		{"@yearly", "2024-01-02", "2025-01-01 2026-01-01 2027-01-01 2028-01-01"},

		// Both restricted: either. A field that begins with a star: both.
		{"0 0 13 * FRI", "2024-09-01", "2024-09-06 2024-09-13 2024-09-20 2024-09-27"},
		{"0 0 13 * MON", "2024-09-08", "2024-09-09 2024-09-13 2024-09-16 2024-09-23"},
		{"0 0 13 * +FRI", "2024-09-01", "2024-09-13 2024-12-13 2025-06-13 2026-02-13"},
		{"0 0 */2 * FRI", "2024-09-01", "2024-09-13 2024-09-27 2024-10-11 2024-10-25"},
		{"0 0 ?/2 * FRI", "2024-09-01", "2024-09-13 2024-09-27 2024-10-11 2024-10-25"},
		{"0 0 13 * */5", "2024-09-01", "2024-09-13 2024-10-13 2024-12-13 2025-04-13"}, // Sunday or Friday
		{"0 0 *,13 * FRI", "2024-09-01", "2024-09-06 2024-09-13 2024-09-20 2024-09-27"},
		{"0 0 1-31 * FRI", "2024-09-01", "2024-09-01 2024-09-02 2024-09-03 2024-09-04"},
		{"0 0 30 2 MON", "2024-01-01", "2024-02-05 2024-02-12 2024-02-19 2024-02-26"}, // the Mondays are left
	} {
		from, err := time.Parse("2006-01-02", tt.from)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(tt.want)
		if got := daysOf(t, tt.text, from, 4); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q from %s runs on %v, want %v", tt.text, tt.from, got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	day := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ text, want string }{
		{"*/20 9-10 * * *", "09:00:00 09:20:00 09:40:00 10:00:00 10:20:00 10:40:00"},
		{"50/5 23 * * *", "23:50:00 23:55:00"},
		{"5-59/25 0,12 * * *", "00:05:00 00:30:00 00:55:00 12:05:00 12:30:00 12:55:00"},
		{"59 59 23 * * *", "23:59:59"},
		{"*/30 0,59 7 * * *", "07:00:00 07:00:30 07:59:00 07:59:30"},
		{"7,3,5,3 04 * * *", "04:03:00 04:05:00 04:07:00"},
		{"0 0 12 * * *", "12:00:00"},
		{" \t0   12\t* * * ", "12:00:00"},
		{"0-0 00-00 * * *", "00:00:00"},
		{"59/1 */23 * * *", "00:59:00 23:59:00"},
	} {
		e, err := Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for at := day.Add(-time.Nanosecond); ; {
			at, _ = e.Next(at, time.UTC)
			if at.Day() != day.Day() {
				break
			}
			got = append(got, at.Format("15:04:05"))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q runs at %v, want %v", tt.text, got, tt.want)
		}
	}
}

// TestFaults has each fault name the field, the value and what is allowed.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "has 0 fields"}, {"   ", "has 0 fields"}, {"* * * *", "has 4 fields"}, {"09:30", "has 1 fields"},
		{"0 0 0 1 1 * 2027", "a year is not supported"},
		{"* * * * * * * *", "has 8 fields"},
		{strings.Repeat("1,", 300) + "1 * * * *", "at most 512"},
		{"60 * * * *", `the minute field "60": 60 is out of range; allowed are 0-59`},
		{"60 0 * * * *", `the second field "60"`},
		{"0 24 * * *", `the hour field "24": 24 is out of range; allowed are 0-23`},
		{"0 0 0 * *", `the day of month field "0"`}, {"0 0 32 * *", `the day of month field "32"`},
		{"0 0 1 0 *", `the month field "0"`}, {"0 0 1 13 *", `the month field "13"`},
		{"0 0 * * 8", `the day of week field "8"`}, {"0 0 * * -1", `the day of week field "-1"`},
		{"-5 0 * * *", "both sides of -"}, {"5- 0 * * *", "both sides of -"}, {"1-2-3 0 * * *", `"2-3" is no value`},
		{"1,,2 0 * * *", `an element of the list is empty`}, {", 0 * * *", "empty"}, {"1, 0 * * *", "empty"},
		{"*/0 * * * *", "from 1 to 60"}, {"*/-5 * * * *", "from 1 to 60"}, {"*/ * * * *", "from 1 to 60"}, {"/5 * * * *", `"" is no value`},
		{"*/90 * * * *", `the step "90"`}, {"* */25 * * *", "from 1 to 24"}, {"*/1/2 * * * *", `the step "1/2"`},
		{"99999999999999999999 * * * *", "out of range"}, {"*/99999999999999999999 * * * *", "from 1 to 60"},
		{"1.5 * * * *", "no value"}, {"+5 * * * *", "no value"}, {"** * * * *", "no value"}, {"*-5 * * * *", "no value"}, {"5-* * * * *", "no value"},
		{"0 22-6 * * *", "runs backwards"}, {"0 0 * * SAT-MON", "runs backwards"}, {"0 0 * * 5-1", "runs backwards"}, {"0 SUN-0 * * *", "no value"}, {"0 0 * NOV-FEB *", "runs backwards"},
		{"0 0 * FEBRUARY *", `"FEBRUARY" is no value`}, {"0 0 * * MONDAY", `"MONDAY" is no value`}, {"MON * * * *", `"MON" is no value`},
		{"0 0 * MON *", `"MON" is no value`}, {"? 0 * * *", "in the fields of days only"}, {"0 0 * ? *", "in the fields of days only"},
		{"H 0 * * *", `"H" is no value`}, {"L 0 * * *", `"L" is no value`}, {"0 0 * L *", "no value"},
		{"0 0 * * L", "need a day before them"}, {"0 0 * * #2", "need a day"}, {"0 0 * * FRI#6", "1 to 5"}, {"0 0 * * FRI#0", "1 to 5"},
		{"0 0 * * FRI#", "1 to 5"}, {"0 0 * * FRI#2#3", "1 to 5"}, {"0 0 * * *#2", "a day or a range"}, {"0 0 * * 1-5/2#1", "a day or a range"}, {"0 0 * * 5LL", "a day or a range"},
		{"0 0 L-3 * *", "days before the last"}, {"0 0 W * *", `"" is no value`}, {"0 0 32W * *", "out of range"}, {"0 0 1-5W * *", `"1-5" is no value`}, {"0 0 5L * *", "no value"},
		{"0 0 * * 5W", `"5W" is no value`}, {"0 0 * * +", "empty"}, {"0 0 +5 * *", "no value"},
		{"＊ * * * *", "no character"}, {"0 九 * * *", "no character"}, {"0\x000 0 * * *", "no character"}, {"0 0 * * \xff", "no character"},
		{"@reboot", "it is no time"}, {"@every 5m", "no cron alias"}, {"@", "no cron alias"}, {"@daily 5", "no cron alias"}, {"@fortnightly", "no cron alias"},
		{"CRON_TZ=Asia/Tokyo 0 9 * * *", "no room for CRON_TZ="}, {"TZ=UTC 0 9 * * *", "no room for TZ="},
		{"0 0 30 2 *", `day of month "30" does not exist in month "2"`}, {"0 0 31 2,4,6,9,11 ?", "does not exist"}, {"0 0 30-31 FEB *", "does not exist"},
		{"0 0 30W 2 *", "does not exist"}, {"0 0 30 2 */2", "does not exist"}, {"0 0 1-7 * +MON#2", "at once"}, {"0 0 30 2 +MON", "at once"},
	} {
		_, err := Parse(tt.text)
		e := fault.As(err)
		if err == nil || e.Code != fault.InvalidArguments || !strings.Contains(e.Message.In(fault.English), tt.want) {
			t.Errorf("Parse(%q): %v; want %q", tt.text, err, tt.want)
			continue
		}
		if e.Hint.IsZero() || e.Message.In(fault.Chinese) == e.Message.In(fault.English) || strings.Contains(e.Message.In(fault.Chinese), "%!") {
			t.Errorf("Parse(%q): hint %q, in Chinese %q", tt.text, e.Hint, e.Message.In(fault.Chinese))
		}
		if len(e.Error()) > 600 {
			t.Errorf("Parse(%.20q…): a fault of %d bytes", tt.text, len(e.Error()))
		}
	}
	_, err := Parse("0 22-6 * * *")
	if hint := fault.As(err).Hint.String(); hint != "write 22-23,0-6" {
		t.Errorf("hint %q", hint)
	}
	if _, err := Parse("0 22-23,0-6 * * *"); err != nil {
		t.Error(err)
	}
	_, err = Parse("*/90 * * * *")
	if hint := fault.As(err).Hint.String(); !strings.Contains(hint, "every_seconds") {
		t.Errorf("hint %q", hint)
	}
}

func TestString(t *testing.T) {
	e, err := Parse("  0  9 * *  MON-FRI ")
	if err != nil || e.String() != "0 9 * * MON-FRI" || !e.fixed {
		t.Errorf("%q, %v, %v", e, e.fixed, err)
	}
	for _, text := range []string{"* 9 * * *", "0 */2 * * *", "0 0-23/2 * * *", "5/10 2 * * *", "*/10 30 2 * * *", "@hourly"} {
		if e, err := Parse(text); err != nil || e.fixed {
			t.Errorf("%q has fixed times: %v", text, err)
		}
	}
}

func TestRemark(t *testing.T) {
	for text, want := range map[string]string{
		"0 0 12 ? * 2": "day of week 2 is TUE here, and MON in Quartz", "0 0 12 ? * 1": "1 is MON here, and SUN in Quartz",
		"0 0 12 ? * 7": "7 is SUN here, and SAT in Quartz", "0 0 12 ? * MON,6L": "6 is SAT here, and FRI in Quartz",
		"0 0 12 ? * 2-6": "2 is TUE", "0 0 12 ? * MON-6": "6 is SAT", "0 0 12 ? * 6#3": "6 is SAT",
		"0 0 12 ? * MON": "", "0 0 12 ? * */2": "", "0 0 12 ? * *": "", "0 0 12 1 * ?": "", "0 0 12 * * 2": "", "0 12 ? * 2": "", "0 0 12 ? * 0": "", "": "",
	} {
		if got := Remark(text).String(); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
