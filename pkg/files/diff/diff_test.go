package diff

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnified(t *testing.T) {
	numbers := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintln(&b, i+1)
		}
		return b.String()
	}
	tests := []struct {
		name     string
		file     File
		old, new string
		want     Diff
	}{
		{"nothing", Modified("a"), "x\n", "x\n", Diff{}},
		{"one line", Modified("a"), numbers(9), strings.Replace(numbers(9), "5\n", "five\n", 1), Diff{
			Text:  "--- a/a\n+++ b/a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
			Added: 1, Removed: 1,
		}},
		{
			"second hunk counts the first and its joiner lines", Modified("a"), numbers(40),
			strings.NewReplacer("\n3\n", "\n3\nnew\n", "\n8\n", "\n8\nnew\n", "\n30\n", "\n").Replace(numbers(40)),
			Diff{
				Text: "--- a/a\n+++ b/a\n" +
					"@@ -1,11 +1,13 @@\n 1\n 2\n 3\n+new\n 4\n 5\n 6\n 7\n 8\n+new\n 9\n 10\n 11\n" +
					"@@ -27,7 +29,6 @@\n 27\n 28\n 29\n-30\n 31\n 32\n 33\n",
				Added: 2, Removed: 1,
			},
		},
		{"created", Created("d/a"), "", "x\n", Diff{
			Text:  "diff --git a/d/a b/d/a\nnew file mode 100644\n--- /dev/null\n+++ b/d/a\n@@ -0,0 +1 @@\n+x\n",
			Added: 1,
		}},
		{"created empty", Created("a"), "", "", Diff{Text: "diff --git a/a b/a\nnew file mode 100644\n"}},
		{"deleted", Deleted("a"), "x\ny", "", Diff{
			Text: "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n" +
				"@@ -1,2 +0,0 @@\n-x\n-y\n\\ No newline at end of file\n",
			Removed: 2,
		}},
		{"renamed", Renamed("a", "b c"), "x\n", "x\n", Diff{
			Text: "diff --git a/a \"b/b c\"\nrename from a\nrename to \"b c\"\n",
		}},
		{"mode", File{From: "a", To: "a", ToMode: 0o755}, "x\n", "x\n", Diff{
			Text: "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n",
		}},
		{"quoted", Modified("\t\"\\\x7fé\xff"), "x\n", "y\n", Diff{
			Text: `--- "a/\t\"\\\177é\377"` + "\n" + `+++ "b/\t\"\\\177é\377"` + "\n" +
				"@@ -1 +1 @@\n-x\n+y\n",
			Added: 1, Removed: 1,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Unified(tt.file, tt.old, tt.new, Limit{})
			if _, body, ok := strings.Cut(got.Text, "\n@@ "); ok && "@@ "+body != joined(got.Hunks) || !ok && len(got.Hunks) > 0 {
				t.Errorf("hunks %v of %q", got.Hunks, got.Text)
			}
			got.Hunks = nil
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func joined(hunks []Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		b.WriteString(h.Text)
	}
	return b.String()
}

func TestHunks(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("x\n", n) }
	old := "a\n" + lines(20) + "b\n" + lines(20) + "c\n"
	d := Unified(Modified("a"), old, "a\na\n"+lines(20)+"B\n"+lines(20), Limit{})
	for i, want := range []Hunk{{Start: 1, End: 5}, {Start: 20, End: 26}, {Start: 41, End: 43}} {
		if len(d.Hunks) != 3 || d.Hunks[i].Start != want.Start || d.Hunks[i].End != want.End {
			t.Errorf("hunk %d of %+v", i, d.Hunks)
		}
	}
	if d := Unified(Modified("a"), old, "", Limit{Lines: 10}); !d.Truncated || len(d.Hunks) != 1 {
		t.Errorf("%+v", d)
	}
}

func TestFromSplices(t *testing.T) {
	old := "1\n2\n3\n4"
	tests := []struct {
		name    string
		splices []Splice
		want    string
	}{
		{"insert first", []Splice{{0, 0, "0\n"}}, "0\n1\n2\n3\n4"},
		{"replace", []Splice{{2, 6, "x\n"}}, "1\nx\n4"},
		{"several", []Splice{{0, 2, ""}, {4, 4, "2.5\n"}, {6, 7, "four"}}, "2\n2.5\n3\nfour"},
		{"append", []Splice{{7, 7, "\n5\n"}}, "1\n2\n3\n4\n5\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := FromSplices(Modified("a"), old, tt.splices, Limit{})
			got, err := apply(old, d)
			if err != nil || got != tt.want {
				t.Errorf("got %q, %v; want %q\n%s", got, err, tt.want, d.Text)
			}
		})
	}
}

func TestTruncated(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	old := b.String()
	scattered := strings.ReplaceAll(old, "7\n", "7!\n")
	long := strings.Repeat("x", 1<<20)
	tests := []struct {
		name     string
		old, new string
		most     Limit
		hunks    int
		note     string
	}{
		{"after a hunk", old, scattered, ResultLimit(), 17, "# [diff truncated: 17 of 200 hunks shown; +200 -200 lines in all]\n"},
		{"by bytes", old, scattered, Limit{Bytes: 1000}, 9, "# [diff truncated: 9 of 200 hunks shown; +200 -200 lines in all]\n"},
		{"inside the only hunk", old, "", ResultLimit(), 1, "# [diff truncated inside hunk 1 of 1; +0 -2000 lines in all]\n"},
		{"line too long", long, long + "y", ResultLimit(), 1, "# [diff truncated inside hunk 1 of 1; +1 -1 lines in all]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Unified(Modified("a"), tt.old, tt.new, tt.most)
			if !d.Truncated || !tt.most.allows(len(d.Text), strings.Count(d.Text, "\n")) {
				t.Errorf("truncated %v, %d bytes, %d lines", d.Truncated, len(d.Text), strings.Count(d.Text, "\n"))
			}
			if n := strings.Count("\n"+d.Text, "\n@@ "); n < tt.hunks-1 || n > tt.hunks+4 {
				t.Errorf("%d hunks", n)
			}
			if !strings.HasSuffix(d.Text, "in all]\n") || !strings.Contains(d.Text, "\n# [diff truncated") {
				t.Errorf("ends with %q", d.Text[max(0, len(d.Text)-200):])
			}
			whole := Unified(Modified("a"), tt.old, tt.new, Limit{})
			if d.Added != whole.Added || d.Removed != whole.Removed || whole.Truncated {
				t.Errorf("counts %+d %+d, want %+d %+d", d.Added, d.Removed, whole.Added, whole.Removed)
			}
		})
	}
}

// A diff that was truncated between hunks can be applied. One that was truncated
// inside its only hunk is refused and never half applied.
func TestOthersJudgeTruncated(t *testing.T) {
	old := strings.Repeat("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n", 100)
	between := Unified(Modified("f"), old, strings.ReplaceAll(old, "j\n", "J\n"), ResultLimit())
	inside := Unified(Modified("f"), old, strings.ReplaceAll(old, "\n", "!\n"), ResultLimit())
	eachJudge(t, func(t *testing.T, j judge) {
		dir := t.TempDir()
		content{"f": old}.write(t, dir)
		if err := j.apply(t, dir, between.Text); err != nil {
			t.Errorf("%s refused whole hunks: %v", j.name, err)
		}
		dir = t.TempDir()
		content{"f": old}.write(t, dir)
		if err := j.apply(t, dir, inside.Text); err == nil {
			t.Errorf("%s took half a hunk", j.name)
		}
		if readTree(t, dir)["f"] != old {
			t.Errorf("%s applied half a hunk", j.name)
		}
	})
}

func TestJoin(t *testing.T) {
	one := Unified(Modified("a"), "x\n", "y\nz\n", Limit{})
	two := Unified(Modified("b"), "x\n", "", Limit{})
	want := Diff{Text: one.Text + two.Text, Added: 2, Removed: 2}
	if d := cmp.Diff(want, Join([]Diff{one, {}, two}, ResultLimit())); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	want = Diff{
		Text:  one.Text + "# [diff truncated: 2 more files not shown; +2 -3 lines in all]\n",
		Added: 2, Removed: 3, Truncated: true,
	}
	if d := cmp.Diff(want, Join([]Diff{one, two, two}, Limit{Lines: 8})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// apply is a strict patch of one file: every number and every line of a hunk
// must be right.
func apply(old string, d Diff) (string, error) {
	header := regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$`)
	src, lines := splitLines(old), splitLines(d.Text)
	var out []string
	at, added, removed := 0, 0, 0
	i := 0
	for i < len(lines) && !strings.HasPrefix(lines[i], "@@") {
		i++
	}
	number := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s)
		return n
	}
	for i < len(lines) {
		m := header.FindStringSubmatch(lines[i])
		if m == nil {
			return "", fmt.Errorf("not a hunk: %q", lines[i])
		}
		i++
		from, dels, to, ins := number(m[1]), number(m[2]), number(m[3]), number(m[4])
		if dels > 0 {
			from--
		}
		if ins > 0 {
			to--
		}
		if from < at || from > len(src) {
			return "", fmt.Errorf("hunk at %d after %d", from, at)
		}
		out = append(out, src[at:from]...)
		at = from
		if len(out) != to {
			return "", fmt.Errorf("hunk is at line %d of the new text, its header says %d", len(out), to)
		}
		for dels > 0 || ins > 0 {
			if i == len(lines) {
				return "", fmt.Errorf("hunk ends early")
			}
			kind, line := lines[i][0], lines[i][1:]
			if i++; i < len(lines) && lines[i][0] == '\\' {
				line = line[:len(line)-1]
				i++
			}
			if kind != '+' {
				if at == len(src) || src[at] != line {
					return "", fmt.Errorf("line %d is not %q", at+1, line)
				}
				at++
				dels--
			}
			if kind != '-' {
				out = append(out, line)
				ins--
			}
			switch kind {
			case '+':
				added++
			case '-':
				removed++
			}
		}
		if dels != 0 || ins != 0 {
			return "", fmt.Errorf("counts do not fit")
		}
	}
	if added != d.Added || removed != d.Removed {
		return "", fmt.Errorf("%+d %+d lines, counted as %+d %+d", added, -removed, d.Added, -d.Removed)
	}
	return strings.Join(append(out, src[at:]...), ""), nil
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n", uint64(1))
	f.Add("", "a", uint64(2))
	f.Add("a\r\nb", "a\nb\n", uint64(3))
	f.Fuzz(func(t *testing.T, old, new string, seed uint64) {
		d := Unified(Modified("f"), old, new, Limit{})
		if got, err := apply(old, d); err != nil || got != new {
			t.Fatalf("%q to %q: got %q, %v\n%s", old, new, got, err, d.Text)
		}
		r := rand.New(rand.NewPCG(seed, 0))
		splices := randomSplices(r, old)
		want := applySplices(old, splices)
		d = FromSplices(Modified("f"), old, splices, Limit{})
		if got, err := apply(old, d); err != nil || got != want {
			t.Fatalf("%q with %v: got %q, %v; want %q\n%s", old, splices, got, err, want, d.Text)
		}
		most := Limit{Bytes: 200 + r.IntN(300), Lines: 8 + r.IntN(20)}
		if d := Unified(Modified("f"), old, new, most); !most.allows(len(d.Text), strings.Count(d.Text, "\n")) {
			t.Fatalf("%d bytes, %d lines are more than %v", len(d.Text), strings.Count(d.Text, "\n"), most)
		}
	})
}

// The work is bounded for texts that Myers' algorithm is worst at: no line in
// common, few different lines, many such stretches.
func TestHostileTextsTakeLittle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	few := func(n, kinds int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintln(&b, r.IntN(kinds))
		}
		return b.String()
	}
	stretches := func() string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "anchor %d\n%s", i, few(990, 900))
		}
		return b.String()
	}
	for _, tt := range []struct{ name, old, new string }{
		{"few kinds", few(60_000, 3), few(60_000, 3)},
		{"nothing in common", few(60_000, 1<<30), few(60_000, 1<<30)},
		{"stretches", stretches(), stretches()},
		{"reversed", "a\n" + few(2000, 1<<30), few(2000, 1<<30) + "a\n"},
	} {
		c := comparison{budget: maxWork}
		d := Unified(Modified("f"), tt.old, tt.new, Limit{})
		if got, err := apply(tt.old, d); err != nil || got != tt.new {
			t.Errorf("%s: does not give the new text: %v", tt.name, err)
		}
		c.block(nil, tt.old, Splice{0, len(tt.old), tt.new}, 0)
		if c.budget < 0 {
			t.Errorf("%s: the budget is overdrawn: %d", tt.name, c.budget)
		}
	}
}

// bigChange is a text of 50,000 lines and the same with 500 changes.
func bigChange() (string, string) {
	var before, after strings.Builder
	for i := range 50_000 {
		line := fmt.Sprintf("\tvalue[%d] = compute(%d)\n", i%977, i%31)
		before.WriteString(line)
		if i%100 == 50 {
			line = fmt.Sprintf("\tvalue[%d] = changed(%d)\n", i%977, i)
		}
		after.WriteString(line)
	}
	return before.String(), after.String()
}

func BenchmarkUnified50kLines500Changes(b *testing.B) {
	before, after := bigChange()
	b.ReportAllocs()
	for b.Loop() {
		if d := Unified(Modified("f"), before, after, Limit{}); d.Added < 500 {
			b.Fatal(d.Added)
		}
	}
}

func BenchmarkSplicesIn30MB(b *testing.B) {
	before, _ := bigChange()
	before = strings.Repeat(before, 22)
	splices := []Splice{{Start: 1000, End: 1010, Text: "x"}, {Start: len(before) - 500, End: len(before) - 400}}
	b.ReportAllocs()
	for b.Loop() {
		if d := FromSplices(Modified("f"), before, splices, ResultLimit()); d.Added == 0 {
			b.Fatal("nothing")
		}
	}
}
