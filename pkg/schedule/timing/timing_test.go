package timing

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

func moment(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

const now = "2026-11-23T08:00:00.25Z"

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name  string
		given Given
		want  string // the spec as it is kept
		next  string
	}{
		{"every", Given{Every: new(int64(90)), Zone: "Europe/Berlin"}, `{"every_seconds":90,"anchor":"2026-11-23T08:00:00Z","timezone":"Europe/Berlin"}`,
			"2026-11-23T09:01:30+01:00 2026-11-23T09:03:00+01:00 2026-11-23T09:04:30+01:00"},
		{"cron", Given{Cron: " 30 9 * *  mon-fri", Zone: "europe/berlin"}, `{"cron":"30 9 * * mon-fri","timezone":"Europe/Berlin"}`,
			"2026-11-23T09:30:00+01:00 2026-11-24T09:30:00+01:00 2026-11-25T09:30:00+01:00"},
		{"cron at an offset", Given{Cron: "@daily", Zone: "UTC+8"}, `{"cron":"@daily","timezone":"+08:00"}`,
			"2026-11-24T00:00:00+08:00 2026-11-25T00:00:00+08:00 2026-11-26T00:00:00+08:00"},
		{"RFC 3339", Given{At: "2026-11-23T09:00:01+01:00", Zone: "Asia/Tokyo"}, `{"at":"2026-11-23T08:00:01Z","timezone":"Asia/Tokyo"}`, "2026-11-23T17:00:01+09:00"},
		{"local", Given{At: "2026-11-23T09:30", Zone: "Europe/Berlin"}, `{"at":"2026-11-23T08:30:00Z","timezone":"Europe/Berlin"}`, "2026-11-23T09:30:00+01:00"},
		{"with a space", Given{At: "2026-11-23 09:30:10", Zone: "Europe/Berlin"}, `{"at":"2026-11-23T08:30:10Z","timezone":"Europe/Berlin"}`, "2026-11-23T09:30:10+01:00"},
		{"slashes, no colon", Given{At: "2026/11/23 09:30:10 -0500", Zone: "UTC"}, `{"at":"2026-11-23T14:30:10Z","timezone":"UTC"}`, "2026-11-23T14:30:10Z"},
		{"small letters", Given{At: "2026-11-23t09:30z", Zone: "UTC"}, `{"at":"2026-11-23T09:30:00Z","timezone":"UTC"}`, "2026-11-23T09:30:00Z"},
		{"hours only in the offset", Given{At: "2026-11-23T09:30:00+01", Zone: "UTC"}, `{"at":"2026-11-23T08:30:00Z","timezone":"UTC"}`, "2026-11-23T08:30:00Z"},
		{"in", Given{In: "20m", Zone: "UTC"}, `{"at":"2026-11-23T08:20:01Z","timezone":"UTC"}`, "2026-11-23T08:20:01Z"},
		{"past, allowed", Given{At: "2020-01-01T00:00", Zone: "UTC", AllowPast: true}, `{"at":"2026-11-23T08:00:01Z","timezone":"UTC"}`, "2026-11-23T08:00:01Z"},
	} {
		spec, _, err := Parse(tt.given, moment(t, now))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		kept, err := json.Marshal(spec)
		if err != nil || string(kept) != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.name, kept, err, tt.want)
		}
		var again Spec
		if err := json.Unmarshal(kept, &again); err != nil || again.Validate() != nil {
			t.Errorf("%s: read back, %v, %v", tt.name, err, again.Validate())
		}
		var next []string
		for _, run := range again.Upcoming(moment(t, now), 3) {
			next = append(next, run.Format(time.RFC3339))
		}
		if got := strings.Join(next, " "); got != tt.next {
			t.Errorf("%s: runs at %s, want %s", tt.name, got, tt.next)
		}
	}
}

func TestNotes(t *testing.T) {
	for _, tt := range []struct {
		given Given
		want  string // the note
		at    string
	}{
		{Given{At: "2027-03-28T02:30", Zone: "Europe/Berlin"}, "never shows 2027-03-28 02:30:00: it leaps over it; the job runs when it has leapt, at Sunday 2027-03-28 03:00 +02:00 Europe/Berlin", "2027-03-28T01:00:00Z"},
		{Given{At: "2027-10-31 02:30", Zone: "Europe/Berlin"}, "twice: the job runs the first time, at Sunday 2027-10-31 02:30 +02:00 Europe/Berlin", "2027-10-31T00:30:00Z"},
		{Given{At: "2027-10-31T02:30+01:00", Zone: "Europe/Berlin"}, "", "2027-10-31T01:30:00Z"}, // the second time was asked for
		{Given{At: "2026-01-01T00:00", Zone: "UTC", AllowPast: true}, "runs at once", "2026-11-23T08:00:01Z"},
		{Given{At: "2027-01-01T00:00", Zone: "UTC", AllowPast: true}, "", "2027-01-01T00:00:00Z"},
		{Given{At: "2027-07-01T09:00", Zone: "est"}, "EST is UTC-05:00 all year, without summer time; America/New_York has it", "2027-07-01T14:00:00Z"},
		{Given{At: "2027-07-01T09:00", Zone: "Etc/GMT-3"}, "Etc/GMT-3 is UTC+03:00", "2027-07-01T06:00:00Z"},
		{Given{At: "2027-07-01T09:00", Zone: "Etc/GMT"}, "", "2027-07-01T09:00:00Z"},
		{Given{In: "1h", Zone: "EST"}, "", "2026-11-23T09:00:01Z"},
		{Given{Cron: "0 9 * * *", Zone: "MST"}, "MST is UTC-07:00", "0001-01-01T00:00:00Z"},
		{Given{Cron: "0 0 9 ? * 2", Zone: "America/Denver"}, "in Quartz", "0001-01-01T00:00:00Z"},
	} {
		spec, notes, err := Parse(tt.given, moment(t, now))
		if err != nil || !spec.At.Equal(moment(t, tt.at)) {
			t.Errorf("%+v: %v, %v", tt.given, spec, err)
		}
		switch {
		case tt.want == "" && len(notes) > 0:
			t.Errorf("%+v: noted %v", tt.given, notes)
		case tt.want != "" && (len(notes) != 1 || !strings.Contains(notes[0].String(), tt.want)):
			t.Errorf("%+v: noted %v, want %q", tt.given, notes, tt.want)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name           string
		given          Given
		pointer, wants string
	}{
		{"nothing", Given{Zone: "UTC"}, "", "exactly one of every_seconds, cron, at and in says when the job runs; none is given"},
		{"two", Given{Every: new(int64(0)), In: "5m"}, "", "2 are given"},
		{"all", Given{Every: new(int64(1)), In: "5m", At: "x", Cron: "y"}, "", "4 are given"},
		{"every 0", Given{Every: new(int64(0))}, "/every_seconds", "0 is out of range; allowed are 1 to 315619200 seconds"},
		{"every -1", Given{Every: new(int64(-1))}, "/every_seconds", "out of range"},
		{"every too much", Given{Every: new(int64(math.MaxInt64))}, "/every_seconds", "out of range"},
		{"no zone", Given{Cron: "@daily", Zone: "Europe/Berln"}, "/timezone", `there is no time zone "Europe/Berln"`},
		{"30 February", Given{Cron: "0 0 30 2 *", Zone: "UTC"}, "/cron", "would never run"},
		{"bad hour", Given{Cron: "0 25 * * *", Zone: "UTC"}, "/cron", `the hour field "25"`},
		{"always in a gap", Given{Cron: "*/30 2 8-14 3 */7", Zone: "America/New_York"}, "/cron", "no run in the next 50 years"},
		{"past", Given{At: "2026-11-23T08:59", Zone: "Europe/Berlin"}, "/at", "Monday 2026-11-23 08:59 +01:00 Europe/Berlin is past: it is Monday 2026-11-23 09:00 +01:00 Europe/Berlin"},
		{"last year", Given{At: "2025-11-24T09:00:00Z", Zone: "UTC"}, "/at", "2025-11-24 09:00 +00:00 UTC is past"},
		{"now", Given{At: now, Zone: "UTC"}, "/at", "is past"},
		{"no such day", Given{At: "2027-02-29T09:00", Zone: "UTC"}, "/at", "no moment"},
		{"no such hour", Given{At: "2027-02-28T24:00", Zone: "UTC"}, "/at", "no moment"},
		{"no time", Given{At: "2027-02-28", Zone: "UTC"}, "/at", "no moment"},
		{"words", Given{At: "tomorrow at nine o'clock", Zone: "UTC"}, "/at", "no moment"},
		{"American", Given{At: "02/28/2027 09:00:00", Zone: "UTC"}, "/at", "no moment"},
		{"seconds since 1970", Given{At: "1793505600", Zone: "UTC"}, "/at", "no moment"},
		{"year 0", Given{At: "0000-01-01T00:00:00Z", Zone: "UTC"}, "/at", "year is out of range"},
		{"year 10000", Given{At: "9999-12-31T23:59:59-12:00", Zone: "UTC"}, "/at", "year is out of range"},
		{"long", Given{At: strings.Repeat("2027-02-28T09:00", 1000), Zone: "UTC"}, "/at", "no moment"},
		{"not text", Given{At: "2027-02-28\x00\xff09:00:00", Zone: "UTC"}, "/at", "no moment"},
		{"blank", Given{At: "                    ", Zone: "UTC"}, "/at", "no moment"},
		{"a while", Given{In: "soon", Zone: "UTC"}, "/in", "a number is missing"},
	} {
		_, _, err := Parse(tt.given, moment(t, now))
		e := fault.As(err)
		if err == nil || e.Code != fault.InvalidArguments || !strings.Contains(e.Message.String(), tt.wants) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.wants)
			continue
		}
		problems, ok := e.Details.(schema.Problems)
		if !ok || len(problems) != 1 || problems[0].Pointer != tt.pointer {
			t.Errorf("%s: details %v, want %s", tt.name, e.Details, tt.pointer)
		}
		if e.Hint.IsZero() || len(e.Error()) > 600 || strings.Contains(e.Message.In(fault.Chinese)+e.Hint.String()+e.Hint.In(fault.Chinese), "%!") {
			t.Errorf("%s: hint %q; %q", tt.name, e.Hint, e.Message.In(fault.Chinese))
		}
	}
}

func TestWait(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"20m": 20 * time.Minute, "1h30m": 90 * time.Minute, "90s": 90 * time.Second, "2 days": 48 * time.Hour, "1d12h": 36 * time.Hour,
		"1 hour, 30 minutes": 90 * time.Minute, "1 hour and 5 min": 65 * time.Minute, "in 20 Minutes": 20 * time.Minute, "1.5h": 90 * time.Minute, "0.1h": 6 * time.Minute,
		"1w": 168 * time.Hour, "1小时30分钟": 90 * time.Minute, "20 分钟": 20 * time.Minute, "3天": 72 * time.Hour, "1s": time.Second, "1000ms and": 0,
		"": 0, " ": 0, "20": 0, "m": 0, "20m5": 0, "-5m": 0, "+5m": 0, "5m-": 0, "1..5h": 0, ".5h": 0, "5.h": 0, "1month": 0, "1 year": 0, "1mo": 0, "500ms": 0, "0s": 0, "0.5s": 0,
		"99999999999999999999999s": 0, "9999999999h": 0, "3653d": 3653 * 24 * time.Hour, "3654d": 0, "3653d1s": 0, "1e3s": 0, "PT20M": 0, "٣m": 0, "20m\x00": 0, "5,m": 0,
		strings.Repeat("1s", 51): 0,
	} {
		got, err := parseWait(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("parseWait(%q) = %v, %v; want %v", text, got, err, want)
		}
		if err != nil && (fault.As(err).Code != fault.InvalidArguments || len(err.Error()) > 300) {
			t.Errorf("parseWait(%q): %v", text, err)
		}
	}
}

// TestAnchored has periods keep their phase, wherever the clock is set to.
func TestAnchored(t *testing.T) {
	spec := Spec{Every: 7, Anchor: moment(t, "2026-11-23T08:00:00Z"), Zone: "UTC"}
	for _, tt := range []struct{ after, want string }{
		{"2026-11-23T08:00:00Z", "2026-11-23T08:00:07Z"},
		{"2026-11-23T08:00:06.999Z", "2026-11-23T08:00:07Z"},
		{"2026-11-23T08:00:07Z", "2026-11-23T08:00:14Z"},
		{"2026-11-23T08:00:07.001Z", "2026-11-23T08:00:14Z"},
		{"2027-11-23T08:00:00Z", "2027-11-23T08:00:01Z"}, // 31536000 is 7·4505142 + 6
		{"2026-11-23T07:00:00Z", "2026-11-23T08:00:00Z"}, // the clock was set back
	} {
		got, ok := spec.Next(moment(t, tt.after))
		if !ok || !got.Equal(moment(t, tt.want)) {
			t.Errorf("after %s runs at %s, want %s", tt.after, got, tt.want)
		}
	}
	spec.Anchor = moment(t, "2026-11-23T08:00:00.5Z")
	if got, ok := spec.Next(moment(t, "2026-11-23T08:00:07.4Z")); !ok || !got.Equal(moment(t, "2026-11-23T08:00:07.5Z")) {
		t.Errorf("runs at %s", got)
	}
	if got, ok := spec.Next(time.Unix(lastSecond, 0)); ok {
		t.Errorf("after the last second runs at %s", got)
	}
	if got, ok := spec.Next(time.Unix(math.MaxInt64, 0)); ok {
		t.Errorf("after all time runs at %s", got)
	}
	// It is the same across a change of the clock.
	spec = Spec{Every: 3600, Anchor: moment(t, "2026-10-25T00:30:00+02:00"), Zone: "Europe/Berlin"}
	var shown []string
	for _, run := range spec.Upcoming(spec.Anchor, 4) {
		shown = append(shown, run.Format("15:04-07"))
	}
	if !slices.Equal(shown, []string{"01:30+02", "02:30+02", "02:30+01", "03:30+01"}) {
		t.Errorf("%v", shown)
	}
}

func TestValidate(t *testing.T) {
	at := moment(t, now)
	for _, tt := range []struct {
		spec Spec
		want string
	}{
		{Spec{}, "none is given"}, {Spec{Every: 1, At: at, Zone: "UTC"}, "2 are given"}, {Spec{Every: -1, Zone: "UTC"}, "out of range"},
		{Spec{At: at, Zone: "Mars/Olympus"}, "no time zone"}, {Spec{Cron: "x", Zone: "UTC"}, "has 1 fields"},
		{Spec{At: at, Zone: "UTC"}, ""}, {Spec{Every: 1, Anchor: at, Zone: "UTC"}, ""}, {Spec{Cron: "@daily", Zone: "UTC"}, ""},
	} {
		err := tt.spec.Validate()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.spec, err, tt.want)
		}
		if next, ok := tt.spec.Next(at.Add(-time.Hour)); ok != (err == nil || tt.want == "2 are given") {
			t.Errorf("%+v runs at %s, %v", tt.spec, next, ok)
		}
	}
	if loc := (Spec{Zone: "Mars/Olympus"}).Location(); loc != time.UTC {
		t.Errorf("%s", loc)
	}
	once := Spec{At: at, Zone: "UTC"}
	if run, ok := once.Next(at); ok {
		t.Errorf("runs again at %s", run)
	}
	if runs := once.Upcoming(at.Add(-1), 3); len(runs) != 1 {
		t.Errorf("runs at %v", runs)
	}
}

func FuzzMoment(f *testing.F) {
	for _, seed := range []string{"2026-11-23T09:00:00Z", "2026-11-23 09:00", "2027-03-28T02:30", "2027/10/31 02:30:59.5 -0330", "20m", "1h30m", "2 days", "1.5h and 3 min", "9999-12-31T23:59:59-12:00", "1小时"} {
		f.Add(seed)
	}
	at, zones := moment(f, now), []string{"UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia"}
	f.Fuzz(func(t *testing.T, text string) {
		for _, zone := range zones {
			for _, given := range []Given{{At: text, Zone: zone}, {In: text, Zone: zone}, {At: text, Zone: zone, AllowPast: true}} {
				spec, _, err := Parse(given, at)
				if err != nil {
					if fault.As(err).Code != fault.InvalidArguments || len(err.Error()) > 1000 {
						t.Fatalf("%v", err)
					}
					continue
				}
				if next, ok := spec.Next(at); !ok || !next.After(at) {
					t.Fatalf("%q: %+v runs at %s", text, spec, next)
				}
				if err := spec.Validate(); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				if _, err := json.Marshal(spec); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
			}
		}
	})
}

func TestDescribe(t *testing.T) {
	for _, tt := range []struct {
		spec   Spec
		en, zh string
	}{
		{Spec{Every: 1}, "every second", "每秒"},
		{Spec{Every: 90}, "every 90 seconds", "每 90 秒"},
		{Spec{Every: 5400}, "every 90 minutes", "每 90 分钟"},
		{Spec{Every: 7200}, "every 2 hours", "每 2 小时"},
		{Spec{Every: 86400}, "every day", "每天"},
		{Spec{Every: 14 * 86400}, "every 2 weeks", "每 2 周"},
		{Spec{Cron: "30 9 * * 1-5", Zone: "Europe/Berlin"}, "every weekday at 09:30 (Europe/Berlin)", "每个工作日（周一至周五） 09:30（Europe/Berlin）"},
		{Spec{Cron: "x", Zone: "Europe/Berlin"}, `at no time: "x" is no cron expression`, `没有运行时间："x" 不是 cron 表达式`},
		{Spec{At: moment(t, now).Truncate(time.Second), Zone: "Asia/Shanghai"}, "once, on Monday 2026-11-23 16:00 +08:00 Asia/Shanghai", "一次：2026-11-23 星期一 16:00 +08:00 Asia/Shanghai"},
		{Spec{At: moment(t, "2026-11-23T08:00:05Z"), Zone: "+05:45"}, "once, on Monday 2026-11-23 13:45:05 +05:45", "一次：2026-11-23 星期一 13:45:05 +05:45"},
	} {
		d := tt.spec.Describe()
		if en, zh := d.In(fault.English), d.In(fault.Chinese); en != tt.en || zh != tt.zh {
			t.Errorf("%+v: %q, %q; want %q, %q", tt.spec, en, zh, tt.en, tt.zh)
		}
	}
}
