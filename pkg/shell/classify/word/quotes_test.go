package word

import "testing"

func TestStartsCommand(t *testing.T) {
	for in, want := range map[string]bool{
		"": false, "a": false, "$": false, "$a": false, "(": false, "{": false, `\$(`: false, "\\`": false, "a<b": false,
		"`": true, "$(": true, "<(": true, ">(": true, "${": true, `\\$(`: true,
	} {
		if got := startsCommand(in); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}
