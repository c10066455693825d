package exec

import (
	"strings"

	"github.com/helve-dev/helve/pkg/shell/run"
)

// wantsTerminal reports whether a command failed for want of a terminal, by what editors
// and other programs say then.
func wantsTerminal(out *run.Result) bool {
	if out.ExitCode == 0 {
		return false
	}
	for _, said := range [...]string{
		"Input is not from a terminal",                                      // vim
		"Too many errors from stdin",                                        // nano
		"input and output must be a terminal",                               // mg
		"tandard input is not a t",                                          // nano, emacs, mutt
		"failed tty get",                                                    // top
		"rror opening terminal",                                             // ncurses: htop, nano, mc
		"problem with the editor 'false'",                                   // git
		"input device is not a TTY",                                         // docker
		"a terminal is required",                                            // sudo
		"cannot open /dev/tty", "open /dev/tty", "/dev/tty: No such device", // those that ask for a password
		"open terminal failed: not a terminal", // tmux
	} {
		if strings.Contains(out.Output.Text, said) || strings.Contains(out.Stderr.Text, said) {
			return true
		}
	}
	return false
}
