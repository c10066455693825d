package program

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// TestTable checks that each name is in one row only, and every row.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, family := range families {
		for _, p := range family() {
			if p.names == "" {
				t.Errorf("a row has no name: %+v", p)
			}
			checkNames(t, seen, &p)
			checkRow(t, &p)
		}
	}
	if len(seen) < 560 {
		t.Errorf("the table knows only %d programs", len(seen))
	}
}

func checkNames(t *testing.T, seen map[string]bool, p *Row) {
	t.Helper()
	for name := range strings.FieldsSeq(p.names) {
		if seen[name] {
			t.Errorf("%s is in two rows", name)
		}
		seen[name] = true
	}
}

// checkRow checks that each option is in one column of the row and is written as
// options are, and that no column is one that nobody reads.
func checkRow(t *testing.T, p *Row) {
	t.Helper()
	seen := map[string]bool{}
	listed := false
	for _, o := range p.columns() {
		listed = listed || *o != options{}
		for _, letter := range strings.ReplaceAll(o.short, ":", "") {
			if seen[string(letter)] {
				t.Errorf("%s: -%c is listed twice", p.names, letter)
			}
			seen[string(letter)] = true
		}
		if strings.HasPrefix(o.short, ":") || strings.Contains(o.short, "::") {
			t.Errorf("%s: a colon follows no letter in %s", p.names, o.short)
		}
		for long := range strings.FieldsSeq(o.long) {
			long = strings.TrimRight(long, "=?")
			if seen[long] || len(long) < 2 || strings.HasPrefix(long, "-") {
				t.Errorf("%s: --%s is listed twice or misspelt", p.names, long)
			}
			seen[long] = true
		}
	}
	if p.commands != nil && (p.judge != nil || listed) {
		t.Errorf("%s has subcommands and columns that are not read beside them", p.names)
	}
	if listed && p.operands == words && p.harmless == (options{}) && p.judge == nil {
		t.Errorf("%s has columns that are not read: its operands are words and no option is harmless", p.names)
	}
	if p.does == 0 && p.others == ignored && p.judge == nil && p.operands != outputs {
		t.Errorf("%s lets any option pass and does nothing", p.names)
	}
	names := map[string]bool{}
	for i := range p.commands {
		sub := &p.commands[i]
		if sub.names == "" && i < len(p.commands)-1 {
			t.Errorf("%s: the row for every other subcommand is not the last", p.names)
		}
		checkNames(t, names, sub)
		checkRow(t, sub)
	}
}

func TestLookup(t *testing.T) {
	for name, row := range map[string]string{
		"python3.12": "python", "node20": "node", "m4": "m4", "m42": "m4", "mkfs.xfs": "mkfs", "pip3": "pip", "ls2": "", "python-x": "", "": "", "3.": "",
	} {
		p := Lookup(name)
		if p == nil && row != "" || p != nil && (row == "" || !word.Listed(p.names, row)) {
			t.Errorf("%q is found as %+v, want %q", name, p, row)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		index(families)
	}
}
