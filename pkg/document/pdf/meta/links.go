package meta

import (
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// Link is a place on a page that leads to an address: 12.5.6.5.
type Link struct {
	Rect object.Rect // in the space of the page, without its rotation
	URI  string
}

// Limits of the links of a page.
const (
	maxLinks = 5_000
	maxURI   = 2_000 // bytes
)

// Links returns the links of a page that lead to addresses, in the order of the file.
func Links(f *object.File, page *object.Page) []Link {
	var all []Link
	annotations := f.Array(page.Dict["Annots"])
	for _, v := range annotations[:min(len(annotations), maxLinks)] {
		a := f.Dict(v)
		if f.Name(a["Subtype"]) != "Link" {
			continue
		}
		action := f.Dict(a["A"])
		s, _ := f.Resolve(action["URI"]).(object.String)
		uri := address(s)
		rect := f.Rect(a["Rect"])
		if f.Name(action["S"]) == "URI" && uri != "" && rect != (object.Rect{}) {
			all = append(all, Link{rect, uri})
		}
	}
	return all
}

// address returns an address as text, "" if it is none that can be shown. Addresses are
// ASCII, but UTF-8 and Latin-1 are found.
func address(s object.String) string {
	text := string(s)
	if !utf8.ValidString(text) {
		var b strings.Builder
		for _, c := range s {
			b.WriteRune(rune(c))
		}
		text = b.String()
	}
	text = strings.TrimSpace(text)
	if len(text) > maxURI || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return ""
	}
	return strings.ReplaceAll(text, " ", "%20")
}
