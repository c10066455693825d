package doctor

import (
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// Document holds the findings in one language.
type Document struct {
	Checks     []Line      `json:"checks"`
	Settings   []Setting   `json:"settings"`
	Workspaces []Workspace `json:"workspaces"`
	Summary    string      `json:"summary"` // all of it in a sentence
}

// Line is a check in a language.
type Line struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Level  Level  `json:"level"` // only error fails the command
	Detail string `json:"detail"`
	Mend   string `json:"mend"`
}

// In returns the findings in a language.
func (f *Findings) In(lang fault.Lang) *Document {
	return f.document(lang, func(text string) string { return text })
}

// document returns the findings with a change of every text that is not helve's own.
func (f *Findings) document(lang fault.Lang, change func(string) string) *Document {
	d := &Document{Checks: make([]Line, len(f.Checks)), Settings: make([]Setting, len(f.Settings)), Workspaces: make([]Workspace, len(f.Workspaces))}
	names := map[Level][]string{}
	for i, c := range f.Checks {
		name := c.Name
		if c.Of != "" {
			name += " " + change(c.Of)
		}
		names[c.Level] = append(names[c.Level], name)
		d.Checks[i] = Line{name, c.Level == OK, c.Level, change(oneLine(c.Detail.In(lang))), change(oneLine(c.Mend.In(lang)))}
	}
	for i, s := range f.Settings {
		s.Origin.File = change(s.Origin.File)
		d.Settings[i] = s
	}
	for i, w := range f.Workspaces {
		d.Workspaces[i] = Workspace{change(w.Root), w.Trusted}
	}
	d.Summary = summary(names).In(lang)
	return d
}

// summary says in a sentence what the checks of each level come to.
func summary(names map[Level][]string) fault.Text {
	missing := strings.Join(names[Warning], ", ")
	switch {
	case len(names[Error]) > 0:
		return fault.T("helve does not work here yet: mend %s first.", strings.Join(names[Error], ", "))
	case missing != "":
		return fault.T("helve works here; what is missing, most calls do without: %s.", missing)
	}
	return fault.T("helve works here, and nothing is missing.")
}

// oneLine returns a text in one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Text returns a line for each check: its level, its name, what was found and, after an
// arrow, what to do. The summary is the last line.
func (d *Document) Text() string {
	var b strings.Builder
	for _, c := range d.Checks {
		fmt.Fprintf(&b, "%-8s %-24s %s", c.Level, c.Name, c.Detail)
		if c.Mend != "" {
			b.WriteString(" -> " + c.Mend)
		}
		b.WriteByte('\n')
	}
	b.WriteString("\n" + d.Summary + "\n")
	return b.String()
}

// Report returns the text of a report: the lines, and where each setting comes from that
// has not its default.
func (d *Document) Report() string {
	var b strings.Builder
	b.WriteString("helve doctor\n\n" + d.Text())
	for _, s := range d.Settings {
		if s.Origin.Source != config.Default {
			b.WriteString("setting  " + s.Key + "  " + string(s.Origin.Source) + " " + s.Origin.String() + "\n")
		}
	}
	return b.String()
}
