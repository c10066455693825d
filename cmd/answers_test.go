package cmd_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/testing/answers"
)

// An answer says what the model does not know, in few tokens.
func TestAnswersAreShort(t *testing.T) {
	t.Parallel()
	for _, row := range answers.Rows() {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			text, err := row.Run(cmdtest.Workspace(t), asText)
			if err != nil {
				t.Fatal(err)
			}
			if n := tokens.Estimate(text); n > row.Limit() {
				t.Errorf("about %d tokens, more than %d:\n%s", n, row.Limit(), text)
			}
			for _, part := range row.Says {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in\n%s", part, text)
				}
			}
		})
	}
}

// asText returns the text that a model reads of a call, also of one that failed.
func asText(dir, tool, args string) (string, error) {
	out, err := cmdtest.Helve(dir, "-o", "text", tool, args).Output()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		err = nil
	}
	return string(out), err
}

// A text shows where something was not as it was sent, and JSON has everything.
func TestAnswersSayWhatWasNotExact(t *testing.T) {
	t.Parallel()
	edit := func(old, now string) string {
		return cmdtest.JSON(map[string]any{"path": answers.File, "old_text": old, "new_text": now})
	}
	for name, c := range map[string]struct {
		tool, args string
		says       []string
		silent     []string
	}{
		"exact": {
			"edit", edit("\ttotal := price * 3\n", "\ttotal := 3\n"), []string{"line 21\n"}, []string{"@@", "found by"},
		},
		"longer": {
			"edit", edit("\ttotal := price * 3\n", "\ttotal := 3\n\ttotal *= price\n"), []string{"lines 21-22, +2 -1 lines\n"}, []string{"@@"},
		},
		"removed": {
			"edit", edit("\ttotal := price * 3\n", ""), []string{"removed line 21"}, []string{"@@"},
		},
		"indented otherwise": {
			"edit", edit("    total := price * 3\n    return fmt.Sprintf(\"%d\", total)\n", "    return \"3\"\n"),
			[]string{"found by indent", "@@", "+\treturn \"3\"\n"}, []string{"item5"},
		},
		"two of three otherwise": {
			"edit", cmdtest.JSON(map[string]any{"path": answers.File, "edits": []any{
				map[string]any{"old_text": "\ttotal := price * 3\n", "new_text": "\ttotal := 3\n"},
				map[string]any{"old_text": "total := price * 13  \n", "new_text": "total := 13\n"},
				map[string]any{"old_text": "total := price * 23  \n", "new_text": "total := 23\n"},
			}}),
			[]string{"3 places", "found by", "total := 13\n", "total := 23\n"}, []string{"item2(", "total := 3\n"},
		},
		"in many places": {
			"edit", edit("return fmt.Sprintf", "return fmt.Sprint"), []string{"text_ambiguous", "lines 5-8", "37 more places"}, []string{"item5"},
		},
		"no longer parses": {
			"edit", edit("func item3(price int) string {", "func item3(price int string {"), []string{"no longer parses as Go: line 20"}, []string{"@@"},
		},
		"patched as it is": {
			"patch", cmdtest.JSON(map[string]any{"patch": "*** Begin Patch\n*** Update File: shop.go\n@@\n-\ttotal := price * 3\n+\ttotal := 3\n*** End Patch\n"}),
			[]string{"modify shop.go: line 21\n"}, []string{"@@"},
		},
		"patched otherwise": {
			"patch", cmdtest.JSON(map[string]any{"patch": "*** Begin Patch\n*** Update File: shop.go\n@@\n-    total := price * 3\n+    total := 3\n*** End Patch\n"}),
			[]string{"modify shop.go: line 21\n", "+\ttotal := 3\n"}, nil,
		},
		"a dry run": {
			"edit", strings.Replace(edit("\ttotal := price * 3\n", "\ttotal := 3\n"), "{", `{"dry_run":true,`, 1), []string{"would edit", "@@", "+\ttotal := 3\n"}, nil,
		},
		"a file that is not there": {
			"edit", `{"path":"n.go","old_text":"","new_text":"package n\n"}`, []string{"created n.go, +1 -0 lines\n"}, []string{"@@"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := cmdtest.Workspace(t)
			if err := answers.Put(dir, asText); err != nil {
				t.Fatal(err)
			}
			text, err := asText(dir, c.tool, c.args)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range c.says {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in\n%s", part, text)
				}
			}
			for _, part := range c.silent {
				if strings.Contains(text, part) {
					t.Errorf("%q is in\n%s", part, text)
				}
			}
		})
	}
}

// What the session was told before is not in a text again, and in JSON always.
func TestWarningsComeOnce(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, dir, "a.txt", "a\n")
	const args, said = `{"file_path":"a.txt"}`, "Read was taken as read"
	for i, want := range []bool{true, false} {
		text, err := asText(dir, "Read", args)
		if err != nil || strings.Contains(text, said) != want {
			t.Errorf("call %d: %v %q", i, err, text)
		}
	}
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "Read", args))
	if len(a.Warnings) != 1 || a.Warnings[0] != said {
		t.Errorf("JSON: %q", a.Warnings)
	}
	text, err := cmdtest.Helve(dir, "-o", "text", "--session", "another", "Read", args).Output()
	if err != nil || !strings.Contains(string(text), said) {
		t.Errorf("another session: %v %q", err, text)
	}
}
