package screen

import (
	"encoding/json"
	"testing"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{"x": "\x1b[1;31mx\x1b[m", "": ""} {
		if got := Paint(true).Text(Match, in); got != want {
			t.Errorf("%q", got)
		}
		if got := Paint(false).Text(Match, in); got != in {
			t.Errorf("%q", got)
		}
	}
}

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"a b.go": "a b.go", "größe/世界": "größe/世界", "new\nline": `"new\nline"`, "\x1b[2J": `"\x1b[2J"`, "a\ufffd": `"a�"`, "\u202egpj.exe": `"\u202egpj.exe"`, "tab\t": `"tab\t"`,
	} {
		if got := Name(in); got != want {
			t.Errorf("%q is shown as %s, want %s", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"\tplain": "\tplain", "größe \U0001F469\u200d\U0001F467 \u0645\u06cc\u200c\u062e": "größe \U0001F469\u200d\U0001F467 \u0645\u06cc\u200c\u062e", "\x1b]0;title\a": `\x1b]0;title\x07`, "over\rwritten": `over\x0dwritten`,
		"\u009b31m": `\x9b31m`, "a\u202eb": `a\u202eb`, "\x7f": `\x7f`, "\u2028": `\u2028`, "": "",
	} {
		if got := Line(in); got != want {
			t.Errorf("%q is shown as %s, want %s", in, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "plain\n\ttext\n": "plain\n\ttext\n", "dos\r\n": "dos\r\n", "over\rwritten\r": `over\x0dwritten\x0d`, "\x1b[2J": `\x1b[2J`,
		"a" + Paint(true).Text(Match, "b\x1b[8mc") + "\n": "a\x1b[1;31mb\\x1b[8mc\x1b[m\n", "\u009b2J\u202e\x7f": `\x9b2J\u202e\x7f`, "\x1b": `\x1b`, "größe": "größe",
	} {
		if got := Shown(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	const document = "{\n\t\"a\u009b31m\": \"\u202ex\x7f größe \U0001F469\u200d\U0001F467\"\r\n}"
	const want = "{\n\t\"a\\u009b31m\": \"\\u202ex\\u007f größe \U0001F469\u200d\U0001F467\"\r\n}"
	got := JSON([]byte(document))
	if string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	var before, after map[string]string
	if json.Unmarshal([]byte(document), &before) != nil || json.Unmarshal(got, &after) != nil || len(after) != 1 || before["a\u009b31m"] != after["a\u009b31m"] {
		t.Errorf("%q, %q", before, after)
	}
}

// A foreign text has no escapes of a terminal, and its lines stay.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\tb\r\nc\x1b[31m\x1b]0;x\x07d": "a\tb\nc\\x1b[31m\\x1b]0;x\\x07d\n", "a\n\n\u202eb\n": "a\n\n\\u202eb\n"} {
		if got := Lines(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
