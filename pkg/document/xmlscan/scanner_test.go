package xmlscan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// events writes what a scanner finds, one line each, neighbouring texts as one.
func events(s *Scanner) string {
	var b strings.Builder
	var text []byte
	flush := func() {
		if len(text) > 0 {
			fmt.Fprintf(&b, "%q\n", text)
			text = nil
		}
	}
	for {
		switch s.Next() {
		case EOF:
			flush()
			return b.String()
		case Start:
			flush()
			fmt.Fprintf(&b, "<%s %d", s.Name(), s.Depth())
			for name, value := range s.Attrs {
				fmt.Fprintf(&b, " %s=%q", name, value)
			}
			b.WriteString(">\n")
		case End:
			flush()
			fmt.Fprintf(&b, "</%s %d>\n", s.Name(), s.Depth())
		case Text:
			text = append(text, s.Text()...)
		}
	}
}

func TestScanner(t *testing.T) {
	const w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	for _, c := range []struct{ name, xml, want string }{
		{"plain", `<a><b x="1" y='2'/>t</a>`, "<a 1>\n<b 2 x=\"1\" y=\"2\">\n</b 1>\n\"t\"\n</a 0>\n"},
		{"transitional", `<q:p xmlns:q="` + w + `" q:val="1"/>`, "<w:p 1 w:val=\"1\">\n</w:p 0>\n"},
		{"strict", `<p xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"/>`, "<w:p 1>\n</w:p 0>\n"},
		{"undeclared", `<w:p><w:r/></w:p>`, "<w:p 1>\n<w:r 2>\n</w:r 1>\n</w:p 0>\n"},
		{"scope", `<a><x:b xmlns:x="` + w + `"/><x:b/></a>`, "<a 1>\n<w:b 2>\n</w:b 1>\n<x:b 2>\n</x:b 1>\n</a 0>\n"},
		{"entities", `<a b="&lt;&#65;&quot;">&amp;&#x1F600;&nbsp;&</a>`, "<a 1 b=\"<A\\\"\">\n\"&😀&nbsp;&\"\n</a 0>\n"},
		{"literal", `<a><![CDATA[<b>&amp;]]></a>`, "<a 1>\n\"<b>&amp;\"\n</a 0>\n"},
		{"no document types", `<!DOCTYPE a [<!ENTITY x "<y/>"><!ELEMENT z ANY>]><a>&x;</a>`, "<a 1>\n\"&x;\"\n</a 0>\n"},
		{"comments", `<?xml version="1.0"?><!-- <b> --><a><!-- - -- > --><?p <c>?></a>`, "<a 1>\n</a 0>\n"},
		{"crossed", `<a><b><c></b></d></a>`, "<a 1>\n<b 2>\n<c 3>\n</c 2>\n</b 1>\n</a 0>\n"},
		{"spaces", "<a\n  b = '1'\t>\r\nx\r</a >", "<a 1 b=\"1\">\n\"\\nx\\n\"\n</a 0>\n"},
		{"greater", `<a b="x>y">z</a>`, "<a 1 b=\"x>y\">\n\"z\"\n</a 0>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{"whole": strings.NewReader(c.xml), "bytes": iotest.OneByteReader(strings.NewReader(c.xml))} {
				s := New(r)
				if got := events(s); got != c.want || s.Err() != nil {
					t.Errorf("%s: %v\n%s, want\n%s", name, s.Err(), got, c.want)
				}
			}
		})
	}
}

// What is cut off gives what there is, and says so.
func TestDamage(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		r    io.Reader
		want string
		err  string
	}{
		{"in a tag", strings.NewReader(`<a><b>x</b><c d="`), "<a 1>\n<b 2>\n\"x\"\n</b 1>\n</a 0>\n", "within a tag"},
		{"in an element", strings.NewReader(`<a><b>x`), "<a 1>\n<b 2>\n\"x\"\n</b 1>\n</a 0>\n", "within b"},
		{"of the file", io.MultiReader(strings.NewReader(`<a>x`), iotest.ErrReader(broken)), "<a 1>\n\"x\"\n</a 0>\n", "broken"},
		{"too deep", strings.NewReader(strings.Repeat("<a>", 300)), strings.Repeat("?", 256), "nested"},
		{"endless tag", strings.NewReader("<a>x<b " + strings.Repeat("y", 2<<20)), "<a 1>\n\"x\"\n</a 0>\n", "more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(c.r)
			got := events(s)
			if s.Err() == nil || !strings.Contains(s.Err().Error(), c.err) {
				t.Errorf("error: %v", s.Err())
			}
			if strings.HasPrefix(c.want, "?") {
				if n := strings.Count(got, "<a"); n != len(c.want) {
					t.Errorf("%d elements", n)
				}
			} else if got != c.want {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	utf16 := func(s string, big bool) string {
		b := []byte{0xff, 0xfe}
		if big {
			b = []byte{0xfe, 0xff}
		}
		for _, c := range []byte(s) {
			if big {
				b = append(b, 0, c)
			} else {
				b = append(b, c, 0)
			}
		}
		return string(b)
	}
	for name, xml := range map[string]string{
		"UTF-8 with a mark": "\xef\xbb\xbf<a>x\u00e9</a>",
		"UTF-16LE":          utf16("<a>x\xe9</a>", false),
		"UTF-16BE":          utf16("<a>x\xe9</a>", true),
		"UTF-16 unmarked":   utf16("<a>x\xe9</a>", false)[2:],
		"Latin 1":           "<?xml version='1.0' encoding='ISO-8859-1'?><a>x\xe9</a>",
		"windows-1251":      "<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>x</a>",
	} {
		want := "<a 1>\n\"xé\"\n</a 0>\n"
		if name == "windows-1251" {
			want = "<a 1>\n\"x\"\n</a 0>\n"
		}
		if got := events(New(strings.NewReader(xml))); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAttributes(t *testing.T) {
	s := New(strings.NewReader(`<p:sldId xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:q="http://schemas.openxmlformats.org/officeDocument/2006/relationships" id="256" q:id="rId2"/>`))
	s.Next()
	if s.String("id") != "256" || s.String("r:id") != "rId2" || s.String("name") != "" {
		t.Errorf("id %q, r:id %q", s.String("id"), s.String("r:id"))
	}
	s = New(strings.NewReader(`<w:b w:val="0" w:n=" 12 "/>`))
	s.Next()
	if n, ok := s.Int("n"); s.Bool("val", true) || !s.Bool("other", true) || n != 12 || !ok {
		t.Error("val, other or n")
	}
}

// Skip and All go to the end of the element, empty or not.
func TestSkip(t *testing.T) {
	s := New(strings.NewReader(`<a><b/><b>1<c>2</c>3</b><d/></a>`))
	s.Next()
	var got []string
	for kind := s.Next(); kind != EOF; kind = s.Next() {
		if kind == Start && s.Name() == "b" {
			got = append(got, string(s.All(2)))
		} else if kind == Start {
			got = append(got, s.Name()+" in "+s.Parent())
			s.Skip()
		}
	}
	if strings.Join(got, "|") != "|12|d in a" {
		t.Error(got)
	}
}

// A document that the standard library accepts gives the same elements and text.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		`<a><b x="1"/>t&amp;<![CDATA[x]]></a>`, `<a xmlns="u"><b xmlns:p="v" p:q=""/></a>`, "<a>\r\n</a><!-- -->", `<a><b></a>`, `<a`, `<a b="`, "\xff\xfe<\x00a\x00>\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := New(bytes.NewReader(raw))
		var got []string
		depth := 0
		for kind := s.Next(); kind != EOF; kind = s.Next() {
			switch kind {
			case Start:
				depth++
				got = append(got, s.current.raw)
			case End:
				depth--
				got = append(got, "/"+s.current.raw)
			}
			if s.Depth() != depth || depth < 0 || depth > maxDepth+1 {
				t.Fatalf("depth %d, %d are open", s.Depth(), depth)
			}
		}
		if depth != 0 {
			t.Fatalf("%d elements are left open", depth)
		}
		if want, ok := judged(raw); ok && strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q\n got %q\nwant %q", raw, got, want)
		}
	})
}

// judged returns the tags that the standard library finds in a document that is
// well-formed and has no document type.
func judged(raw []byte) (tags []string, ok bool) {
	if bytes.Contains(raw, []byte("<!D")) || bytes.Contains(raw, []byte("<?xml")) || bytes.IndexByte(raw, 0) >= 0 || bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		return nil, false
	}
	for d := xml.NewDecoder(bytes.NewReader(raw)); ; { // only Token compares the ends with the beginnings
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, false
		}
	}
	d := xml.NewDecoder(bytes.NewReader(raw))
	for depth := 0; ; {
		token, err := d.RawToken()
		switch {
		case errors.Is(err, io.EOF):
			return tags, depth == 0
		case err != nil:
			return nil, false
		}
		name := func(n xml.Name) string {
			if n.Space != "" {
				return n.Space + ":" + n.Local
			}
			return n.Local
		}
		switch e := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return nil, false
			}
			tags = append(tags, name(e.Name))
		case xml.EndElement:
			depth--
			tags = append(tags, "/"+name(e.Name))
			if depth < 0 {
				return nil, false
			}
		case xml.Directive:
			return nil, false
		}
	}
}

// Children are seen once each, whatever is read of them, and the cut off end too.
func TestChildren(t *testing.T) {
	s := New(strings.NewReader("<a>x<b><c/><c/></b><d/>y<e>1<f>2</f></e><g><h><i/></h><j></g></a><z>"))
	var names []string
	for s.Next() == Start {
		for name := range s.Children {
			names = append(names, name)
			switch name {
			case "b":
				for name := range s.Children {
					names = append(names, name)
					break
				}
			case "e":
				names = append(names, string(s.All(9)))
			case "g":
				for name := range s.Descendants {
					names = append(names, name)
				}
			}
		}
	}
	if got := strings.Join(names, " "); got != "b c d e 12 g h i j" || s.Depth() != 0 {
		t.Errorf("%s, depth %d", got, s.Depth())
	}
}

// A value that is longer than what is read at once is whole, with what quotes and brackets
// it has.
func TestLongValue(t *testing.T) {
	want := strings.Repeat("y'>", 100_000)
	s := New(iotest.OneByteReader(strings.NewReader(`<a><b c="` + want + `" d="1"/>z</a>`)))
	for kind := s.Next(); kind != EOF; kind = s.Next() {
		if kind == Start && s.Name() == "b" && (s.String("c") != want || s.String("d") != "1") {
			t.Errorf("%d bytes, %q", len(s.String("c")), s.String("d"))
		}
	}
	if err := s.Err(); err != nil {
		t.Error(err)
	}
}
