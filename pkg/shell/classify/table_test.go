package classify

import (
	"strings"
	"testing"
)

// TestTable checks that each name is in one row, that options are written as the
// rows say, and that no row has a column that is not read.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, family := range families() {
		for _, p := range family() {
			for name := range strings.FieldsSeq(p.names) {
				if seen[name] {
					t.Errorf("%s is in two rows", name)
				}
				seen[name] = true
			}
			if p.names == "" {
				t.Errorf("a row has no name: %+v", p)
			}
			if p.judge != nil && p.commands != nil {
				t.Errorf("%s has subcommands that are not judged", p.names)
			}
			if p.does == 0 && p.others == ignored && p.judge == nil && p.operands != outputs {
				t.Errorf("%s lets any option pass and does nothing", p.names)
			}
			once := map[string]bool{}
			for _, o := range p.columns() {
				for _, letter := range strings.ReplaceAll(o.short, ":", "") {
					if once[string(letter)] {
						t.Errorf("%s: -%c is listed twice", p.names, letter)
					}
					once[string(letter)] = true
				}
				if strings.HasPrefix(o.short, ":") || strings.Contains(o.short, "::") {
					t.Errorf("%s: a colon follows no letter in %s", p.names, o.short)
				}
				for long := range strings.FieldsSeq(o.long) {
					long = strings.TrimRight(long, "=?")
					if once[long] || len(long) < 2 || strings.HasPrefix(long, "-") {
						t.Errorf("%s: --%s is listed twice or misspelt", p.names, long)
					}
					once[long] = true
				}
			}
		}
	}
	if len(seen) < 560 {
		t.Errorf("the table knows only %d programs", len(seen))
	}
}

func TestLookup(t *testing.T) {
	for name, row := range map[string]string{
		"python3.12": "python", "node20": "node", "m4": "m4", "m42": "m4", "mkfs.xfs": "mkfs", "pip3": "pip", "ls2": "", "python-x": "", "": "", "3.": "",
	} {
		p := lookup(name)
		if p == nil && row != "" || p != nil && (row == "" || !hasField(p.names, row)) {
			t.Errorf("%q is found as %+v, want %q", name, p, row)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		build()
	}
}
