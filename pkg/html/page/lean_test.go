package page

import (
	"strings"
	"testing"
)

// filler is a script of so many bytes more than are kept.
func filler(more int) string { return strings.Repeat("x=1<2;", (keptScripts+more)/6+1) }

func lean(most int, pieces ...string) *Lean {
	l := &Lean{Most: most}
	for _, p := range pieces {
		_, _ = l.Write([]byte(p))
	}
	return l
}

// What scripts and styles have beyond the bound is left out, and nothing else is,
// however the page is cut into pieces.
func TestLean(t *testing.T) {
	t.Parallel()
	big := filler(1 << 20)
	for _, c := range []struct{ name, before, after string }{
		{"a script", "<p>a</p><script>", "</script><p>b</p>"},
		{"a style with attributes", `<style media="a>b" data-x='<script>'>`, "</STYLE\n><p>b"},
		{"upper case", "<SCRIPT async>", "</Script ><p>b"},
		{"behind a comment", "<!-- <script> --><script>", "</script>b"},
		{"behind an empty comment", "<!--><script>", "</script>b"},
		{"behind quotes without a value", "<p it's><script>", "</script><p it's>b"},
		{"behind what is no tag", "1 < 2 <3 <!doctype html><script>", "</script>b"},
		{"never closed", "<p>b</p><script>", ""},
	} {
		inner := big[:keptScripts]
		for _, pieces := range [][]string{{c.before + big + c.after}, append(append(strings.Split(c.before, ""), big), strings.Split(c.after, "")...)} {
			got := string(lean(32<<20, pieces...).Bytes())
			want := c.before + inner + c.after
			want = strings.NewReplacer("</STYLE", "</style", "</Script", "</script").Replace(want)
			if got != want {
				t.Errorf("%s: %d bytes, want %d, the end %q", c.name, len(got), len(want), got[max(0, len(got)-60):])
			}
		}
	}
	for _, whole := range []string{
		"<!-- <script> -- " + big + " --><p>b", "<p title='<script>" + big + "'>b", "<svg><style/></svg>" + big, "<scripts>" + big, "<script>a</scripts></scrip t></script>" + big,
	} {
		if got := string(lean(32<<20, whole).Bytes()); got != whole {
			t.Errorf("%.40s: %d bytes of %d", whole, len(got), len(whole))
		}
	}
}

func TestLeanIsBounded(t *testing.T) {
	t.Parallel()
	for most, cut := range map[int]bool{9: true, 10: false, 11: false} {
		l := lean(most, "<p>", "1234567")
		if l.Cut != cut || len(l.Bytes()) > most {
			t.Errorf("%d: cut %v, %q", most, l.Cut, l.Bytes())
		}
	}
}

// FuzzLean checks that a page with few scripts is kept as it is, but for the case of the
// tags that end them, and that pieces make no difference.
func FuzzLean(f *testing.F) {
	for _, s := range []string{"<script>a</script>b", "<!--><style>x</style >", "<script><!--<script></script>--></script>", "<p a='>'>", "</script/><script", "<a=\"'><script>'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		pieces := &Lean{Most: 1 << 20}
		for i := range len(s) {
			_, _ = pieces.Write([]byte{s[i]})
		}
		whole := lean(1<<20, s)
		if string(whole.Bytes()) != string(pieces.Bytes()) {
			t.Errorf("%q in pieces is %q, at once %q", s, pieces.Bytes(), whole.Bytes())
		}
		if got := string(whole.Bytes()); !strings.HasPrefix(strings.ToLower(s), strings.ToLower(got)) {
			t.Errorf("%q is not the beginning of %q", got, s)
		}
	})
}
