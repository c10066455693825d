package exec

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/state"
)

// seen returns which lines of a file a session was shown by commands.
func seen(t *testing.T, dir *state.Dir, session, path string) (lines []state.Range) {
	t.Helper()
	s, err := dir.Session(session)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.Shown(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.By != state.Seen || e.Blob == "" {
			t.Errorf("%s: %+v", path, e)
		}
		lines = append(lines, e.Ranges...)
	}
	return lines
}

// The record has the lines that a command showed, and no others.
func TestSeen(t *testing.T) {
	call, dir := world(t, config.Exec{Sandbox: "none"})
	call.Hidden = func(path string) bool { return strings.HasSuffix(path, ".secret") }
	var long strings.Builder
	for range 2000 {
		long.WriteString("a line among many others\n")
	}
	for name, content := range map[string]string{
		"a.txt": "one\ntwo\n\nfour\nfive\n", "sub/a.txt": "another\n", "sub/twelve.txt": strings.Repeat("x\ny\n", 6), "end.txt": "one\ntwo", "crlf.txt": "one\r\ntwo\r\n",
		"gbk.txt": "\xb1\xe0\xc2\xeb\xca\xc7\xd6\xd0\xce\xc4\xb5\xc4\xce\xc4\xb1\xbe\n", "bin": "a\x00b\n", "colour.txt": "\x1b[31mred\x1b[0m\n", "a.secret": "key\n",
		"empty": "", "long.txt": long.String(), "large.txt": "first\n" + strings.Repeat("x", 1<<20) + "\n", "odd name.txt": "one\ntwo\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a.txt", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	kept, err := call.Env.State()
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		args Args
		path string
		want []state.Range
	}{
		{Args{Command: "cat a.txt"}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Argv: []string{"cat", "a.txt"}}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "cat a.txt", Split: true}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "cat a.txt", Raw: true}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "cat -- 'odd name.txt'"}, "odd name.txt", []state.Range{{Start: 1, End: 2}}},
		{Args{Command: "cat " + dir + "/a.txt"}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "cat link.txt"}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "cat end.txt"}, "end.txt", []state.Range{{Start: 1, End: 2}}},
		{Args{Command: "cat crlf.txt"}, "crlf.txt", []state.Range{{Start: 1, End: 2}}},
		{Args{Command: "cat -n a.txt"}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "nl a.txt"}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "nl -ba a.txt"}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "nl -b a a.txt"}, "a.txt", []state.Range{{Start: 1, End: 5}}},
		{Args{Command: "head -n 2 a.txt"}, "a.txt", []state.Range{{Start: 1, End: 2}}},
		{Args{Command: "head -2 a.txt"}, "a.txt", []state.Range{{Start: 1, End: 2}}},
		{Args{Command: "head sub/twelve.txt"}, "sub/twelve.txt", []state.Range{{Start: 1, End: 10}}},
		{Args{Command: "tail sub/twelve.txt"}, "sub/twelve.txt", []state.Range{{Start: 3, End: 12}}},
		{Args{Command: "tail -n1 a.txt"}, "a.txt", []state.Range{{Start: 5, End: 5}}},
		{Args{Command: "tail -n +4 a.txt"}, "a.txt", []state.Range{{Start: 4, End: 5}}},
		{Args{Command: "sed -n '2,4p' a.txt"}, "a.txt", []state.Range{{Start: 2, End: 4}}},
		{Args{Command: "sed -n -e '4,$p' a.txt"}, "a.txt", []state.Range{{Start: 4, End: 5}}},
		{Args{Command: "sed -n '1p; 4,9p; 9q' a.txt"}, "a.txt", []state.Range{{Start: 1, End: 1}, {Start: 4, End: 5}}},
		{Args{Command: "cat a.txt", Cwd: "sub"}, "sub/a.txt", []state.Range{{Start: 1, End: 1}}},
		{Args{Command: "cd sub && cat a.txt"}, "sub/a.txt", []state.Range{{Start: 1, End: 1}}},
		{Args{Command: "cat ../a.txt", Cwd: "sub"}, "a.txt", []state.Range{{Start: 1, End: 5}}},

		{Args{Command: "cat a.txt", Cwd: "sub"}, "a.txt", nil},
		{Args{Command: "cat a.txt end.txt"}, "end.txt", nil},
		{Args{Command: "cat a.txt | head -2"}, "a.txt", nil},
		{Args{Command: "cat a.txt; echo more"}, "a.txt", nil},
		{Args{Command: "cat a.txt >/dev/null"}, "a.txt", nil},
		{Args{Command: "cat <end.txt a.txt"}, "end.txt", nil},
		{Args{Command: "for i in 1 2; do cat a.txt; done"}, "a.txt", nil},
		{Args{Command: "if false; then cat a.txt; fi"}, "a.txt", nil},
		{Args{Command: "cat() { command tac \"$1\"; }; cat end.txt"}, "end.txt", nil},
		{Args{Command: "tac end.txt"}, "end.txt", nil},
		{Args{Command: "head -c 3 a.txt"}, "a.txt", nil},
		{Args{Command: "sed -n '2,4!p' a.txt"}, "a.txt", nil},
		{Args{Command: "sed 2,4p a.txt"}, "a.txt", nil},
		{Args{Command: "cat missing.txt"}, "missing.txt", nil},
		{Args{Command: "cat bin"}, "bin", nil},
		{Args{Command: "cat colour.txt"}, "colour.txt", nil}, // the colour was left out
		{Args{Command: "cat gbk.txt"}, "gbk.txt", nil},       // it is shown as UTF-8, which it is not
		{Args{Command: "cat a.secret"}, "a.secret", nil},
		{Args{Command: "cat empty"}, "empty", nil},
		{Args{Command: "cat long.txt"}, "long.txt", nil}, // the middle was left out
		{Args{Command: "head -1 large.txt"}, "large.txt", nil},
		{Args{Command: "cat"}, "a.txt", nil},
	} {
		own := *call
		env := *call.Env
		own.Env, env.Session = &env, "s"+strconv.Itoa(i)
		tt.args.MaxOutput, tt.args.Timeout = 10_000, 60
		j, r := judged(t, &own, tt.args)
		own.Judgement = j
		if _, err := execute(t.Context(), &own, r); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, seen(t, kept, env.Session, tt.path)); d != "" {
			t.Errorf("%s %q: %s", tt.args.Command, tt.args.Argv, d)
		}
		if w := own.Warnings(); len(w) > 0 {
			t.Errorf("%s: %v", tt.args.Command, w)
		}
	}

	// Another process changes the file before it is recorded.
	_, r := judged(t, call, Args{Command: "cat a.txt"})
	r.remember(call, &Result{Output: "one\n2\n\nfour\nfive\n"}, &run.Result{})
	if lines := seen(t, kept, "s", "a.txt"); lines != nil {
		t.Error(lines)
	}
}
