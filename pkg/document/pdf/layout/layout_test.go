package layout

import (
	"strings"
	"testing"
)

// set places a text's glyphs, each half as wide as it is high; a space is a glyph as well.
func set(to []Glyph, x, y, size float64, text string) []Glyph {
	for _, r := range text {
		to = append(to, Glyph{Text: string(r), X: x, Y: y, Advance: size / 2, Size: size})
		x += size / 2
	}
	return to
}

func text(blocks []Block) string {
	var all []string
	for _, b := range blocks {
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, l.String())
		}
		all = append(all, strings.Join(lines, "\n"))
	}
	return strings.Join(all, "\n\n")
}

func TestPage(t *testing.T) {
	prose := []string{"The quick brown fox jumps", "over the lazy dog and on", "it goes for a good while", "until the page is full.", "Then it begins once more"}
	for _, c := range []struct {
		name string
		set  func() []Glyph
		want string
	}{
		{"nothing", func() []Glyph { return nil }, ""},
		{"paragraphs", func() (g []Glyph) {
			for i, y := range []float64{700, 688, 676, 650, 638} {
				g = set(g, 50, y, 10, prose[i])
			}
			return g
		}, strings.Join(prose[:3], "\n") + "\n\n" + strings.Join(prose[3:], "\n")},
		{"columns, one after the other in the file", func() (g []Glyph) {
			g = set(g, 50, 720, 10, "A line above both of the columns that goes across the page")
			for _, x := range []float64{50, 210} {
				for i, line := range prose {
					g = set(g, x, 700-12*float64(i), 10, line)
				}
			}
			return set(g, 50, 620, 10, "And another one below them, which also goes across it all")
		}, "A line above both of the columns that goes across the page\n\n" + strings.Join(prose, "\n") + "\n\n" + strings.Join(prose, "\n") +
			"\n\nAnd another one below them, which also goes across it all"},
		{"columns, line by line in the file", func() (g []Glyph) {
			for i, line := range prose {
				g = set(g, 50, 700-12*float64(i), 10, line)
				g = set(g, 210, 700-12*float64(i), 10, line)
			}
			return g
		}, strings.Join(prose, "\n") + "\n\n" + strings.Join(prose, "\n")},
		{"a table", func() (g []Glyph) {
			for i, row := range []string{"one", "two", "six"} {
				for j, x := range []float64{50, 200, 350} {
					g = set(g, x, 700-12*float64(i), 10, row+string(rune('a'+j)))
				}
			}
			return g
		}, "onea  oneb  onec\ntwoa  twob  twoc\nsixa  sixb  sixc"},
		{"a list", func() (g []Glyph) {
			for i, line := range prose[:3] {
				g = set(g, 50, 700-12*float64(i), 10, string(rune('1'+i))+".")
				g = set(g, 80, 700-12*float64(i), 10, line)
			}
			return g
		}, "1. " + prose[0] + "\n2. " + prose[1] + "\n3. " + prose[2]},
		{"bullets", func() (g []Glyph) {
			for i, line := range prose[:2] {
				g = set(g, 50, 700-12*float64(i), 10, "• "+line)
			}
			return g
		}, "• " + prose[0] + "\n\n• " + prose[1]},
		{"raised and lowered", func() []Glyph {
			g := set(nil, 50, 700, 10, "x")
			g = set(g, 55, 704, 6, "2")
			g = set(g, 58, 700, 10, "+H")
			g = set(g, 68, 698, 6, "2")
			return set(g, 71, 700, 10, "O")
		}, "x2+H2O"},
		{"Hebrew, as it is seen", func() []Glyph {
			return set(nil, 50, 700, 10, ".12 )םלוע( ++C םולש")
		}, "שלום C++ (עולם) 12."},
		{"Hebrew, bracket as it is read", func() []Glyph {
			return set(nil, 50, 700, 10, ")םלוע( םולש")
		}, "שלום (עולם)"},
		{"Hebrew in English", func() []Glyph {
			return set(nil, 50, 700, 10, "peace is םולש 12 םולש there, of course")
		}, "peace is שלום 12 שלום there, of course"},
		{"Arabic numbers", func() []Glyph {
			return set(nil, 50, 700, 10, "%٣٫٥ ىلإ 15-12 نم")
		}, "من 12-15 إلى ٣٫٥%"},
		{"divided words", func() []Glyph {
			g := set(nil, 50, 700, 10, "a soft\u00ad")
			g = set(g, 50, 688, 10, "ness and a hard-")
			g = set(g, 50, 676, 10, "ness")
			g = set(g, 50, 664, 10, "10-")
			return set(g, 50, 652, 10, "year")
		}, "a softness\nand a hardness\n10-\nyear"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := text(Page(c.set())); got != c.want {
				t.Errorf("%s\nnot\n%s", got, c.want)
			}
		})
	}
}

// Text that stands askew is read as it stands, after the rest.
func TestAngles(t *testing.T) {
	glyphs := set(nil, 50, 700, 10, "level text here")
	for i, r := range "up" {
		glyphs = append(glyphs, Glyph{Text: string(r), X: 300, Y: 100 + 5*float64(i), Advance: 5, Size: 10, Angle: 90})
	}
	for i, r := range "on" {
		glyphs = append(glyphs, Glyph{Text: string(r), X: 300 + 3.5355*float64(i), Y: 300 + 3.5355*float64(i), Advance: 5, Size: 10, Angle: 45})
	}
	if got, want := text(Page(glyphs)), "level text here\n\non\n\nup"; got != want {
		t.Errorf("%q", got)
	}
}

// Links keep their words together, with the spaces in them.
func TestLinks(t *testing.T) {
	glyphs := set(nil, 50, 700, 10, "see the note here")
	for i := 4; i < 12; i++ {
		glyphs[i].Link = 1
	}
	line := Page(glyphs)[0].Lines[0]
	if len(line) != 3 || line[1] != (Span{"the note", 1}) {
		t.Errorf("%+v", line)
	}
}

// A page of very many glyphs ends.
func TestMany(t *testing.T) {
	var glyphs []Glyph
	for i := range 40_000 {
		glyphs = append(glyphs, Glyph{Text: "x", X: float64(i%5000) * 7, Y: float64(i/20000) + float64(i%7), Advance: 5, Size: 4 + float64(i%3)})
	}
	if n := len(Page(glyphs)); n == 0 {
		t.Error("nothing")
	}
}
