package approval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
)

// duplex reads what was prepared and keeps what is written.
type duplex struct {
	io.Reader
	bytes.Buffer
}

func (d *duplex) Read(p []byte) (int, error)  { return d.Reader.Read(p) }
func (d *duplex) Write(p []byte) (int, error) { return d.Buffer.Write(p) }

func TestAskFD(t *testing.T) {
	r := &Request{ID: "ID", Call: call(), State: Pending}
	longest := strings.Repeat("x", 64<<10-len(`{"id":"ID","decision":"deny","reason":""}`))
	for _, c := range []struct {
		name, in string
		want     Answer
		bad      bool
	}{
		{"approve", `{"id":"ID","decision":"approve"}` + "\n", Answer{Decided: true, Allow: true}, false},
		{"for the session", `{"id":"ID","decision":"approve","scope":"session"}` + "\n", Answer{Decided: true, Allow: true, Scope: Session}, false},
		{"no rule says it", `{"id":"ID","decision":"approve","scope":"rule"}` + "\n", Answer{}, true},
		{"deny for the session", `{"id":"ID","decision":"deny","scope":"session"}` + "\n", Answer{}, true},
		{"deny", `{"id":"ID","decision":"deny","reason":"no <b>"}` + "\nmore", Answer{Decided: true, Reason: "no <b>"}, false},
		{"the longest line", `{"id":"ID","decision":"deny","reason":"` + longest + `"}` + "\n", Answer{Decided: true, Reason: longest}, false},
		{"a longer one", `{"id":"ID","decision":"deny","reason":"` + longest + `x"}` + "\n", Answer{}, true},
		{"end", "", Answer{}, false},
		{"cut off", `{"id":"ID","decision":"approve"}`, Answer{}, false},
		{"another question's", `{"id":"OLD","decision":"approve"}` + "\n", Answer{}, true},
		{"no id", `{"decision":"approve"}` + "\n", Answer{}, true},
		{"another word", `{"id":"ID","decision":"yes"}` + "\n", Answer{}, true},
		{"an unknown member", `{"id":"ID","decision":"approve","unless":"x"}` + "\n", Answer{}, true},
		{"twice", `{"id":"ID","decision":"approve"}{}` + "\n", Answer{}, true},
		{"no JSON", "approve\n", Answer{}, true},
		{"a line without end", strings.Repeat("x", 1<<20), Answer{}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &duplex{Reader: strings.NewReader(c.in)}
			got, err := AskFD(t.Context(), d, r)
			if got != c.want || c.bad != fault.Is(err, fault.ApprovalInvalid) || !c.bad && err != nil {
				t.Errorf("%+v, %v", got, err)
			}
			out := d.Buffer.String()
			var sent struct {
				Type, ID, Tool, Preview string
				Args                    struct{ Path string }
			}
			if strings.Count(out, "\n") != 1 || json.Unmarshal([]byte(out), &sent) != nil || sent.Type != "approval_request" || sent.ID != "ID" ||
				sent.Tool != "write" || sent.Args.Path != "SOUL.md" || !strings.Contains(sent.Preview, "+be kind") {
				t.Errorf("sent %q", out)
			}
		})
	}
	here, there := net.Pipe()
	t.Cleanup(func() { _ = errors.Join(here.Close(), there.Close()) })
	go io.Copy(io.Discard, there) //nolint:errcheck // it ends with the test
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if got, err := AskFD(ctx, here, r); got.Decided || !fault.Is(fault.As(err), fault.Timeout) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAskTerminal(t *testing.T) {
	r := &Request{ID: "ID", Call: call()}
	r.Tool = "wri\x1b]0;te"
	r.Preview = "@@ -1 +1 @@\n-be\n+be \x1b[31mkind\x07\u202e\u200b\xff\r\n"
	for in, want := range map[string]Answer{
		"y\n": {Decided: true, Allow: true}, "s\n": {Decided: true, Allow: true, Scope: Session}, "a\n": {Decided: true}, " YES \r\n": {Decided: true, Allow: true}, "是\n": {Decided: true, Allow: true},
		"\n": {Decided: true}, "n\n": {Decided: true}, "not my soul\n": {Decided: true, Reason: "not my soul"}, "yess\n": {Decided: true, Reason: "yess"},
		"": {}, "y": {}, // the terminal went away
	} {
		d := &duplex{Reader: strings.NewReader(in)}
		got, err := AskTerminal(d, r, fault.English, false)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", in, got, err)
		}
		out := d.Buffer.String()
		want := "\nwri\\u{1b}]0;te  write\n  it is who you are\n\n@@ -1 +1 @@\n-be\n+be \\u{1b}[31mkind\\u{7}\\u{202e}\\u{200b}\\x{ff}\\u{d}\n\nallow this? [y]es, [s]ession, [N]o, or why not: "
		if d := cmp.Diff(want, out); d != "" {
			t.Error(d)
		}
	}
	r.Rule = &policy.Rule{}
	d := &duplex{Reader: strings.NewReader("a\n")}
	if got, err := AskTerminal(d, r, fault.English, false); err != nil || got != (Answer{Decided: true, Allow: true, Scope: Always}) || !strings.Contains(d.Buffer.String(), "[a]lways") {
		t.Errorf("%+v, %v, %q", got, err, d.Buffer.String())
	}
	d = &duplex{Reader: strings.NewReader("\n")}
	r.Preview = strings.Repeat("+x\n", 1000)
	if _, err := AskTerminal(d, r, fault.Chinese, true); err != nil {
		t.Fatal(err)
	}
	if out := d.Buffer.String(); !strings.Contains(out, "\x1b[32m+x\x1b[0m\n") || !strings.Contains(out, "另有 600 行") || !strings.Contains(out, "这是你") {
		t.Errorf("%q", out)
	}
}

// TestLongPreview shows 400 lines of a preview, and says how many more there are.
func TestLongPreview(t *testing.T) {
	for lines, more := range map[int]bool{400: false, 401: true} {
		d := &duplex{Reader: strings.NewReader("\n")}
		r := &Request{ID: "X", Call: call()}
		r.Preview = strings.Repeat("+x\n", lines)
		if _, err := AskTerminal(d, r, fault.English, false); err != nil {
			t.Fatal(err)
		}
		if out := d.Buffer.String(); strings.Contains(out, " more lines") != more || strings.Count(out, "+x\n") != 400 {
			t.Errorf("%d: %s", lines, out[len(out)-200:])
		}
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 中\t\n": "plain é 中\t\n", "\x00\x7f\u0085": `\u{0}\u{7f}\u{85}`, "a\u2028b\ufeff": `a\u{2028}b\u{feff}`,
		"\u2066x\u00ad": `\u{2066}x\u{ad}`, "\U000e0041\ufe01\u3164": `\u{e0041}\u{fe01}\u{3164}`, "\xf0\x9f": `\x{f0}\x{9f}`, "☠\ufe0f": "☠\ufe0f",
		"c\u0430t\u200bx": `c\u{430}t\u{200b}x`, "\u0440\u0430\u0443": `\u{440}\u{430}\u{443}`, "s\u043fb": "s\u043fb", // п looks like no Latin letter
		"у неё ухо и рот, git с ним": "у неё ухо и рот, git с ним", "使用git命令": "使用git命令", "Ελλάδα": "Ελλάδα", "5 μm": "5 μm",
		"\uff47it \U0001d4f0it": `\u{ff47}it \u{1d4f0}it`, "p\u0430ypal и её": `p\u{430}ypal и её`, "a_\u0441d": `a_\u{441}d`,
	} {
		if got := Visible(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		shown := VisibleJSON(text)
		if err := json.Unmarshal(shown, &back); err != nil || utf8.ValidString(in) && back != in || bytes.ContainsAny(shown, "\u0430\u200b\u2066") && !strings.Contains(in, "ухо") && !strings.Contains(in, "её") {
			t.Errorf("%q: %s, %v", in, shown, err)
		}
	}
}

// FuzzVisible has texts of any bytes: what is shown has nothing hidden, and the JSON keeps
// its value.
func FuzzVisible(f *testing.F) {
	f.Add("c\u0430t\u200bx")
	f.Add("\U0001d4f0\xff")
	f.Fuzz(func(t *testing.T, s string) {
		shown := Visible(s)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return hidden(r) && r != '\n' && r != '\t' }) {
			t.Errorf("%q is shown as %q", s, shown)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		if err := errors.Join(json.Unmarshal(text, &want), json.Unmarshal(VisibleJSON(text), &got)); err != nil || got != want {
			t.Errorf("%s became %s: %v", text, VisibleJSON(text), err)
		}
	})
}
