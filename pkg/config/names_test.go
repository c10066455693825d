package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPublished reads tools.names as an object and as a list. A bad entry is left out
// with a warning, and the file still holds.
func TestPublished(t *testing.T) {
	want := []Published{
		{Name: "read_file", Tool: "read", Doc: "Read it.", DocZH: "读取。", Arguments: map[string]string{"path": "file_path"}},
		{Name: "run", Tool: "exec"},
	}
	for _, text := range []string{
		`{"tools":{"names":{"read_file":{"tool":"read","doc":"Read it.","doc_zh":"读取。","arguments":{"path":"file_path"}},"run":{"tool":"exec"},
			"a":"read","b":{"tool":"read","colour":"red"},"c":{"tool":7},"d":{},"e":{"tool":"read","arguments":{"path":1}}}}}`,
		`{"tools":{"names":[{"name":"read_file","tool":"read","doc":"Read it.","doc_zh":"读取。","arguments":{"path":"file_path"}},{"name":"run","tool":"exec"},
			"read",{"name":"b","tool":"read","colour":"red"},{"tool":"read"},{},7]}}`,
	} {
		l, problems := parse(File{Source: User, Path: "config.json"}, []byte(text))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		c, faults := decode(l.tree)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		got, warnings := c.Tools.Published()
		if diff := cmp.Diff(want, got); diff != "" || len(warnings) != 5 {
			t.Errorf("%s:\n%s%q", text, diff, warnings)
		}
	}
	if _, problems := parse(File{Source: User, Path: "config.json"}, []byte(`{"tools":{"names":"read"}}`)); len(problems) == 0 {
		t.Error("a text was taken for tools.names")
	}
}
