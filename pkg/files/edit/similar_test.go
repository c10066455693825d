package edit

import (
	"slices"
	"strings"
	"testing"
)

func TestLevenshtein(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"same", "same", 0}, {"cat", "cut", 1}, {"cat", "cart", 1}, {"cart", "cat", 1},
		{"kitten", "sitting", 3}, {"ab", "ba", 2}, {"abc", "xyz", 3},
	} {
		if got := levenshtein([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q and %q: %d and not %d", c.a, c.b, got, c.want)
		}
	}
}

// TestLikeness has lines from the same to nothing in common.
func TestLikeness(t *testing.T) {
	long := strings.Repeat("abcdefgh", 33) // longer than what is compared byte by byte
	for _, c := range []struct {
		name, a, b string
		cells      int
		least      float64
		most       float64
	}{
		{"the same", "  return x", "return x\t", 0, 1, 1},
		{"both blank", "", "  ", 0, 1, 1},
		{"one blank", "return x", "", 1000, 0, 0},
		{"nothing in common", "abcdef", "uvwxyz", 1000, 0, 0},
		{"one byte of ten", "0123456789", "012345678x", 1000, 0.9, 0.9},
		{"other white space", "if ( c ) {", "if\t(c) {", 0, 1, 1},
		{"the other case", "return xy", "Return XY", 1000, 0.625, 0.625},
		{"the other case, no cells left", "return xy", "Return XY", 63, 0.99, 0.99},
		{"the other case, just enough cells", "return xy", "Return XY", 64, 0.625, 0.625},
		{"long", long, "x" + long, 1 << 20, 0.99, 0.99},
		{"long, another part", "x" + long[8:] + "y", "y" + long[8:] + "x", 1 << 20, 0, 0.01},
	} {
		s := &search{cells: c.cells}
		if got := s.likeness(newLine(c.a), newLine(c.b)); got < c.least || got > c.most {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestWordsKept has lines of which words were changed, and some that are too long for
// comparing words.
func TestWordsKept(t *testing.T) {
	long := strings.Repeat("w ", 2048)
	for _, c := range []struct {
		name, old, file string
		cells           int
		want            float64
	}{
		{"nothing changed", "a b", "a b", 0, 1},
		{"spacing", "a  b", "a b", 0, 1},
		{"a word of two", "a b", "a c", 1, 0.5},
		{"a letter of two words", "same word", "some ward", 4, 0},
		{"a common word of two", "all b", "any b", 1, 1 - 0.65/1.65},
		{"a word added", "a b", "a c b", 0, 1 - 0.3/2},
		{"a word removed", "a b d", "a d", 0, 1 - 1.0/3},
		{"more added than there was", "a", "b c d e f", 5, 0},
		{"signs", "f(x)", "f[x]", 9, 0.5},
		{"characters without spaces", "读文件", "写文件", 1, 2.0 / 3},
		{"no cells left", "a b c d", "a x y d", 3, 0.25},
		{"just enough cells", "a b c d", "a x y d", 4, 0.5},
		{"as long as may be", long[:4096], long[:4094] + "x", 1, 2047.0 / 2048},
		{"too long", long + "x", long + "y", 1, 0.25},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, file := newLine(c.old), newLine(c.file)
			s := newSearch([]string{c.old}, c.old+"\n")
			s.cells = c.cells
			if strings.Contains(c.name, "common") {
				s = newSearch([]string{c.old}, "all b\nall x\n")
			}
			if got := s.wordsKept(&old, &file, 0.25); got < c.want-1e-9 || got > c.want+1e-9 {
				t.Errorf("%v and not %v", got, c.want)
			}
		})
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"a b", "ab", 1}, {"int alpha = 1;", "int alpha = 2;", 1 - 1.0/11}, {"int alpha;", "return nil", 0}} {
		if got := Alike(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

func TestDiffering(t *testing.T) {
	for _, c := range []struct{ a, b, x, y string }{
		{"", "", "", ""}, {"same", "same", "", ""}, {"ab", "", "ab", ""}, {"abc", "aXc", "b", "X"}, {"aa", "aaa", "", "a"}, {"aba", "a", "ba", ""},
	} {
		if x, y := differing([]byte(c.a), []byte(c.b)); string(x) != c.x || string(y) != c.y {
			t.Errorf("%q and %q: %q and %q", c.a, c.b, x, y)
		}
	}
}

// What is equal counts before what is alike, and rare lines before frequent ones: the
// first place has changed, the others were written after its example.
func TestRank(t *testing.T) {
	for _, c := range []struct {
		name, old, text string
		from            int
	}{
		{"the name of a function", "function b() {\n return 2;\n", "function a() {\n return 2;\n}\nfunction b() {\n return 3;\n}\n", 3},
		{"a rare line", "retry(job)\nreturn nil\n}\n", "retry(jobs)\nreturn nil\n}\nx\nretry(job)\nlog(1)\n}\n" + strings.Repeat("y\nreturn nil\n}\n", 9), 4},
		{"spacing only", "if ( c ) {\n", "iffy(c) {\nif\t(c\t) {\n", 1},
		{"a word, not a letter of two words", "call(SETFSUID, ptr(uid))\n", "call(SETFSGID, ptr(gid))\nx\ncall(SETFSUID, ptr(number))\n", 2},
		{"a sign of a script without spaces", "读取配置文件\n", "写入配置字符\nx\n读取配置文档\n", 2},
		{"a rare word", "}\n\nfunc TestUnmarshal(t *T) {\n", "}\n\nfunc TestMarshal(t *T) {\nx\n}\n\nskip TestUnmarshal(t *T) {\nfunc x()\nfunc y()\n", 4},
		{"a line in between", "total = 1\nfor row in rows {\nsave(row)\n", "total = 1\nvar counted, skipped, failed, ignored int\nfor row in rows {\nsave(row)\nx\nx\nx\ntotal = 2\nfor row in rows {\nsave(row)\n", 7},
		{"only alike", "total := sum(prices, tax)\n", "total := sum(weights, 0)\nx\ntotal := sum(prices, taxes)\n", 2},
	} {
		windows := newSearch(cut(c.old, true), c.text).best()
		if len(windows) == 0 || windows[0].from != c.from {
			t.Errorf("%s: %+v", c.name, windows)
		}
	}
}

// What the caller says about the place decides between places that are nearly as good,
// and the text around it between any two.
func TestRankWhereSaid(t *testing.T) {
	near := "retry(jobs)\nlog(all)\n"
	text := "func a() {\n" + near + "}\n\n\n\nfunc b() {\n" + near + "}\n\n\n\nfunc c() {\nretry(jobs)\nlog(al)\n}\n"
	for _, c := range []struct {
		name string
		edit Edit
		want int
	}{
		{"nothing", Edit{}, 2},
		{"a line", Edit{LineHint: 9}, 9},
		{"a line beside it", Edit{LineHint: 11}, 9},
		{"the line of a place that is far worse", Edit{LineHint: 16}, 2},
		{"a line where nothing is", Edit{LineHint: 1000}, 2},
		{"after", Edit{After: "b() {"}, 9},
		{"after, of a place that is far worse", Edit{After: "func c() {\n"}, 16},
		{"within", Edit{Within: "func b() {\n" + near + "}"}, 9},
		{"within what is not there", Edit{Within: "func z() {"}, 2},
		{"within what has nothing of it", Edit{Within: "func b() {"}, 2},
	} {
		d := newDocument(text, Options{})
		got := d.candidates("retry(job)\nlog(all)\n", c.edit)
		if len(got) != 3 {
			t.Errorf("%s: %d candidates", c.name, len(got))
		} else if got[0].Start != c.want {
			t.Errorf("%s: line %d comes first, not %d", c.name, got[0].Start, c.want)
		}
	}
}

// The longest lines are looked for first, and only those that tell something.
func TestAnchors(t *testing.T) {
	for _, c := range []struct {
		old  []string
		want []int
	}{
		{nil, nil},
		{[]string{"}", "abc", ""}, nil},
		{[]string{"abc", "abcd"}, []int{1}},
		{[]string{"four", "sevenss", "fives", "sixsix", "}"}, []int{1, 3, 2}},
		{[]string{"same", "same", "same", "same"}, []int{0, 1, 2}},
	} {
		if got := newSearch(c.old, "").anchors(); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v and not %v", c.old, got, c.want)
		}
	}
}

// Every line of the file says where the block would begin if it were one of its lines.
func TestVotes(t *testing.T) {
	s := newSearch([]string{"open(file)", "", "}"}, "{\nopen(file)\n\n}\nopen(filed)\nsomething else entirely\n")
	votes := s.votes()
	if len(votes) != 2 || votes[1] <= votes[4] || votes[4] <= 0 {
		t.Errorf("%v", votes)
	}
	// A line that is everywhere stops counting.
	s = newSearch([]string{"}"}, strings.Repeat("}\n", 201))
	if votes := s.votes(); len(votes) != 200 {
		t.Errorf("%d votes", len(votes))
	}
}

// Half of a block is enough for a candidate, or a third with a line that is rare.
func TestLeastCandidate(t *testing.T) {
	for _, c := range []struct {
		name, old, text string
		want            int
	}{
		{"half, of a line that is there twice", "aaaaaaaa\nbbbbbbbb\n", "aaaaaaaa\nx\ny\nz\nv\nw\naaaaaaaa\n", 2},
		{"less, of a line that is there twice", "aaaaaaaa\nbbbbbbbb\nc\n", "aaaaaaaa\nx\ny\nz\nv\nw\naaaaaaaa\n", 0},
		{"less, of a line that is there once", "aaaaaaaa\nbbbbbbbb\nc\n", "aaaaaaaa\nx\ny\n", 1},
		{"less, of a short line that is there once", "aaaaa\nbbbbb\nc\n", "aaaaa\nx\ny\n", 0},
		{"six bytes", "aaaaaa\nbbbbbb\nc\n", "aaaaaa\nx\ny\n", 1},
	} {
		if got := newSearch(cut(c.old, true), c.text).best(); len(got) != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// A line that has nothing in common with one of the file has no partner.
func TestPairs(t *testing.T) {
	windows := newSearch([]string{"open(file)", "zzzz"}, "open(file)\nqqqq\n").best()
	if len(windows) != 1 || !slices.Equal(windows[0].pairs, []int{0, -1}) {
		t.Errorf("%+v", windows)
	}
}

// TestWindows has what is offered for a block of which no line is certain.
func TestWindows(t *testing.T) {
	block := "open(file)\nread(file)\nclose(file)\n"
	near := strings.ReplaceAll(block, "read", "write")
	type lines struct{ from, to int }
	for _, c := range []struct {
		name, text string
		want       []lines
	}{
		{"empty file", "", nil},
		{"once", near, []lines{{0, 3}}},
		{"without a final newline", strings.TrimSuffix(near, "\n"), []lines{{0, 3}}},
		{"in the middle", "a\nb\n" + near + "c\n", []lines{{2, 5}}},
		{"twice", near + "\n\n\n" + near, []lines{{0, 3}, {6, 9}}},
		{"the better one first", near + "\n\n\n" + block, []lines{{6, 9}, {0, 3}}},
		{"two that touch", near + near, []lines{{0, 3}, {3, 6}}},
		{"the first line cut off", "read(file)\nclose(file)\n", []lines{{0, 2}}},
		{"the last line cut off", "open(file)\nread(file)\n", []lines{{0, 2}}},
		{"too little of it", "x\nopen(file)\ny\nz\n", nil},
	} {
		var got []lines
		for _, w := range newSearch(cut(block, true), c.text).best() {
			got = append(got, lines{w.from, w.to})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v and not %v", c.name, got, c.want)
		}
	}
}
