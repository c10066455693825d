package syntax

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// checkXML reads an XML document to its end.
func checkXML(text string) Verdict {
	d := xml.NewDecoder(strings.NewReader(text))
	// The text is already decoded, whatever encoding it declares.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	depth, roots := 0, 0
	for {
		start := int(d.InputOffset())
		token, err := d.Token()
		line, _ := d.InputPos()
		var at *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF) && roots == 0:
			return failed(line, "there is no element")
		case errors.Is(err, io.EOF):
			return passed()
		case errors.As(err, &at) && strings.Contains(at.Msg, "character entity") && strings.Contains(text, "<!DOCTYPE"):
			return Verdict{} // the document type may declare the entity
		case errors.As(err, &at):
			return failed(at.Line, at.Msg)
		case err != nil:
			return failed(line, err.Error())
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth == 0 {
				if roots++; roots > 1 {
					return failed(line, "a second element at the top level: <"+token.Name.Local+">")
				}
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			const space = " \t\r\n\ufeff"
			if body := strings.TrimLeft(string(token), space); depth == 0 && body != "" {
				raw := text[start:]
				return failed(lineAt(text, start+len(raw)-len(strings.TrimLeft(raw, space))), "text outside of any element")
			}
		}
	}
}
