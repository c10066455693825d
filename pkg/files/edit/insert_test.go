package edit

import (
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
)

func TestInsert(t *testing.T) {
	for _, c := range []struct {
		name, src, new string
		after          int
		want           string
		code           fault.Code
	}{
		{"between", "a\nb\n", "x", 1, "a\nx\nb\n", ""},
		{"before the first line", "a\nb\n", "x\n", 0, "x\na\nb\n", ""},
		{"at the end", "a\nb\n", "x\ny", 2, "a\nb\nx\ny\n", ""},
		{"after a last line without an ending", "a\nb", "x\n", 2, "a\nb\nx", ""},
		{"before it", "a\nb", "x", 1, "a\nx\nb", ""},
		{"with the line endings of the file", "a\r\nb\r\n", "x\ny\n", 1, "a\r\nx\r\ny\r\nb\r\n", ""},
		{"at the end of it", "a\r\nb\r\n", "x", 2, "a\r\nb\r\nx\r\n", ""},
		{"into nothing", "", "x", 0, "x\n", ""},
		{"an empty line", "a\nb\n", "\n", 1, "a\n\nb\n", ""},
		{"nothing", "a\n", "", 1, "a\n", fault.NoChange},
		{"beyond the end", "a\nb\n", "x", 3, "a\nb\n", fault.OutOfRange},
		{"a negative line", "a\n", "x", -1, "a\n", fault.InvalidArguments},
		{"an omission", "a\nb\n", "// ... rest of the code unchanged ...", 1, "a\nb\n", fault.Placeholder},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Apply(c.src, []Edit{{New: c.new, Insert: &c.after}}, Options{Path: "a.txt"})
			if r.Text != c.want || c.code == "" && err != nil || c.code != "" && !fault.Is(err, c.code) {
				t.Errorf("%q, %v", r.Text, err)
			}
		})
	}
	after := 1
	if _, err := Apply("a\n", []Edit{{Old: "a", New: "b", Insert: &after}}, Options{}); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("with old_text: %v", err)
	}
	was := shown.Version{Text: "a\nb\n", Lines: []shown.Lines{{Start: 1, End: 2}}}
	if _, err := Apply("new\na\nb\n", []Edit{{New: "x", Insert: &after}}, Options{Path: "a.txt", Shown: []shown.Version{was}}); !fault.Is(err, fault.Stale) {
		t.Errorf("in a file that has changed: %v", err)
	}
	// In turn, line numbers are those of the text so far.
	first := 0
	r, err := Apply("a\nb\n", []Edit{{New: "x", Insert: &first}, {New: "y", Insert: &after}}, Options{Path: "a.txt", Sequential: true})
	if r.Text != "x\ny\na\nb\n" || err != nil {
		t.Errorf("%q, %v", r.Text, err)
	}
}
