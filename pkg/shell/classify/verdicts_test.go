package classify

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/policy"
)

// known is a command of testdata with its verdict.
type known struct {
	risk    policy.Risk
	denied  bool
	flags   []Flag
	command string
}

// verdicts reads a file of commands with their verdicts.
func verdicts(t testing.TB, name string) []known {
	t.Helper()
	var all []known
	for _, line := range lines(t, "testdata/"+name) {
		columns := strings.Split(line, "\t")
		if len(columns) < 3 {
			t.Fatalf("%q has not three columns", line)
		}
		k := known{risk: policy.Risk(columns[0]), command: columns[2]}
		if k.denied = columns[0] == "denied"; k.denied {
			k.risk = Destructive
		}
		if columns[1] != "-" {
			for flag := range strings.SplitSeq(columns[1], ",") {
				k.flags = append(k.flags, Flag(flag))
			}
		}
		if strings.HasPrefix(k.command, `"`) {
			unquoted, err := strconv.Unquote(k.command)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			k.command = unquoted
		}
		all = append(all, k)
	}
	return all
}

// lines reads a file of tests without its comments and empty lines.
func lines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(string(text), "\n")
	return slices.DeleteFunc(all, func(line string) bool { return line == "" || line[0] == '#' })
}

func TestVerdicts(t *testing.T) {
	all := verdicts(t, "verdicts.tsv")
	if len(all) < 1400 {
		t.Errorf("only %d cases", len(all))
	}
	holds(t, all, world)
}

// TestHostile judges commands that do harm. None of them only reads.
func TestHostile(t *testing.T) {
	all := verdicts(t, "hostile.tsv")
	all = append(all, verdicts(t, "disguised.tsv")...)
	if len(all) < 1200 {
		t.Errorf("only %d commands", len(all))
	}
	for _, k := range all {
		if k.risk == Read {
			t.Errorf("%q is expected to read", k.command)
		}
	}
	holds(t, all, world)
}

// TestDaily judges commands of daily work in a Go and Node project that git tracks.
// A test of exec counts how many are asked about.
func TestDaily(t *testing.T) {
	all := append(verdicts(t, "daily.tsv"), verdicts(t, "documented.tsv")...)
	if len(all) < 1000 {
		t.Errorf("only %d commands", len(all))
	}
	o := world
	files := strings.Fields(".git go.mod package.json main.go src build node_modules/.bin/tsc node_modules/.bin/eslint node_modules/.bin/jest " +
		"node_modules/.bin/prettier node_modules/.bin/vitest")
	o.Exists = func(abs string) bool { return slices.Contains(files, strings.TrimPrefix(abs, o.Root+"/")) }
	ignored := strings.Fields("node_modules dist .next coverage __pycache__ .pytest_cache .venv build target")
	o.Loss = func(abs string, deletes bool) policy.Risk {
		top, _, _ := strings.Cut(strings.TrimPrefix(abs, o.Root+"/"), "/")
		if deletes && !slices.Contains(ignored, top) {
			return Destructive
		}
		return Write
	}
	o.LossNamed = func(_, name string) policy.Risk { return o.Loss(o.Root+"/"+name, true) }
	o.OwnProcesses, o.OwnLoopback = true, true
	holds(t, all, o)
}

// holds compares commands with their verdicts.
func holds(t *testing.T, all []known, o Options) {
	t.Helper()
	for _, k := range all {
		v := Classify(k.command, o)
		if d := cmp.Diff(k, known{v.Risk, v.HardDeny, v.Flags, k.command}, cmp.AllowUnexported(known{})); d != "" {
			t.Errorf("%q: %s%v", k.command, d, v.Reasons)
		} else if v.Risk.Worse(Read) && len(v.Reasons) == 0 {
			t.Errorf("%q is %s for no reason", k.command, v.Risk)
		}
		followed(t, k.command, v)
	}
}

// followed checks that the judgement did not give up half-way.
func followed(t *testing.T, command string, v Verdict) {
	t.Helper()
	for _, why := range v.Reasons {
		if strings.Contains(why.String(), "could not be analyzed") {
			t.Errorf("%q: %s", command, why)
		}
	}
}

// TestCollected judges commands that have fooled other judges, and plain ones. A
// command may be judged worse than it is labelled, except one that only reads.
func TestCollected(t *testing.T) {
	judged := 0
	for _, line := range lines(t, "testdata/collected.tsv") {
		label, quoted, ok := strings.Cut(line, "\t")
		var command string
		if err := json.Unmarshal([]byte(quoted), &command); err != nil || !ok {
			t.Fatalf("%s: %v", line, err)
		}
		judged++
		want := policy.Risk(label)
		if v := Classify(command, world); want.Worse(v.Risk) || want == Read && v.Risk != Read {
			t.Errorf("%q is %s, want %s: %v", command, v.Risk, label, v.Reasons)
		}
	}
	if judged < 190 {
		t.Errorf("only %d commands", judged)
	}
}
