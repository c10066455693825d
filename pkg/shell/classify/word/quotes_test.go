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

// TestEndsAlike has patterns of extended globs, of which shells and the parser may see
// different ends.
func TestEndsAlike(t *testing.T) {
	for in, want := range map[string]bool{
		"": true, "a": true, "a(b)": true, `'a'`: true, `"a"`: true, `'a"'`: true, `'\'`: true, `\a`: true, "${a}": true, "<a": true,
		`\`: false, `\(`: false, `\'`: false, `'`: false, `"a`: false, `'('`: false, `")"`: false, "${a}(": false, "<(a": false, ">(a": false, "`a`": false,
		"$'a'": false, `$"a"`: false, "a\nb": false,
	} {
		if got := EndsAlike(in); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}
