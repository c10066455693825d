package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// records are a log's, with errors as their codes.
func records(t *testing.T, l *Log) []string {
	t.Helper()
	var all []string
	for record, err := range l.Records() {
		if err != nil {
			record = []byte(fault.As(err).Code)
		}
		all = append(all, string(record))
	}
	// From the end they are the same.
	var newest []string
	for record, err := range l.Newest() {
		if err != nil {
			record = []byte(fault.As(err).Code)
		}
		newest = append(newest, string(record))
	}
	if slices.Reverse(newest); !slices.Equal(all, newest) {
		t.Errorf("from the end: %.300q, not %.300q", newest, all)
	}
	return all
}

func TestLog(t *testing.T) {
	long := strings.Repeat("x", 100<<10) // more than one buffer
	tests := map[string]struct {
		before string // what the file holds
		add    []string
		want   []string
	}{
		"new":               {"", []string{"1", "2"}, []string{"1", "2"}},
		"longer":            {"1\n", []string{long, "3"}, []string{"1", long, "3"}},
		"torn":              {"1\n{\"ha", nil, []string{"1"}},
		"torn, then more":   {"1\n{\"ha", []string{"2", "3"}, []string{"1", `{"ha`, "2", "3"}},
		"torn by a power":   {"1\n\x00\x00\x00", []string{"2"}, []string{"1", "\x00\x00\x00", "2"}},
		"empty lines":       {"\n\n1\n\n", []string{"2"}, []string{"1", "2"}},
		"only a torn one":   {"abc", nil, nil},
		"an endless line":   {strings.Repeat("y", 32<<20+1) + "\n1\n", []string{"2"}, []string{"too_large", "1", "2"}},
		"the longest there": {strings.Repeat("y", 32<<20) + "\n", []string{"2"}, []string{strings.Repeat("y", 32<<20), "2"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := fresh(t, Options{})
			l := must[*Log](t)(d.Log("events", 0))
			if tt.before != "" {
				check(t, os.WriteFile(at(t, d, "events.jsonl"), []byte(tt.before), 0o600))
			}
			for i, record := range tt.add {
				check(t, l.Append([]byte(record), i%2 == 0))
			}
			if got := records(t, l); !slices.Equal(got, tt.want) {
				t.Errorf("got %.200q, want %.200q", got, tt.want)
			}
		})
	}
}

func TestLogRefusesWhatIsNoLine(t *testing.T) {
	d := fresh(t, Options{})
	l := must[*Log](t)(d.Log("events", 0))
	for record, code := range map[string]fault.Code{
		"": fault.Internal, "a\nb": fault.Internal, strings.Repeat("x", 32<<20+1): fault.TooLarge,
	} {
		if err := l.Append([]byte(record), false); !fault.Is(err, code) {
			t.Errorf("%.10q: %v", record, err)
		}
	}
	if got := records(t, l); got != nil {
		t.Errorf("records %.100q", got)
	}
}

func TestLogRotation(t *testing.T) {
	d := fresh(t, Options{})
	l := must[*Log](t)(d.Log("sub/events", 10))
	for i := range 8 {
		check(t, l.Append([]byte(strconv.Itoa(1000+i)), false))
	}
	// Two records make ten bytes, so a file has two; two files are kept.
	if diff := cmp.Diff([]string{"1004", "1005", "1006", "1007"}, records(t, l)); diff != "" {
		t.Error(diff)
	}
	if n := must[int](t)(l.Dropped()); n != 4 {
		t.Errorf("%d were dropped", n)
	}
	check(t, os.WriteFile(at(t, d, l.dropped()), []byte("4x"), 0o600))
	if n := must[int](t)(l.Dropped()); n != 0 {
		t.Errorf("%d were dropped, by a damaged count", n)
	}
	check(t, l.Remove())
	if got := records(t, l); got != nil {
		t.Errorf("records after Remove: %q", got)
	}
}

func TestLogBytes(t *testing.T) {
	d := fresh(t, Options{})
	l := must[*Log](t)(d.Log("events", LogBytes))
	record := bytes.Repeat([]byte("x"), 4<<20-1) // two of them with their newlines make 8 MiB
	for i := range 3 {
		check(t, l.Append(record, false))
		if _, err := os.Lstat(at(t, d, l.older())); (err == nil) != (i == 2) {
			t.Errorf("older generation after record %d: %v", i+1, err)
		}
	}
}

func TestTail(t *testing.T) {
	d := fresh(t, Options{})
	l := must[*Log](t)(d.Log("a/log", 0))
	tail := l.Tail()
	next := func() (got []string) {
		for record, err := range tail.Records() {
			check(t, err)
			got = append(got, string(record))
		}
		return got
	}
	if exists := must[bool](t)(l.Exists()); exists || next() != nil {
		t.Error("a log that nobody wrote has something")
	}
	long := strings.Repeat("x", 200<<10)
	check(t, l.Append([]byte("one"), true))
	check(t, l.Append([]byte(long), false))
	if exists := must[bool](t)(l.Exists()); !exists {
		t.Error("the log does not exist")
	}
	if diff := cmp.Diff([]string{"one", long}, next()); diff != "" {
		t.Error(diff)
	}
	f := must[*os.File](t)(os.OpenFile(at(t, d, "a/log.jsonl"), os.O_APPEND|os.O_WRONLY, 0))
	defer f.Close()
	for _, step := range []struct {
		text string
		want []string
	}{{"", nil}, {"tw", nil}, {"o\n\nthr", []string{"two"}}, {"ee\n", []string{"three"}}} {
		must[int](t)(f.WriteString(step.text))
		if diff := cmp.Diff(step.want, next()); diff != "" {
			t.Errorf("%q: %s", step.text, diff)
		}
	}
	// A reader that stops goes on behind what it got.
	must[int](t)(f.WriteString("4\n5\n6\n"))
	for record, err := range tail.Records() {
		check(t, err)
		if string(record) == "5" {
			break
		}
	}
	if diff := cmp.Diff([]string{"6"}, next()); diff != "" {
		t.Error(diff)
	}
}

func TestLogReplace(t *testing.T) {
	d := fresh(t, Options{})
	l := must[*Log](t)(d.Log("events", 0))
	check(t, l.Append([]byte("old"), true))
	check(t, l.Replace(func(yield func([]byte) bool) { _ = yield([]byte("new")) && yield([]byte("er")) }))
	check(t, l.Append([]byte("est"), false))
	check(t, l.Sync())
	if diff := cmp.Diff([]string{"new", "er", "est"}, records(t, l)); diff != "" {
		t.Error(diff)
	}
}

func TestManyProcessesAppend(t *testing.T) {
	const processes, times = 20, 25
	for name, most := range map[string]int64{"growing": 0, "rotated": 1 << 20} {
		t.Run(name, func(t *testing.T) {
			d := fresh(t, Options{})
			running := make([]*exec.Cmd, processes)
			for i := range running {
				running[i] = child(t, d, "append", strconv.Itoa(i), strconv.Itoa(times), strconv.FormatInt(most, 10))
				check(t, running[i].Start())
			}
			for _, cmd := range running {
				check(t, cmd.Wait())
			}
			next := make([]int, processes)
			for _, line := range records(t, must[*Log](t)(d.Log("events", most))) {
				var r struct{ Who, N int }
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
				if r.N != next[r.Who] {
					t.Fatalf("process %d: record %d where %d was due", r.Who, r.N, next[r.Who])
				}
				next[r.Who]++
			}
			for who, n := range next {
				if n != times {
					t.Errorf("process %d has %d records", who, n)
				}
			}
		})
	}
}

// FuzzSplit compares with bytes.Split, which is simpler and needs all in memory.
func FuzzSplit(f *testing.F) {
	f.Add([]byte("a\n\nb\nc"), 3)
	f.Add(bytes.Repeat([]byte("x"), 70<<10), 4096)
	f.Fuzz(func(t *testing.T, data []byte, chunk int) {
		var want []string
		parts := bytes.Split(data, []byte("\n"))
		for _, part := range parts[:len(parts)-1] {
			if len(part) > 0 {
				want = append(want, string(part))
			}
		}
		var got []string
		for line, err := range Lines(&slow{data, max(1, chunk%8192)}, new(int64)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(line))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// slow reads a few bytes at a time.
type slow struct {
	data []byte
	n    int
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.n)], s.data)
	s.data = s.data[n:]
	return n, nil
}

func TestSplitGivesErrors(t *testing.T) {
	var got []string
	for line, err := range Lines(io.MultiReader(strings.NewReader("a\nb"), broken{}), new(int64)) {
		got = append(got, fmt.Sprintf("%s %v", line, err))
	}
	if diff := cmp.Diff([]string{"a <nil>", " broken"}, got); diff != "" {
		t.Error(diff)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, fmt.Errorf("broken") }
