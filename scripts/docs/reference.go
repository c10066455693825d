package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
)

// reference returns the sections of helve(1) that are about all commands.
func reference() string {
	var b strings.Builder
	b.WriteString(".SH EXIT STATUS\n")
	for _, s := range fault.Statuses() {
		tag(&b, strconv.Itoa(s.Exit), s.When.String())
	}
	b.WriteString(".SH ERRORS\nWhat \\fBerror.code\\fR says, by the exit status that goes with it. Codes are the same in every language.\n")
	for _, s := range fault.Statuses() {
		if len(s.Codes) == 0 {
			continue
		}
		fmt.Fprintf(&b, ".SS Exit status %d\n", s.Exit)
		for _, c := range s.Codes {
			tag(&b, string(c), fault.Meaning(c).String())
		}
	}
	b.WriteString(".SH ENVIRONMENT\n")
	for _, e := range host.Variables() {
		tag(&b, e.Name, e.What.String())
	}
	b.WriteString(".SH FILES\n")
	for _, e := range host.Files() {
		tag(&b, e.Name, e.What.String())
	}
	return b.String()
}

// tag writes an item of a list: a bold word and what it means, one paragraph a line.
func tag(b *strings.Builder, word, what string) {
	b.WriteString(".TP\n\\fB" + escape(word) + "\\fR\n")
	paragraphs(b, what)
}

// settingsPage returns helve-config(5).
func settingsPage(date string) (string, error) {
	rows, err := settings()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(top("helve-config", 5, date, "settings of helve"))
	b.WriteString(".SH DESCRIPTION\n")
	paragraphs(&b, `Settings are files of JSON, in which comments and trailing commas are allowed. A setting files.links is the member "links" of the member "files". `+
		`Flags come before variables of the environment, these before the file of the workspace, that before yours, and yours before that of the administrator. `+
		`The file of the workspace can only narrow what is allowed, until you trust it with helve config trust.`)
	b.WriteString(".PP\n")
	paragraphs(&b, `helve config show lists all settings with where each comes from, helve config set changes one, and helve config validate checks the files.`)
	b.WriteString(".SH SETTINGS\n")
	for _, g := range grouped(rows) {
		b.WriteString(".SS " + escape(g.Name) + "\n")
		for _, r := range g.Rows {
			tag(&b, r.Name, strings.Join(append([]string{r.Doc}, r.Facts()...), "\n"))
		}
	}
	b.WriteString(".SH FILES\n")
	for _, e := range host.Files() {
		if strings.HasSuffix(e.Name, "config.json") {
			tag(&b, e.Name, e.What.String())
		}
	}
	b.WriteString(seeAlso("helve (1)", "helve-config (1)"))
	return b.String(), nil
}
