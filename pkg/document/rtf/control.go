package rtf

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
)

// control acts on a control word or symbol.
func (r *reader) control() {
	if r.skip > 0 { // it stands for a character that was read already
		r.skip--
		if r.s.word != "u" {
			return
		}
	}
	word, n := r.s.word, r.s.number
	switch word {
	case "*":
		r.star = r.before == begin // elsewhere it means nothing
		return
	case "u":
		r.unicode(n)
		return
	case "uc":
		r.flush()
		r.st.uc = max(0, min(n, 100))
		return
	}
	r.flush()
	star := r.star
	r.star = false
	if r.st.to == skip {
		return
	}
	if r.st.to == picture && r.pictureWord(word) || r.destination(word) || r.character(word, n) || r.paragraphWord(word, n) || r.tableWord(word, n) {
		return
	}
	if star { // a destination that is not known
		r.st.to = skip
	}
}

// destination begins a group that is no plain text of the document.
func (r *reader) destination(word string) bool {
	switch word {
	case "fonttbl":
		r.st.to = fonts
	case "stylesheet":
		r.st.to = sheet
	case "info":
		r.st.to = info
	case "title":
		if r.st.to == info {
			r.st.to = title
		}
	case "author":
		if r.st.to == info {
			r.st.to = author
		}
	case "pict":
		r.pict = pict{alt: r.pict.alt}
		r.st.to, r.st.starts = picture, opensPicture
	case "shppict", "picprop", "shpinst", "sp", "shp", "listpicture", "fldrslt", "rtlch", "ltrch", "object", "result":
		if word == "fldrslt" && r.st.field != nil {
			r.st.field.resolve()
		}
		if word == "shp" || word == "object" {
			r.pict.alt = ""
		}
	case "shptxt":
		r.beginFlow(opensBox)
	case "sn":
		r.st.to, r.property = property, ""
	case "sv":
		r.st.to = value
	case "field":
		r.st.field, r.st.starts = &field{}, opensField
	case "fldinst":
		r.st.to = code
	case "listtext", "pntext":
		r.p.label = ""
		r.st.to = marker
	case "footnote":
		r.beginFlow(opensNote)
	case "annotation":
		r.beginFlow(opensComment)
	case "atnauthor":
		r.st.to, r.by = reviewer, ""
	case "upr": // what comes first is for programs without Unicode
	case "ud":
	case "nonshppict", "shprslt", "colortbl", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "xe", "tc", "tcn", "rxe",
		"ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "atnid", "atnref", "atndate", "atntime", "atnparent", "listtable", "listoverridetable",
		"revtbl", "rsidtbl", "generator", "filetbl", "themedata", "colorschememapping", "latentstyles", "datastore", "objdata", "objclass", "objname",
		"nonesttables", "bkmkstart", "bkmkend", "pn", "pntxta", "pntxtb", "nesttableprops", "datafield", "formfield", "template", "userprops", "falt", "panose",
		"keywords", "comment", "doccomm", "operator", "subject", "company", "manager", "category", "hlinkbase", "creatim", "revtim", "printim", "buptim", "mmathPr",
		"xmlnstbl", "blipuid", "bliptag", "private", "background", "wgrffmtfilter", "pgdsctbl", "atrfstart", "atrfend", "do":
		r.st.to = skip
	default:
		return false
	}
	return true
}

// character sets a property of text, or adds a special character.
func (r *reader) character(word string, n int) bool {
	on := !r.s.hasNum || n != 0
	set := func(s markdown.Style) {
		if on {
			r.st.style |= s
		} else {
			r.st.style &^= s
		}
	}
	switch word {
	case "plain":
		r.st.style, r.st.hidden = 0, false
	case "b":
		set(markdown.Bold)
	case "i":
		set(markdown.Italic)
	case "strike", "striked":
		set(markdown.Strike)
	case "super":
		set(markdown.Superscript)
	case "sub":
		set(markdown.Subscript)
	case "nosupersub":
		r.st.style &^= markdown.Superscript | markdown.Subscript
	case "v":
		r.st.hidden = on
	case "deleted":
		set(markdown.Deleted)
	case "revised":
		set(markdown.Inserted)
	case "f":
		r.st.font = n
		if r.st.to == fonts {
			r.font, r.name = &font{number: n}, r.name[:0]
		}
	case "fcharset":
		if r.font != nil {
			r.font.charset = n
		}
	case "fprq":
		if r.font != nil {
			r.font.fixed = n == 1
		}
	case "ansicpg":
		r.ansi = n
	case "mac":
		r.ansi = 10000
	case "pc":
		r.ansi = 437
	case "pca":
		r.ansi = 850
	case "deff":
		r.st.font = n
	case "tab":
		r.text("\t")
	case "line", "lbr":
		r.lineBreak()
	case "emdash":
		r.text("—")
	case "endash":
		r.text("–")
	case "bullet":
		r.text("•")
	case "lquote":
		r.text("‘")
	case "rquote":
		r.text("’")
	case "ldblquote":
		r.text("“")
	case "rdblquote":
		r.text("”")
	case "emspace", "enspace", "qmspace":
		r.text(" ")
	case "~":
		r.text("\u00a0")
	case "_":
		r.text("-")
	case "-", ":", "|", "zwj", "zwnj", "chftn", "chftnsep", "chatn", "ftnalt":
	case "\\", "{", "}":
		r.bytes([]byte(word))
	default:
		return false
	}
	return true
}

// paragraphWord sets a property of the paragraph, or ends it.
func (r *reader) paragraphWord(word string, n int) bool {
	switch word {
	case "pard":
		r.st.para = paraState{}
		if r.st.to == body && r.p.in.Empty() {
			r.p.label = ""
		}
	case "s":
		r.st.para.style = n
		if r.heading != nil {
			r.heading.number = n
		}
	case "outlinelevel":
		level := max(0, min(n, 9)) + 1
		if level > 9 {
			level = 0 // body text
		}
		r.st.para.outline = level
		if r.heading != nil {
			r.heading.outline = level
		}
	case "ilvl":
		r.st.para.level = max(0, min(n, 8))
	case "intbl":
		r.st.para.table = max(r.st.para.table, 1)
	case "itap":
		r.st.para.table = max(0, min(n, 10))
	case "par", "sect", "page", "column":
		if r.st.to == body && word == "par" || r.st.to == body && !r.p.in.Empty() {
			r.endParagraph()
		}
	default:
		return false
	}
	return true
}

// beginFlow begins a note, a comment or a box.
func (r *reader) beginFlow(what opened) {
	f := &flow{before: r.p}
	r.p = &paragraph{}
	r.st.to, r.st.flow, r.st.starts, r.st.field = body, f, what, nil
	r.st.para, r.st.style = paraState{}, 0
}

// endGroup ends the group, with what it began.
func (r *reader) endGroup() {
	ended := r.st
	switch ended.starts {
	case opensNote, opensComment, opensBox:
		r.endParagraph()
		r.p = ended.flow.before
	case opensStyle:
		r.named()
		r.heading = nil
	}
	if ended.to == fonts && r.font != nil {
		r.named()
	}
	outer := len(r.stack) - 1
	r.st, r.stack = r.stack[outer], r.stack[:outer]
	if r.st.to == skip && ended.starts != nothing {
		return
	}
	switch ended.starts {
	case opensNote:
		r.addNote(ended.flow)
	case opensComment:
		r.addComment(ended.flow)
	case opensBox:
		if len(ended.flow.lines) > 0 {
			r.p.after = append(r.p.after, ended.flow.lines...)
		}
	case opensPicture:
		r.showPicture()
	}
}

// resolve reads the code of a field: where a hyperlink leads to.
func (f *field) resolve() {
	rest, found := strings.CutPrefix(strings.TrimSpace(f.code), "HYPERLINK")
	if !found {
		return
	}
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, `\l`) {
		return // to another place of the document
	}
	if target, ok := strings.CutPrefix(rest, `"`); ok {
		target, _, _ = strings.Cut(target, `"`)
		f.link = strings.TrimSpace(target)
		return
	}
	f.link, _, _ = strings.Cut(rest, " ")
}

// beginStyle begins an entry of the style sheet.
func (r *reader) beginStyle() {
	r.heading, r.name = &style{}, r.name[:0]
	r.st.starts = opensStyle
	r.st.para = paraState{}
}

// named ends an entry of the table of fonts or of the style sheet.
func (r *reader) named() {
	name := strings.ToLower(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(string(r.name)), ";")))
	r.name = r.name[:0]
	switch {
	case r.font != nil:
		r.font.fixed = r.font.fixed || isFixed(name)
		if len(r.fonts) < maxTable {
			r.fonts[r.font.number] = *r.font
		}
		r.font = nil
	case r.heading != nil && name != "":
		r.heading.name = name
		if len(r.styles) < maxTable {
			r.styles[r.heading.number] = r.heading
		}
	}
}

func isFixed(font string) bool {
	for _, word := range [...]string{"courier", "mono", "consolas", "menlo", "typewriter"} {
		if strings.Contains(font, word) {
			return true
		}
	}
	return false
}

// look returns the style of the text that comes, and whether it is shown.
func (r *reader) look() (markdown.Style, bool) {
	look := r.st.style
	if f, ok := r.fonts[r.st.font]; ok && f.fixed {
		look |= markdown.Code
	}
	switch changed := look & (markdown.Inserted | markdown.Deleted); {
	case r.st.hidden:
		return 0, false
	case changed == 0 || r.q.Changes == document.All:
		return look, true
	case r.q.Changes == document.Reject:
		return look &^ changed, changed&markdown.Inserted == 0
	default:
		r.q.Changed()
		return look &^ changed, changed&markdown.Deleted == 0
	}
}
