package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// OnChange has files formatted and checked when a call changes them.
type OnChange struct {
	Glob    string   `json:"glob" min:"1" max:"1000" doc:"Files that it is about, such as *.go or src/**/*.{ts,tsx}."`
	Format  []string `json:"format,omitzero" doc:"Program that formats one file in its place, and its arguments; there is no shell. {file} stands for the file, {dir} for its directory and {root} for the workspace. It may write that file alone."`
	Check   []string `json:"check,omitzero" doc:"Program that reports faults, and its arguments, in the form of format; {files} is one argument for each file. It may write nothing."`
	Timeout int      `json:"timeout,omitzero" min:"1" max:"60" default:"5" doc:"Seconds that a call may wait for each of the two."`
}

// placeholders are the words that stand for something in an argument of a program.
var placeholders = [...]string{"{file}", "{files}", "{dir}", "{root}"}

// checkOnChange reports what is wrong with the formatters and checkers.
func checkOnChange(all []OnChange, report func(pointer string, what fault.Text)) {
	for i, c := range all {
		at := "/on_change/" + strconv.Itoa(i)
		if len(c.Format)+len(c.Check) == 0 {
			report(at, fault.T("names neither format nor check"))
		}
		checkProgram(at+"/format", c.Format, report)
		checkProgram(at+"/check", c.Check, report)
		if len(c.Format) > 0 && !slices.ContainsFunc(c.Format, func(word string) bool { return strings.Contains(word, "{file}") }) {
			report(at+"/format", fault.T("names no {file}, the one that it may write"))
		}
		for j, word := range c.Check {
			if strings.Contains(word, "{files}") && word != "{files}" {
				report(at+"/check/"+strconv.Itoa(j), fault.T("{files} must be an argument of its own"))
			}
		}
	}
}

// checkProgram reports what is wrong with a program and its arguments, if there are any.
func checkProgram(at string, argv []string, report func(pointer string, what fault.Text)) {
	for i, word := range argv {
		switch {
		case strings.ContainsRune(word, 0):
			report(at+"/"+strconv.Itoa(i), fault.T("must not contain a NUL"))
		case i == 0 && (word == "" || slices.ContainsFunc(placeholders[:3], func(p string) bool { return strings.Contains(word, p) })):
			report(at+"/0", fault.T("must be a program, the same for every file"))
		}
	}
}
