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

// known is a command of testdata/verdicts.tsv with its verdict.
type known struct {
	risk    policy.Risk
	denied  bool
	flags   []Flag
	command string
}

// verdicts reads testdata/verdicts.tsv.
func verdicts(t testing.TB) []known {
	t.Helper()
	var all []known
	for _, line := range lines(t, "testdata/verdicts.tsv") {
		columns := strings.SplitN(line, "\t", 3)
		if len(columns) != 3 {
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
	all := verdicts(t)
	if len(all) < 1152 {
		t.Errorf("only %d cases", len(all))
	}
	for _, k := range all {
		v := Classify(k.command, world)
		if d := cmp.Diff(k, known{v.Risk, v.HardDeny, v.Flags, k.command}, cmp.AllowUnexported(known{})); d != "" {
			t.Errorf("%q: %s%v", k.command, d, v.Reasons)
		} else if v.Risk.Worse(Read) && len(v.Reasons) == 0 {
			t.Errorf("%q is %s for no reason", k.command, v.Risk)
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
