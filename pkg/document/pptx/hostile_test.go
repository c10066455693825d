package pptx

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/fault"
)

// What a presentation is made to be like ends, and is bounded.
func TestHostile(t *testing.T) {
	rel := func(kind, target string) []byte {
		return fmt.Appendf(nil, `<Relationships><Relationship Id="a" Type="t/%s" Target="%s"/><Relationship Id="b" Type="t/slideLayout" Target="%s"/></Relationships>`, kind, target, target)
	}
	text := `<p:sp><p:nvSpPr><p:nvPr><p:ph idx="1"/></p:nvPr></p:nvSpPr><p:txBody><a:p>` + run("x") + `</a:p></p:txBody></p:sp>`
	for name, c := range map[string]struct {
		parts map[string][]byte
		more  map[string][]byte
		most  int // bytes of Markdown
	}{
		"a layout that is its own master": {small(text, "slideLayout", "../l.xml"),
			map[string][]byte{"ppt/l.xml": []byte(`<p:sldLayout/>`), "ppt/_rels/l.xml.rels": rel("slideMaster", "l.xml")}, 100},
		"a slide that is its own layout and its own notes": {small(text, "slideLayout", "slide1.xml", "notesSlide", "slide1.xml"), nil, 100},
		"many shapes":          {small(strings.Repeat(`<p:sp/>`, 300_000)), nil, 100},
		"many paragraphs":      {small(`<p:sp><p:txBody>` + strings.Repeat(`<a:p><a:r><a:t>x</a:t></a:r></a:p>`, 200_000) + `</p:txBody></p:sp>`), nil, 1 << 20},
		"deep groups":          {small(strings.Repeat(`<p:grpSp>`, 200) + text + strings.Repeat(`</p:grpSp>`, 200)), nil, 100},
		"endless groups":       {small(strings.Repeat(`<p:grpSp>`, 100_000)), nil, 100},
		"a huge table":         {small(`<p:graphicFrame><a:graphic><a:graphicData><a:tbl>` + strings.Repeat(`<a:tr><a:tc gridSpan="2000000000"/></a:tr>`, 210_000) + `</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`), nil, 8 << 20},
		"one slide many times": {small(text), map[string][]byte{"ppt/presentation.xml": []byte(`<p:presentation>` + strings.Repeat(`<p:sldId r:id="r1"/>`, 100_000) + `</p:presentation>`)}, 100},
		"uneven table":         {small(`<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>` + strings.Repeat(`<a:tc/>`, 50_000) + `</a:tr>` + strings.Repeat(`<a:tr><a:tc/></a:tr>`, 50_000) + `</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`), nil, 1 << 20},
		"many runs":            {small(`<p:sp><p:txBody><a:p>` + strings.Repeat(`<a:r><a:t>x</a:t></a:r><a:br/>`, 200_000) + `</a:p></p:txBody></p:sp>`), nil, 1 << 20},
		"coordinates":          {small(strings.Repeat(`<p:sp><p:spPr><a:xfrm><a:off x="NaN" y="-1e308"/><a:ext cx="Inf" cy="0mm"/></a:xfrm></p:spPr></p:sp>`, 100) + text), nil, 100},
	} {
		maps.Copy(c.parts, c.more)
		got, err := read(t, packed(t, c.parts), document.Request{})
		if len(got) > c.most || err != nil && !fault.Is(err, fault.BadDocument) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// Presentations with damaged parts are read as far as they go: most of them give the
// text of most slides.
func TestMutated(t *testing.T) {
	parts := partsOf(t, fixture(t, "python-pptx"))
	var names []string
	for name := range parts {
		if strings.HasPrefix(name, "ppt/slides/slide") || strings.HasPrefix(name, "ppt/charts/") || strings.HasPrefix(name, "ppt/notesSlides/notes") || name == "ppt/presentation.xml" || name == "ppt/slideLayouts/slideLayout2.xml" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(1, seed))
		changed := maps.Clone(parts)
		for range 1 + random.IntN(3) {
			name := names[random.IntN(len(names))]
			changed[name] = mutated(random, changed[name])
		}
		got, err := read(t, packed(t, changed), document.Request{Image: func(document.Image) string { return "p" }})
		if err != nil && !fault.Is(err, fault.BadDocument) && !fault.Is(err, fault.UnsupportedContent) || len(got) > 1<<20 {
			t.Errorf("seed %d: %d bytes, %v", seed, len(got), err)
		}
	}
}

// mutated returns content with a few bytes changed, taken out or repeated.
func mutated(random *rand.Rand, content []byte) []byte {
	out := bytes.Clone(content)
	for range 1 + random.IntN(4) {
		if len(out) == 0 {
			break
		}
		at := random.IntN(len(out))
		n := min(random.IntN(40), len(out)-at)
		switch random.IntN(5) {
		case 0:
			out[at] = byte(random.Uint32())
		case 1:
			out = append(out[:at], out[at+n:]...)
		case 2:
			out = append(out[:at:at], append(bytes.Clone(out[at:at+n]), out[at:]...)...)
		case 3:
			out[at] = `<>"/=&`[random.IntN(6)]
		default:
			out = out[:at]
		}
	}
	return out
}

// Whatever a slide holds, reading it ends with a fault at most, and twice the same.
func FuzzPPTX(f *testing.F) {
	parts := partsOf(f, fixture(f, "python-pptx"))
	for name, content := range parts {
		if strings.HasPrefix(name, "ppt/slides/slide") {
			f.Add(content)
			f.Add(content[:len(content)/2])
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		p := small("", "slideLayout", "slide1.xml", "notesSlide", "slide1.xml", "comments", "slide1.xml")
		p["ppt/slides/slide1.xml"] = content
		raw := packed(t, p)
		got, err := read(t, raw, document.Request{})
		if err != nil && !fault.Is(err, fault.BadDocument) {
			t.Fatal(err)
		}
		if again, _ := read(t, raw, document.Request{}); again != got {
			t.Errorf("%q and %q", got, again)
		}
	})
}
