package similar

import (
	"fmt"
	"strings"
	"testing"
)

func ExampleName() {
	settings := []string{"max_depth", "maxBytes", "root"}
	fmt.Printf("%q\n", Name("maxdepht", settings))
	fmt.Printf("%q\n", Name("max-bytes", settings))
	fmt.Printf("%q\n", Name("color", settings))
	// Output:
	// "max_depth"
	// "maxBytes"
	// ""
}

func TestName(t *testing.T) {
	for _, tt := range []struct {
		name  string
		names []string
		want  string
	}{
		{"", []string{"a"}, ""},
		{"path", nil, ""},
		{"pathh", []string{"pat", "path"}, "path"},
		{"ab", []string{"xy"}, ""},
		{"ab", []string{"ac"}, ""}, // half of it is no slip
		{"abc", []string{"abd"}, "abd"},
		{"abcdef", []string{"abcdxy"}, "abcdxy"},
		{"abcdef", []string{"abcxyz"}, ""},
		{"abc", []string{"abd", "abe"}, "abd"}, // the first of equals
		{strings.Repeat("x", 64) + "abc", []string{strings.Repeat("x", 64)}, strings.Repeat("x", 64)},
		{strings.Repeat("x", 32) + strings.Repeat("a", 32), []string{strings.Repeat("x", 32) + strings.Repeat("b", 32)}, ""},
		{strings.Repeat("x", 63) + "a", []string{"y" + strings.Repeat("x", 62) + "b"}, "y" + strings.Repeat("x", 62) + "b"},
	} {
		if got := Name(tt.name, tt.names); got != tt.want {
			t.Errorf("Name(%q, %q) = %q, want %q", tt.name, tt.names, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"abc", "acb", 1}, {"main", "mian", 1}, {"ca", "abc", 3}, {"名字", "名宇", 1},
	} {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
