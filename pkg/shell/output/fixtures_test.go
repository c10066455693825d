package output_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// most is the size of output that exec shows by default.
const most = 10_000

// fixture is the output of a program, and the facts about failures in it.
type fixture struct {
	name     string
	recorded bool // by running the program, not from its documentation
	command  string
	status   int
	facts    []string
	text     string
}

// fixtures reads the files in testdata: a comment with the program's version, or with
// "documented", the command, its status, the facts one a line, "---" and the output.
func fixtures(t testing.TB) []fixture {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []fixture
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head, text, ok := strings.Cut(string(data), "\n---\n")
		if !ok {
			t.Fatalf("%s has no line ---", name)
		}
		f := fixture{name: strings.TrimSuffix(filepath.Base(name), ".txt"), recorded: true, text: run.Text([]byte(text), false)}
		for line := range strings.SplitSeq(head, "\n") {
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "#":
				f.recorded = !strings.HasPrefix(rest, "documented")
			case "$":
				f.command = rest
			case "exit":
				if f.status, err = strconv.Atoi(rest); err != nil {
					t.Fatal(err)
				}
			case "fact":
				f.facts = append(f.facts, rest)
			default:
				t.Fatalf("%s: %q", name, line)
			}
		}
		all = append(all, f)
	}
	return all
}

func (f *fixture) source() output.Source {
	return output.Of(f.command, classify.Classify(f.command, classify.Options{}).Commands, f.status)
}

// TestFacts reduces recorded outputs and looks for every fact about a failure.
func TestFacts(t *testing.T) {
	all := fixtures(t)
	var shares []int
	recorded := 0
	for _, f := range all {
		got := output.Fit(f.text, most, f.source())
		if !utf8.ValidString(got.Text) || len(got.Text) > len(f.text)+256 {
			t.Errorf("%s: %d bytes become %d", f.name, len(f.text), len(got.Text))
		}
		for _, fact := range f.facts {
			if !strings.Contains(f.text, fact) && !strings.Contains(f.command, "-json") {
				t.Errorf("%s: the output does not say %q", f.name, fact)
			}
			if !strings.Contains(got.Text, fact) {
				t.Errorf("%s: lost %q", f.name, fact)
			}
		}
		if len(f.facts) == 0 {
			t.Errorf("%s lists no facts", f.name)
		}
		if strings.Contains(f.text, "/root/") || strings.Contains(f.text, "/tmp/") {
			t.Errorf("%s names a path of the machine that recorded it", f.name)
		}
		if f.recorded {
			recorded++
			shares = append(shares, len(got.Text)*1000/len(f.text))
		}
		by := ""
		if got.Reduced != nil {
			by = got.Reduced.By
		}
		t.Logf("%-26s %7d -> %5d  %4.1f%%  %s", f.name, len(f.text), len(got.Text), 100*float64(len(got.Text))/float64(len(f.text)), by)
	}
	if recorded < 60 {
		t.Errorf("%d recorded outputs, want at least 60", recorded)
	}
	slices.Sort(shares)
	if median := shares[len(shares)/2]; median > 150 {
		t.Errorf("the median output keeps %d per mille of its bytes, want at most 150", median)
	}
}

// TestNamesAboveMessages keeps the name of each test that failed directly above its
// message, and no other name.
func TestNamesAboveMessages(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.name != "go-test-v-subtests" {
			continue
		}
		const want = `=== RUN   TestPrice/of_5_pieces
    price_test.go:20: got 16, want the price of the list
=== RUN   TestPrice/of_22_pieces
    price_test.go:20: got 67, want the price of the list
=== RUN   TestPrice/of_39_pieces
    price_test.go:20: got 118, want the price of the list
--- FAIL: TestPrice (0.00s)
[41 tests passed]
    --- FAIL: TestPrice/of_5_pieces (0.00s)
    --- FAIL: TestPrice/of_22_pieces (0.00s)
    --- FAIL: TestPrice/of_39_pieces (0.00s)
=== CONT  TestStock/pears
    price_test.go:31: stock counted twice
    price_test.go:32: 3 pieces are lost
=== CONT  TestStock/plums
    price_test.go:31: stock counted twice
    price_test.go:32: 3 pieces are lost
--- FAIL: TestStock (0.00s)
    --- FAIL: TestStock/pears (0.00s)
    --- FAIL: TestStock/plums (0.00s)
=== RUN   TestOrder/full
order 12 sent
--- FAIL: TestOrder (0.00s)
    --- FAIL: TestOrder/full (0.00s)
FAIL
`
		got := output.Fit(f.text, most, f.source()).Text
		if d := cmp.Diff(want, got[:max(0, strings.LastIndex(got, "FAIL\texample.com"))]); d != "" {
			t.Error(d)
		}
		// When not all fits, a name stays with its message.
		lines := strings.Split(output.Fit(strings.Repeat(f.text, 30), 2000, output.Source{Commands: f.source().Commands}).Text, "\n")
		shown := 0
		for i, line := range lines {
			if strings.Contains(line, "3 pieces are lost") {
				shown++
				if !strings.HasPrefix(lines[max(0, i-2)], "=== CONT  TestStock/p") {
					t.Errorf("line %d, %q, has no name above it:\n%s", i, line, strings.Join(lines, "\n"))
				}
			}
		}
		if shown == 0 {
			t.Error("no message of TestStock is shown")
		}
		return
	}
	t.Error("there is no such fixture")
}
