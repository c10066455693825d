package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// Section is a part of a document: a heading with what follows it, its subsections
// included.
type Section struct {
	Heading string `json:"heading"` // with those above it: "Guide > Install"
	Start   int    `json:"start"`   // characters before it
	End     int    `json:"end"`     // characters to its end
}

// candidate is a heading that a fault names.
type candidate struct {
	Heading string `json:"heading"`
	Start   int    `json:"start"`
}

// maxCandidates limits the headings that a fault lists.
const maxCandidates = 40

// Section returns the section that a name means: an id after a number sign, a heading,
// or headings from the outer to the inner with " > " between them. A heading is found
// as it is written, else without regard to case, accents and marks, else by a part of
// it, else by the most of its words. The faults are text_not_found, which lists the
// headings, and text_ambiguous, which lists those that are meant equally well.
func (d *Document) Section(name string) (Section, error) {
	marks := d.marks()
	found := meant(marks, strings.TrimSpace(name))
	if len(found) == 1 {
		return d.section(marks, found[0]), nil
	}
	if len(found) == 0 {
		if len(marks) == 0 {
			return Section{}, fault.New(fault.TextNotFound, fault.T("there is no section %q: the page has no headings", name)).
				WithHint(fault.T("use find, or leave section out"))
		}
		list := d.candidates(marks, indices(len(marks)))
		return Section{}, fault.New(fault.TextNotFound, fault.T("there is no section %q", name)).
			WithHint(fault.T("use one of these headings: %s", names(list))).
			WithDetails(map[string]any{"headings": list})
	}
	list := d.candidates(marks, found)
	return Section{}, fault.New(fault.TextAmbiguous, fault.T("%d sections are called %q", len(found), name)).
		WithHint(fault.T("name the headings above it as well, or continue at its start: %s", names(list))).
		WithDetails(map[string]any{"headings": list})
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// meant returns the headings that a name means equally well.
func meant(marks []mark, name string) []int {
	if id, ok := strings.CutPrefix(name, "#"); ok && id != "" && id[0] != '#' && id[0] != ' ' {
		if found := matching(marks, func(m *mark) bool { return slices.Contains(m.IDs, id) }); len(found) > 0 {
			return found[:1] // an id is unique, or the first counts
		}
		if found := matching(marks, func(m *mark) bool { return slug(m.Text) == slug(id) }); len(found) > 0 {
			return found[:1]
		}
	}
	name = strings.TrimSpace(strings.TrimLeft(name, "#"))
	key := letters(name)
	if key == "" {
		return matching(marks, func(m *mark) bool { return name != "" && m.Text == name })
	}
	words := strings.Fields(plain(name))
	for _, fits := range []func(*mark) bool{
		func(m *mark) bool { return m.Text == name },
		func(m *mark) bool { return letters(m.Text) == key },
		func(m *mark) bool { return slices.Contains(m.IDs, name) },
	} {
		if found := matching(marks, fits); len(found) > 0 {
			return found
		}
	}
	if found := below(marks, name); len(found) > 0 {
		return found
	}
	if found := matching(marks, func(m *mark) bool { return strings.Contains(letters(m.Text), key) }); len(found) > 0 {
		return found
	}
	best, most := []int(nil), (len(words)+1)/2 // more than half of the words
	for i := range marks {
		n, title := 0, plain(marks[i].Text)
		for _, w := range words {
			if wordAt(title, w) {
				n++
			}
		}
		switch {
		case n > most || n == most && n > 0 && best == nil && len(words) > 1:
			best, most = []int{i}, n
		case n == most && best != nil:
			best = append(best, i)
		}
	}
	return best
}

func matching(marks []mark, fits func(*mark) bool) []int {
	var all []int
	for i := range marks {
		if fits(&marks[i]) {
			all = append(all, i)
		}
	}
	return all
}

// below returns the headings that a path such as "Guide > Install" ends at.
func below(marks []mark, name string) []int {
	steps := strings.FieldsFunc(name, func(r rune) bool { return r == '>' || r == '›' || r == '→' })
	if len(steps) < 2 {
		return nil
	}
	for i := range steps {
		steps[i] = letters(steps[i])
	}
	var all []int
	for i := range marks {
		up := above(marks, i)
		n := len(steps) - 1
		for k := len(up) - 1; k >= 0 && n >= 0; k-- {
			if letters(marks[up[k]].Text) == steps[n] {
				n--
			} else if k == len(up)-1 {
				break
			}
		}
		if n < 0 {
			all = append(all, i)
		}
	}
	return all
}

// above returns the headings above one, the outermost first, and itself.
func above(marks []mark, i int) []int {
	up, level := []int{i}, marks[i].Level
	for k := i - 1; k >= 0 && level > 1; k-- {
		if marks[k].Level < level {
			up, level = append(up, k), marks[k].Level
		}
	}
	slices.Reverse(up)
	return up
}

// maxPath is the longest path of headings, in characters.
const maxPath = 120

// pathTo returns the headings to one, with " > " between them; as many of the inner ones
// as are not too long.
func pathTo(marks []mark, i int) string {
	path := ""
	for _, k := range slices.Backward(above(marks, i)) {
		text := strings.Join(strings.Fields(unlinked(marks[k].Text)), " ")
		if path == "" {
			if path = text; utf8.RuneCountInString(path) > maxPath {
				return path[:byteAt(path, maxPath-1)] + "…"
			}
			continue
		}
		if utf8.RuneCountInString(path)+utf8.RuneCountInString(text)+3 > maxPath {
			break
		}
		path = text + " > " + path
	}
	return path
}

// section returns the section of a heading.
func (d *Document) section(marks []mark, i int) Section {
	end := len(d.Content)
	for _, m := range marks[i+1:] {
		if m.Level <= marks[i].Level {
			end = m.at
			break
		}
	}
	start := utf8.RuneCountInString(d.Content[:marks[i].at])
	return Section{Heading: pathTo(marks, i), Start: start, End: start + utf8.RuneCountInString(d.Content[marks[i].at:end])}
}

// candidates returns headings with their places.
func (d *Document) candidates(marks []mark, which []int) []candidate {
	all := []candidate{} // none is an empty list in JSON
	at, chars := 0, 0
	for _, i := range which[:min(len(which), maxCandidates)] {
		chars += utf8.RuneCountInString(d.Content[at:marks[i].at])
		at = marks[i].at
		all = append(all, candidate{pathTo(marks, i), chars})
	}
	return all
}

// names lists the first headings in words.
func names(list []candidate) string {
	const shown = 12
	var all []string
	for _, c := range list[:min(len(list), shown)] {
		all = append(all, c.Heading)
	}
	text := strings.Join(all, "; ")
	if len(list) > shown {
		text += "; …"
	}
	return text
}

// slug returns a text as addresses call it: letters and digits with hyphens between.
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(fold(unlinked(s)), func(r rune) bool { return !inWord(r) }), "-")
}

// PartOf is [Document.Part] within a section. Offsets are those of the whole document; a
// start before the section is its beginning.
func (d *Document) PartOf(s Section, start, most int) (Part, error) {
	start = max(start, s.Start)
	if start >= s.End && s.End > 0 {
		return Part{}, fault.New(fault.OutOfRange, fault.T("start is %d; the section ends at %d", start, s.End)).
			WithHint(fault.T("leave section out to read what follows it"))
	}
	until := *d
	until.Content = d.Content[:byteAt(d.Content, s.End)]
	p, err := until.Part(start, most)
	p.Total = utf8.RuneCountInString(d.Content)
	return p, err
}
