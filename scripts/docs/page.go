package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/cmd"
)

// page returns the manual page of a command.
func page(c *cobra.Command, date string) string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	c.InitDefaultHelpFlag()
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	line(`.TH "`, strings.ToUpper(name), `" 1 "`, date, `" helve "helve manual"`)
	line(".SH NAME\n", escape(name), ` \- `, escape(c.Short))
	line(".SH SYNOPSIS")
	words := strings.SplitN(strings.TrimPrefix(c.UseLine(), c.CommandPath()), " ", 2)
	line(".B ", escape(c.CommandPath()), "\n", escape(words[len(words)-1]))
	line(".SH DESCRIPTION")
	text(&b, cmp.Or(c.Long, c.Short))
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
	var also []string
	if c.HasParent() {
		also = append(also, strings.ReplaceAll(c.Parent().CommandPath(), " ", "-"))
	}
	for _, sub := range c.Commands() {
		if shown(sub) {
			also = append(also, name+"-"+sub.Name())
		}
	}
	if len(also) > 0 {
		line(".SH SEE ALSO")
		for i, other := range also {
			end := ","
			if i == len(also)-1 {
				end = ""
			}
			line(".BR ", escape(other), " (1)", end)
		}
	}
	return b.String()
}

// options writes a section about flags.
func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	b.WriteString(".SH " + title + "\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			b.WriteString(`\fB\-` + f.Shorthand + `\fR, `)
		}
		b.WriteString(`\fB` + escape("--"+f.Name) + `\fR`)
		if value := cmd.ValueOf(f); value != "" {
			b.WriteString(` \fI` + escape(value) + `\fR`)
		}
		b.WriteString("\n")
		text(b, f.Usage)
	})
}

// text writes paragraphs, one for each line.
func text(b *strings.Builder, s string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(s), "\n") {
		if i > 0 {
			b.WriteString(".br\n")
		}
		b.WriteString(escape(paragraph) + "\n")
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
