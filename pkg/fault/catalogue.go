package fault

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed zh.po
var chinesePO string

// chinese maps each English text to its Chinese one. It is parsed at the first use of
// the language, as every call pays for what is done at start.
var chinese = sync.OnceValue(func() map[string]string { return parsePO(chinesePO) })

// Translate returns a text of helve's own in a language, and whether the catalogue has
// it. A text that it lacks is returned as it is. English is always there.
func Translate(english string, lang Lang) (string, bool) {
	if lang != Chinese {
		return english, true
	}
	if text, ok := chinese()[english]; ok {
		return text, true
	}
	return english, false
}

// parsePO reads a catalogue in the PO format of GNU gettext: comments, and pairs of msgid
// and msgstr, whose strings are quoted as in C and may be continued on further lines.
// A pair without a translation is left out. Of a malformed line nothing is taken.
//
// https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html
func parsePO(file string) map[string]string {
	texts := map[string]string{}
	var text [2]string // msgid, msgstr
	at := 0
	flush := func() {
		if text[0] != "" && text[1] != "" {
			texts[text[0]] = text[1]
		}
		text, at = [2]string{}, 0
	}
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "msgid "); ok {
			flush()
			line = rest
		} else if rest, ok := strings.CutPrefix(line, "msgstr "); ok {
			line, at = rest, 1
		}
		if s, err := strconv.Unquote(line); err == nil {
			text[at] += s
		}
	}
	flush()
	return texts
}
