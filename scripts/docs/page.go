package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/cmd/line"
)

// page returns the manual page of a command.
func page(c *cobra.Command, date string) string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	c.InitDefaultHelpFlag()
	name := pageName(c)
	b.WriteString(top(name, 1, date, c.Short))
	line(".SH SYNOPSIS")
	words := strings.SplitN(strings.TrimPrefix(c.UseLine(), c.CommandPath()), " ", 2)
	line(".B ", escape(c.CommandPath()), "\n", escape(words[len(words)-1]))
	line(".SH DESCRIPTION")
	paragraphs(&b, cmp.Or(c.Long, c.Short))
	options(&b, "OPTIONS", c.NonInheritedFlags())
	if c.HasParent() && c.HasAvailableInheritedFlags() {
		line(".SH GLOBAL OPTIONS\nThe options of all commands are in\n.BR helve (1).")
	}
	if c.HasExample() {
		line(".SH EXAMPLES\n.nf")
		for example := range strings.Lines(c.Example) {
			line(escape(strings.TrimPrefix(strings.TrimRight(example, "\n"), "  ")))
		}
		line(".fi")
	}
	if !c.HasParent() {
		b.WriteString(reference())
	}
	var also []string
	if c.HasParent() {
		also = append(also, pageName(c.Parent())+" (1)")
	}
	for _, sub := range c.Commands() {
		if shown(sub) {
			also = append(also, pageName(sub)+" (1)")
		}
	}
	if !c.HasParent() || name == "helve-config" {
		also = append(also, "helve-config (5)")
	}
	if !c.HasParent() {
		also = append(also, "helve-recipes (7)")
	}
	b.WriteString(seeAlso(also...))
	return b.String()
}

// top returns the beginning of a page.
func top(name string, section int, date, what string) string {
	return fmt.Sprintf(".TH \"%s\" %d \"%s\" helve \"helve manual\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), section, date, escape(name), escape(what))
}

// seeAlso returns the section about other pages, such as "helve-read (1)".
func seeAlso(pages ...string) string {
	lines := make([]string, len(pages))
	for i, p := range pages {
		name, section, _ := strings.Cut(p, " ")
		lines[i] = ".BR " + escape(name) + " " + section
	}
	return ".SH SEE ALSO\n" + strings.Join(lines, ",\n") + "\n"
}

// option is a flag, as help shows it.
type option struct {
	Name  string // without dashes
	Short string // the letter; "" is none
	Value string // what it takes; "" is nothing
	Usage string
}

// optionsOf returns the flags that help shows.
func optionsOf(flags *pflag.FlagSet) []option {
	var all []option
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			all = append(all, option{f.Name, f.Shorthand, line.ValueOf(f), f.Usage})
		}
	})
	return all
}

// options writes a section about flags.
func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	all := optionsOf(flags)
	if len(all) == 0 {
		return
	}
	b.WriteString(".SH " + title + "\n")
	for _, o := range all {
		b.WriteString(".TP\n")
		if o.Short != "" {
			b.WriteString(`\fB\-` + o.Short + `\fR, `)
		}
		b.WriteString(`\fB` + escape("--"+o.Name) + `\fR`)
		if o.Value != "" {
			b.WriteString(` \fI` + escape(o.Value) + `\fR`)
		}
		b.WriteString("\n")
		paragraphs(b, o.Usage)
	}
}

// paragraphs writes text, in which a line is a paragraph. One that begins with a space breaks
// the line by itself, and an empty one is space.
func paragraphs(b *strings.Builder, s string) {
	broken := true
	for paragraph := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		if paragraph == "" {
			b.WriteString(".sp\n")
			broken = true
			continue
		}
		if !broken && paragraph[0] != ' ' {
			b.WriteString(".br\n")
		}
		b.WriteString(escape(paragraph) + "\n")
		broken = false
	}
}

// escape returns a line of text as roff reads it (groff(7), "Escape sequences"), in ASCII.
func escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case i == 0 && r == '.':
			b.WriteString(`\&.`)
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > '~', strings.ContainsRune(`'"^~`+"`", r):
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
