package cmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/testing/dialogue"
)

// TestDialogues has some of the conversations of which the benchmark has a thousand: a model
// that does what each hint says ends neither in a loop nor in the wrong place.
func TestDialogues(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		dir := cmdtest.Workspace(t)
		log, err := dialogue.Run(dir, 7000+seed, func(tool string, args any) ([]byte, error) {
			raw, err := json.Marshal(args)
			if err != nil {
				return nil, err
			}
			var stderr bytes.Buffer
			c := cmdtest.Helve(dir, tool, string(raw))
			c.Stderr = &stderr
			out, err := c.Output()
			if len(out) > 0 {
				return out, nil // the document says what was wrong
			}
			return nil, err
		})
		if err != nil {
			t.Errorf("seed %d: %v\n%s", 7000+seed, err, strings.Join(log, "\n"))
		}
	}
}

// TestRecordByPlaces has changes that were taken back, repeated or moved between a reading
// and an edit.
func TestRecordByPlaces(t *testing.T) {
	t.Parallel()
	const src = "def f(x):\n    foo(run(x))\n    return x\n"
	edit := func(old, new string) []string {
		raw, _ := json.Marshal(map[string]string{"path": "a.py", "old_text": old, "new_text": new})
		return []string{"edit", string(raw)}
	}
	disk := func(text string) []string { return []string{"", text} }
	read := []string{"read", `{"path":"a.py"}`}
	for name, c := range map[string]struct {
		steps [][]string
		code  string // of the last step
		says  string
		want  string
	}{
		"taken back by a person":        {[][]string{read, edit("run(x))", "run(x))  # slow"), disk(src), edit("run(x)", "walk(x)")}, "", "", strings.Replace(src, "run", "walk", 1)},
		"the same, whole lines":         {[][]string{read, edit("    foo(run(x))\n", "    foo(run(x))  # slow\n"), disk(src), edit("    foo(run(x))\n", "    foo(walk(x))\n")}, "", "", strings.Replace(src, "run", "walk", 1)},
		"and read in between":           {[][]string{read, edit("run(x))", "run(x))  # slow"), read, disk(src), edit("run(x)", "walk(x)")}, "", "", strings.Replace(src, "run", "walk", 1)},
		"and other lines have come":     {[][]string{read, edit("run(x))", "run(x))  # slow"), disk("import os\n" + src), edit("run(x)", "walk(x)")}, "", "", "import os\n" + strings.Replace(src, "run", "walk", 1)},
		"and a twin has come":           {[][]string{read, edit("run(x))", "run(x))  # slow"), disk(src + "y = run(x)\n"), edit("run(x)", "walk(x)")}, "text_ambiguous", "lines 2, 4", src + "y = run(x)\n"},
		"twice":                         {[][]string{read, edit("run(x)", "w(x)"), edit("run(x)", "w(x)")}, "already_applied", "line 2", strings.Replace(src, "run", "w", 1)},
		"twice, and a twin never shown": {[][]string{read, edit("run(x)", "w(x)"), disk(strings.Replace(src, "run", "w", 1) + "y = run(x)\n"), edit("run(x)", "w(x)")}, "already_applied", "line 2", strings.Replace(src, "run", "w", 1) + "y = run(x)\n"},
		"a deletion twice":              {[][]string{read, edit("    foo(run(x))\n", ""), edit("    foo(run(x))\n", "")}, "already_applied", "", strings.Replace(src, "    foo(run(x))\n", "", 1)},
		"extended by a person":          {[][]string{disk("bbb\nccc\nddd\n"), read, disk("bbb-external\nccc\nddd\n"), edit("bbb", "q")}, "stale", "", "bbb-external\nccc\nddd\n"},
		"cut by a person":               {[][]string{disk("run(x)  # slow\nccc\n"), read, disk("run(x)\nccc\n"), edit("run(x)", "walk(x)")}, "", "", "walk(x)\nccc\n"},
		"moved by a command":            {[][]string{read, {"exec", `{"command":"mkdir d && mv a.py d/b.py && mv d/b.py a.py"}`}, disk(strings.Replace(src, "foo(run", "foo(go", 1)), edit("foo(run(x))", "q")}, "stale", "", strings.Replace(src, "foo(run", "foo(go", 1)},
		"of another file":               {[][]string{{"", src, "b.py"}, {"read", `{"path":"b.py"}`}, disk("a = 1\n"), edit("    foo(run(x))\n", "q\n")}, "text_not_found", "that is in b.py", "a = 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := cmdtest.Workspace(t)
			put := func(name, text string) {
				if err := os.WriteFile(dir+"/"+name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			put("a.py", src)
			var a cmdtest.Answer
			for _, s := range c.steps {
				switch {
				case s[0] == "" && len(s) == 3:
					put(s[2], s[1])
				case s[0] == "":
					put("a.py", s[1])
				default:
					a, _ = cmdtest.Call(t, cmdtest.Helve(dir, s...))
				}
			}
			raw, err := os.ReadFile(dir + "/a.py")
			if a.OK != (c.code == "") || a.Error.Code != c.code || !strings.Contains(a.Error.Message+a.Error.Hint, c.says) {
				t.Errorf("%+v", a)
			}
			if err != nil || c.want != "" && string(raw) != c.want {
				t.Errorf("%q, %v", raw, err)
			}
		})
	}
}
