// Package service describes to an operating system how a scheduler is kept running: as
// a unit of systemd, an agent of launchd, a task of Windows or a line of crontab. It
// returns the files and the commands, and neither writes nor runs them.
package service

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// The kinds of services.
const (
	Systemd  = "systemd"
	Launchd  = "launchd"
	Schtasks = "schtasks"
	Crontab  = "crontab"
)

// Kinds returns the kinds.
func Kinds() []string { return []string{Systemd, Launchd, Schtasks, Crontab} }

// Mark is in every file that this package makes, so that one that somebody else has
// written is recognized.
const Mark = "Written by helve cron install"

// Spec specifies the program of a service.
type Spec struct {
	ID      string   // distinguishes the service from others, of a-z, 0-9 and -
	What    string   // one line for people
	Program string   // absolute path
	Args    []string // of the program
	Env     []string // NAME=value
	Minutes bool     // it ends by itself, and is started every minute
	// Files is the directory of files that have no standard place on a system, Home the
	// person's home directory, and Config the directory of settings ($XDG_CONFIG_HOME);
	// absolute.
	Files, Home, Config string
}

// File is a file of a service.
type File struct {
	Path string
	Data []byte
}

// Service is the definition of a service for a system.
type Service struct {
	Kind    string
	Name    string // by which the system knows it
	Files   []File
	Line    string   // to be added to a table of another program
	Enable  []string // commands of a shell, in this order
	Disable []string
}

// Describe returns the service of a kind. The fault for what a system cannot write is
// invalid_arguments.
func Describe(kind string, s Spec) (*Service, error) {
	for _, text := range slices.Concat([]string{s.What, s.Program, s.Files, s.Home, s.Config}, s.Args, s.Env) {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return nil, fault.New(fault.InvalidArguments, fault.T("%q cannot be written into the file of a service", text)).
				WithHint(fault.T("use paths of UTF-8 without control characters, or start helve cron run yourself"))
		}
	}
	switch kind {
	case Systemd:
		return s.systemd(), nil
	case Launchd:
		return s.launchd(), nil
	case Schtasks:
		return s.schtasks(), nil
	case Crontab:
		return s.crontab()
	}
	return nil, fault.New(fault.InvalidArguments, fault.T("there is no kind of service %q", kind)).
		WithHint(fault.T("the kinds are: %s", strings.Join(Kinds(), ", ")))
}

// shell quotes a word for a POSIX shell.
func shell(word string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_@%+=:,./-", c)
	}
	if word != "" && strings.IndexFunc(word, func(c rune) bool { return !plain(c) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
