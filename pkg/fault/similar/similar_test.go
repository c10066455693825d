package similar

import (
	"fmt"
	"math/rand/v2"
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
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := distance(tt.b, tt.a); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}

// TestWithin compares the band with the whole table on random names.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	name := func() string {
		b := make([]rune, r.IntN(12))
		for i := range b {
			b[i] = []rune("abcé")[r.IntN(4)]
		}
		return string(b)
	}
	for range 20_000 {
		a, b := name(), name()
		want := table([]rune(a), []rune(b))
		for most := range 5 {
			got, ok := Within(a, b, most)
			if ok != (want <= most) || ok && got != want {
				t.Fatalf("Within(%q, %q, %d) = %d, %v; the distance is %d", a, b, most, got, ok, want)
			}
		}
	}
	long := strings.Repeat("ab", 300)
	if d, ok := Within(long, "x"+long[:599], 2); d != 2 || !ok {
		t.Errorf("%d, %v", d, ok)
	}
}

// table returns the distance by its definition.
func table(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = min(d[i-1][j-1], d[i-1][j]+1, d[i][j-1]+1)
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
