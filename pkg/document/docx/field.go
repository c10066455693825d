package docx

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of fields.
const (
	maxFields      = 32      // in one another
	maxInstruction = 4 << 10 // bytes
)

// field is an open field (17.16): an instruction, then its result.
type field struct {
	instruction []byte
	inResult    bool
	link        string
}

// fieldChar reads a w:fldChar: the beginning, middle or end of a field.
func (r *renderer) fieldChar(s *xmlscan.Scanner, p *paragraph, like look) {
	n := len(r.fields)
	kind, _ := s.Attr("w:fldCharType")
	switch string(kind) {
	case "begin":
		if n < maxFields {
			r.fields = append(r.fields, field{})
		}
		if shown := r.formField(s); shown != "" && !r.inOuterInstruction() {
			r.text(p, []byte(shown), like, 0)
		}
	case "separate":
		if n > 0 && !r.fields[n-1].inResult {
			f := &r.fields[n-1]
			f.inResult = true
			f.link = linkOf(string(f.instruction))
		}
	case "end":
		if n > 0 {
			f := r.fields[n-1]
			r.fields = r.fields[:n-1]
			if !f.inResult && !r.inInstruction() {
				r.text(p, []byte(unseparated(string(f.instruction))), like, 0)
			}
		}
	}
}

// instruction reads a piece of an instruction.
func (r *renderer) instruction(s *xmlscan.Scanner) {
	text := s.All(maxInstruction)
	if n := len(r.fields); n > 0 && !r.fields[n-1].inResult && len(r.fields[n-1].instruction) < maxInstruction {
		r.fields[n-1].instruction = append(r.fields[n-1].instruction, text...)
	}
}

// inInstruction reports whether text is part of an instruction, which is not shown.
func (r *renderer) inInstruction() bool {
	for i := range r.fields {
		if !r.fields[i].inResult {
			return true
		}
	}
	return false
}

// inOuterInstruction is inInstruction for the fields around the one that just began.
func (r *renderer) inOuterInstruction() bool {
	for i := range max(0, len(r.fields)-1) {
		if !r.fields[i].inResult {
			return true
		}
	}
	return false
}

// fieldLink returns the target of the innermost link around text.
func (r *renderer) fieldLink() string {
	for _, f := range slices.Backward(r.fields) {
		if f.link != "" {
			return f.link
		}
	}
	return ""
}

// closeFields forgets instructions that do not end with their paragraph, as they would
// swallow the rest of the document.
func (r *renderer) closeFields() {
	for i := range r.fields {
		if !r.fields[i].inResult {
			r.fields = r.fields[:i]
			return
		}
	}
}

// formField returns the text of a form field without a result: a box, a choice (17.16.17).
func (r *renderer) formField(s *xmlscan.Scanner) (shown string) {
	r.children(s, func(name string) {
		if name != "w:ffData" {
			return
		}
		r.children(s, func(name string) {
			switch name {
			case "w:checkBox":
				checked := false
				r.children(s, func(name string) {
					if name == "w:checked" || name == "w:default" {
						checked = s.Bool("w:val", true)
					}
				})
				if shown = "☐"; checked {
					shown = "☒"
				}
			case "w:ddList":
				chosen, entry := 0, 0
				r.children(s, func(name string) {
					switch name {
					case "w:result":
						chosen, _ = s.Int("w:val")
					case "w:listEntry":
						if entry == chosen {
							shown = s.String("w:val")
						}
						entry++
					}
				})
			}
		})
	})
	return shown
}

// unseparated returns what a field without a result shows: a SYMBOL (17.16.5.60) and the button
// of a macro (17.16.5.34) do.
func unseparated(instruction string) string {
	words := fieldWords(instruction)
	if len(words) > 2 && strings.EqualFold(words[0], "MACROBUTTON") {
		_, rest, _ := strings.Cut(strings.TrimSpace(instruction), " ")
		_, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		return strings.TrimSpace(rest)
	}
	if len(words) < 2 || !strings.EqualFold(words[0], "SYMBOL") {
		return ""
	}
	font := ""
	for i := 2; i+1 < len(words); i++ {
		if strings.EqualFold(words[i], `\f`) {
			font = words[i+1]
		}
	}
	if c := symbolNumber(font, words[1]); c != 0 {
		return string(c)
	}
	return ""
}

// linkOf returns the target of a HYPERLINK that leads out of the document (17.16.5.25);
// "" for other instructions.
func linkOf(instruction string) string {
	words := fieldWords(instruction)
	if len(words) < 2 || !strings.EqualFold(words[0], "HYPERLINK") {
		return ""
	}
	target, anchor := "", ""
	for i := 1; i < len(words); i++ {
		switch strings.ToLower(words[i]) {
		case `\l`:
			if i++; i < len(words) {
				anchor = words[i]
			}
		case `\o`, `\t`:
			i++
		case `\m`, `\n`, `\h`:
		default:
			if target == "" {
				target = words[i]
			}
		}
	}
	if target == "" {
		return ""
	}
	return withAnchor(target, anchor)
}

// fieldWords splits an instruction: words, and texts between quotation marks in which a
// backslash is written twice.
func fieldWords(instruction string) (words []string) {
	var b strings.Builder
	inWord, quoted := false, false
	for i := 0; i < len(instruction); i++ {
		c := instruction[i]
		switch {
		case c == '"':
			quoted = !quoted
			inWord = true
		case c == '\\' && quoted && i+1 < len(instruction) && (instruction[i+1] == '\\' || instruction[i+1] == '"'):
			i++
			b.WriteByte(instruction[i])
		case !quoted && (c == ' ' || c == '\t' || c == '\n'):
			if inWord {
				words = append(words, b.String())
				b.Reset()
			}
			inWord = false
		default:
			inWord = true
			b.WriteByte(c)
		}
	}
	if inWord {
		words = append(words, b.String())
	}
	return words
}
