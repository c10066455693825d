package service

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxLine is the longest line of a crontab, in bytes: MAX_COMMAND in cron's cron.h.
const maxLine = 998

// crontab returns a line of crontab(5), which calls the program every minute.
func (s Spec) crontab() (*Service, error) {
	var words []string
	for _, v := range s.Env {
		name, value, _ := strings.Cut(v, "=")
		words = append(words, name+"="+shell(value))
	}
	for _, word := range append([]string{s.Program}, s.Args...) {
		words = append(words, shell(word))
	}
	// An unescaped % ends the command, also within quotes.
	line := "* * * * * " + strings.ReplaceAll(strings.Join(words, " "), "%", `\%`) + " >/dev/null 2>&1 # helve cron " + s.ID
	if len(line) > maxLine {
		return nil, fault.New(fault.OutOfRange, fault.T("the line has %d bytes, and cron reads %d", len(line), maxLine)).
			WithHint(fault.T("shorten PATH, or use another kind"))
	}
	return &Service{
		Kind: Crontab, Name: "helve cron " + s.ID, Line: line,
		Enable:  []string{"(crontab -l 2>/dev/null; echo " + shell(line) + ") | crontab -"},
		Disable: []string{"crontab -l | grep -v " + shell("# helve cron "+s.ID+"$") + " | crontab -"},
	}, nil
}
