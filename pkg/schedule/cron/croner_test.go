package cron

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/schedule/zone"
)

var record = flag.Bool("record", false, "ask croner again for what is in testdata")

const (
	recorded = "testdata/croner.tsv.gz"
	// Later changes of clocks are not in every system's database.
	until = 1672531200 // 1 January 2023
)

// asked is a question to croner, and its answer.
type asked struct {
	zone, text string
	after      int64
	runs       []int64 // up to two
	refused    string  // what croner said instead
}

// TestCroner compares with what npm's croner answered to 20,000 questions. Each
// difference is of a class that explains it; see explain.
func TestCroner(t *testing.T) {
	if *record {
		cases := questions(rand.New(rand.NewPCG(20, 26)), 20_000)
		ask(t, cases)
		save(t, cases)
	}
	cases := read(t)
	if len(cases) != 20_000 {
		t.Fatalf("%d cases", len(cases))
	}
	judge(t, cases)
}

// TestCronerNow asks croner itself, other questions.
func TestCronerNow(t *testing.T) {
	cases := questions(rand.New(rand.NewPCG(17, 23)), 600)
	ask(t, cases)
	judge(t, cases)
}

// judge fails for what no class explains.
func judge(t *testing.T, cases []asked) {
	t.Helper()
	classes := map[string]int{}
	for _, c := range cases {
		loc := load(t, c.zone)
		e, err := Parse(c.text)
		var runs []int64
		if err == nil {
			runs = ahead(e, c.after, loc, true)
		}
		if c.refused == "" && same(runs, c.runs) {
			classes["same"]++
			continue
		}
		class := explain(c, e, loc)
		if classes[class]++; class == "" && classes[class] <= 20 {
			t.Errorf("%s %q after %s: %v, %v; croner %v %s", c.zone, c.text, time.Unix(c.after, 0).In(loc).Format(time.RFC3339), clockings(runs, loc), err, clockings(c.runs, loc), c.refused)
		}
	}
	t.Logf("%v", classes)
	if classes["same"] < len(cases)*9/10 {
		t.Errorf("only %d of %d are the same", classes["same"], len(cases))
	}
}

// same reports whether runs are the same, up to the end of what is compared.
func same(a, b []int64) bool {
	for i := range 2 {
		x, y := int64(until), int64(until)
		if i < len(a) {
			x = min(a[i], until)
		}
		if i < len(b) {
			y = min(b[i], until)
		}
		if x != y {
			return false
		}
	}
	return true
}

// explain returns the class of a difference, or "".
func explain(c asked, e *Expression, loc *time.Location) string {
	if e == nil {
		if c.refused == "" && len(c.runs) == 0 {
			return "never: refused here, no runs there"
		}
		return ""
	}
	like, class := *e, ""
	// croner leaves all days out where a step begins at 7; here that is Sunday.
	if strings.HasPrefix(e.fields[dayOfWeek], "7/") {
		like.days.dow, class = 0, "a step from 7: Sunday here, no day there"
	}
	// For croner only * itself is a star where it joins the days. cron(8) looks at the first
	// character of the field.
	if dom, dow := e.fields[dayOfMonth], e.fields[dayOfWeek]; star(dom) && len(dom) > 1 && dow != "*" || star(dow) && len(dow) > 1 && dom != "*" {
		like.days.both, class = false, "a star with a step: both days here, either there"
	}
	if same(ahead(&like, c.after, loc, true), c.runs) {
		return class
	}
	if same(ahead(&like, c.after, loc, false), c.runs) {
		return "a gap over midnight: a run at its end here, none there"
	}
	return ""
}

// ahead returns two runs after an instant; without over, none for times of the day before
// the one on which a gap ends.
func ahead(e *Expression, after int64, loc *time.Location, over bool) []int64 {
	var runs []int64
	for at := time.Unix(after, 0); len(runs) < 2; {
		next, ok := e.Next(at, loc)
		if !ok {
			break
		}
		at = next
		clock := zone.StretchAt(next.Unix(), loc).Clock(next.Unix())
		if _, today := e.nextClock(clock/secondsOfDay*secondsOfDay, clock); over || e.shows(next) || today {
			runs = append(runs, next.Unix())
		}
	}
	return runs
}

func clockings(seconds []int64, loc *time.Location) []string {
	var out []string
	for i := range seconds {
		out = append(out, instant(seconds, i, loc))
	}
	return out
}

// cronerZones are those of the questions: clocks that change in all ways there are.
const cronerZones = `America/New_York America/Chicago America/Los_Angeles America/Toronto America/St_Johns America/Halifax
America/Havana America/Sao_Paulo America/Santiago America/Asuncion America/Caracas America/Mexico_City America/Scoresbysund
America/Nuuk America/Argentina/San_Luis Europe/London Europe/Berlin Europe/Dublin Europe/Moscow Europe/Istanbul Europe/Volgograd
Europe/Lisbon Atlantic/Azores Africa/Cairo Africa/Casablanca Africa/Tripoli Asia/Beirut Asia/Amman Asia/Damascus Asia/Gaza
Asia/Jerusalem Asia/Tehran Asia/Kolkata Asia/Kathmandu Asia/Shanghai Asia/Tokyo Asia/Pyongyang Asia/Dhaka Asia/Karachi Asia/Baku
Asia/Ulaanbaatar Australia/Sydney Australia/Lord_Howe Australia/Adelaide Australia/Perth Pacific/Auckland Pacific/Chatham
Pacific/Apia Pacific/Fiji Pacific/Norfolk Antarctica/Troll UTC`

// questions returns random expressions, most of them aimed at a change of a zone's clock.
func questions(r *rand.Rand, n int) []asked {
	zones := strings.Fields(cronerZones)
	out := make([]asked, 0, n)
	for range n {
		name := zones[r.IntN(len(zones))]
		loc, err := time.LoadLocation(name)
		if err != nil {
			panic(err)
		}
		at := time.Unix(1104537600+r.Int64N(until-1104537600-2*366*secondsOfDay), 0).In(loc) // from 2005 on
		if r.IntN(5) > 0 {
			if _, change := at.ZoneBounds(); !change.IsZero() && change.Unix() < until-366*secondsOfDay {
				at = change.Add(time.Duration(r.IntN(5*3600)-3*3600) * time.Second)
			}
		}
		out = append(out, asked{zone: name, text: question(r, at), after: at.Unix() - r.Int64N(30*3600)})
	}
	return out
}

// question returns an expression that may match at a time or shortly before or after it.
func question(r *rand.Rand, at time.Time) string {
	near := func(v, by, least, greatest int) int { return min(max(v+r.IntN(2*by+1)-by, least), greatest) }
	set := func(v, by, least, greatest int) string {
		a := near(v, by, least, greatest)
		switch r.IntN(8) {
		case 0:
			return fmt.Sprintf("*/%d", 1+r.IntN((greatest-least)/2))
		case 1:
			return fmt.Sprintf("%d-%d", a, near(greatest, (greatest-a)/2, a, greatest))
		case 2:
			return fmt.Sprintf("%d,%d", a, near(v, 3*by, least, greatest))
		case 3:
			return fmt.Sprintf("%d/%d", a, 1+r.IntN((greatest-least)/2))
		case 4:
			return "*"
		default:
			return strconv.Itoa(a)
		}
	}
	minute, hour := set(at.Minute()/5*5, 30, 0, 59), set(at.Hour(), 1, 0, 23)
	dom, month, dow := "*", "*", "*"
	switch r.IntN(12) {
	case 0, 1:
		dom = set(at.Day(), 1, 1, 31)
	case 2, 3:
		dow = set(int(at.Weekday()), 1, 0, 6)
	case 4:
		dom, dow = set(at.Day(), 1, 1, 31), set(int(at.Weekday()), 1, 0, 7)
	case 5:
		dom = []string{"L", "LW", "1W", "15W", "31W", "29", "?", "30,31"}[r.IntN(8)]
	case 6:
		dow = []string{"7", "SUN", "FRI#2", "5L", "MON-FRI", "0#1", "5-7", "sat#L", "+MON", "?"}[r.IntN(10)]
	case 7:
		dom, dow = "1-7", "+"+at.Weekday().String()[:3]
	}
	switch r.IntN(12) {
	case 0:
		month = set(int(at.Month()), 1, 1, 12)
	case 1:
		month = at.Month().String()[:3]
	case 2:
		dom, month = "29", "2"
	}
	text := strings.Join([]string{minute, hour, dom, month, dow}, " ")
	if r.IntN(6) == 0 {
		text = []string{"0", "30", "*/20", "5,55", "0-2"}[r.IntN(5)] + " " + text
	}
	return text
}

// ask asks croner.
func ask(t *testing.T, cases []asked) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	modules := os.Getenv("HELVE_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, "croner")); modules == "" || err != nil {
		t.Skip("no croner")
	}
	input := make([][3]any, len(cases))
	for i, c := range cases {
		input[i] = [3]any{c.zone, c.text, c.after}
	}
	in, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join("..", "..", "..", "scripts", "judges", "schedules.cjs"))
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []json.RawMessage
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(cases) {
		t.Fatalf("%d answers: %v", len(answers), err)
	}
	for i, answer := range answers {
		into := any(&cases[i].runs)
		if bytes.HasPrefix(answer, []byte(`"`)) {
			into = &cases[i].refused
		}
		if err := json.Unmarshal(answer, into); err != nil {
			t.Fatal(err)
		}
	}
}

// save writes the cases: zone, expression, seconds, and after how many more it runs.
func save(t *testing.T, cases []asked) {
	t.Helper()
	slices.SortStableFunc(cases, func(a, b asked) int { return strings.Compare(a.zone, b.zone) })
	var file bytes.Buffer
	z, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		line := fmt.Sprintf("%s\t%s\t%d\t%s", c.zone, c.text, c.after, c.refused)
		for _, run := range c.runs {
			line += fmt.Sprintf("\t%d", run-c.after)
		}
		if _, err := fmt.Fprintln(z, line); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recorded, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// read returns what save wrote.
func read(t *testing.T) []asked {
	t.Helper()
	file, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var out []asked
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		c := asked{zone: fields[0], text: fields[1], refused: fields[3]}
		for i, field := range fields[2:] {
			n, err := strconv.ParseInt(field, 10, 64)
			switch {
			case i == 1:
				continue
			case err != nil:
				t.Fatal(err)
			case i == 0:
				c.after = n
			default:
				c.runs = append(c.runs, c.after+n)
			}
		}
		out = append(out, c)
	}
	return out
}
