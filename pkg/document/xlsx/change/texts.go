package change

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// newTexts are the shared strings that are appended.
type newTexts struct {
	part   string // "" if the workbook has none: then texts stand in their cells
	count  int
	all    map[string]int
	order  []string
	tag    tagged // of the root
	end    int64  // of its content
	empty  bool   // the root has no content
	prefix string
}

// shared returns the ID of a text among the shared strings, to which it is appended; shared
// is false if there are none.
func (c *changes) shared(text string) (id int, shared bool, err error) {
	if c.texts == nil {
		if c.texts, err = c.openTexts(); err != nil {
			return 0, false, err
		}
	}
	t := c.texts
	if t.part == "" {
		return 0, false, nil
	}
	id, known := t.all[text]
	if !known {
		id = t.count + len(t.order)
		t.all[text] = id
		t.order = append(t.order, text)
	}
	return id, true, nil
}

// openTexts counts the shared strings.
func (c *changes) openTexts() (*newTexts, error) {
	t := &newTexts{part: c.Relation("sharedStrings"), all: map[string]int{}}
	if t.part == "" {
		return t, nil
	}
	in, err := c.Package().Open(t.part)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s := xmlscan.New(in)
	for {
		switch s.Next() {
		case xmlscan.EOF:
			if s.Mended() || t.end == 0 {
				return nil, damaged()
			}
			return t, discard(in)
		case xmlscan.Start:
			switch {
			case s.Depth() == 1:
				t.tag = tagged{s.Offset() - int64(s.Tag()), bytes.Clone(s.Written())}
				t.prefix = strings.TrimSuffix(s.Raw(), "sst")
				t.empty = bytes.HasSuffix(t.tag.tag, []byte("/>"))
			case s.Local() == "si" && s.Depth() == 2:
				t.count++
				t.passText(s)
			}
		case xmlscan.End:
			if s.Depth() == 0 {
				if t.end = s.Offset(); !t.empty {
					t.end -= int64(s.Tag())
				}
			}
		}
	}
}

// passText passes over the plain texts that follow one another, as nearly all are.
func (t *newTexts) passText(s *xmlscan.Scanner) {
	s.Skip()
	begin, end := []byte("<"+t.prefix+"si><"), []byte("</"+t.prefix+"si>")
	for {
		b := s.Peek(4 << 10)
		used := 0
		for bytes.HasPrefix(b[used:], begin) {
			i := bytes.Index(b[used:], end)
			if i < 0 || bytes.Contains(b[used:used+i], []byte("<!")) {
				break
			}
			used += i + len(end)
			t.count++
		}
		if used == 0 {
			return
		}
		s.Discard(used)
	}
}

// finishTexts appends the new texts to the part.
func (c *changes) finishTexts() {
	t := c.texts
	if t == nil || len(t.order) == 0 {
		return
	}
	tag := t.tag.tag
	for _, name := range [...]string{"count", "uniqueCount"} {
		tree := xmlscan.Tree{Data: tag}
		v, _ := tree.Attr(&xmlscan.Node{Raw: "sst", Inner: len(tag)}, name)
		if n, err := strconv.Atoi(v); err == nil {
			tag = setAttr(tag, name, strconv.Itoa(n+len(t.order)))
		}
	}
	var b []byte
	for _, text := range t.order {
		b = fmt.Appendf(b, "<%ssi>%s</%ssi>", t.prefix, textElement(t.prefix, text), t.prefix)
	}
	if t.empty {
		tag = append(bytes.TrimRight(tag[:len(tag)-2], " \t\r\n"), '>')
		b = append(b, "</"+t.prefix+"sst>"...)
	}
	c.splice(t.part, []xmlscan.Splice{
		{Start: t.tag.at, End: t.tag.at + int64(len(t.tag.tag)), New: tag}, {Start: t.end, End: t.end, New: b},
	})
}

// textElement returns a text in its element.
func textElement(prefix, text string) string {
	space := ""
	if strings.TrimSpace(text) != text || strings.Contains(text, "\n") {
		space = ` xml:space="preserve"`
	}
	return fmt.Sprintf("<%st%s>%s</%st>", prefix, space, escaped(text), prefix)
}

// escaped returns text as cells have it: what XML cannot hold, and what looks like that, is
// _xHHHH_ (ECMA-376 part 1, 22.9.2.19).
func escaped(text string) string {
	var b []byte
	for i, r := range text {
		switch {
		case r == '_' && isCode(text[i:]):
			b = append(b, "_x005F_"...)
		case r < ' ' && r != '\t' && r != '\n' || r == '\ufffe' || r == '\uffff':
			b = fmt.Appendf(b, "_x%04X_", r)
		default:
			b = xmlscan.AppendEscaped(b, string(r))
		}
	}
	return string(b)
}

// isCode reports whether a text begins with _xHHHH_.
func isCode(s string) bool {
	if len(s) < 7 || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// readTree reads a small part as a tree.
func (c *changes) readTree(part string) (*xmlscan.Tree, error) {
	in, err := c.Package().Open(part)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	const most = 32 << 20
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return nil, err
	}
	if len(data) > most {
		return nil, damaged()
	}
	return xmlscan.Parse(data)
}
