package fault

import (
	"slices"
	"strings"
	"testing"
)

// Every code has one exit status, and only those of exit 6 and a lock are worth
// a retry.
func TestCodes(t *testing.T) {
	seen := map[Code]bool{}
	for _, c := range Codes() {
		if seen[c] {
			t.Errorf("%s is listed twice", c)
		}
		seen[c] = true
		if c.Retryable() && c != Locked && c.Exit() != 6 {
			t.Errorf("%s is retryable and exits with %d", c, c.Exit())
		}
	}
	for _, c := range Codes() {
		if m := Meaning(c); m.In(English) == "" || m.In(Chinese) == "" {
			t.Errorf("nobody says what %s means", c)
		}
	}
	for _, s := range Statuses() {
		if s.When.In(English) == "" || s.When.In(Chinese) == "" || (len(s.Codes) == 0) != (s.Exit == 0) {
			t.Errorf("exit %d: %q, %q", s.Exit, s.When, s.Codes)
		}
	}
	if !Meaning("unheard_of").IsZero() {
		t.Error("a code that is not there means something")
	}
	if got := Code("unheard_of").Exit(); got != 70 {
		t.Errorf("an unknown code exits with %d", got)
	}
}

func TestJoin(t *testing.T) {
	joined := Join([]Text{T("a %d%%", 1), T("the call timed out")}, "; ")
	if got := []string{joined.String(), joined.In(Chinese)}; !slices.Equal(got, []string{"a 1%; the call timed out", "a 1%；调用超时"}) {
		t.Errorf("%q", got)
	}
	if !Join(nil, "; ").IsZero() {
		t.Error("no texts make a text")
	}
}

// A catalogue is text that people edit: whatever it holds, reading it ends, and what
// is well formed is there.
func FuzzPO(f *testing.F) {
	f.Add("msgid \"a\"\nmsgstr \"b\"\n")
	f.Add("# c\nmsgid \"\"\n\"a\\n\"\n\"b\"\nmsgstr \"\"\n\"c\"\nmsgid")
	f.Fuzz(func(t *testing.T, file string) {
		parsePO(file)
		all := parsePO(strings.ReplaceAll(file, "msg", "ms") + "\nmsgid \"the \"\n\"call\"\nmsgstr \"调\"\n\"用\"")
		if len(all) != 1 || all["the call"] != "调用" {
			t.Errorf("%q", all)
		}
	})
}
