package output

import (
	"strings"

	"github.com/helve-dev/helve/pkg/policy"
)

// Of returns the source of a command line, by the commands that package classify finds
// in it and the status with which it ended.
func Of(line string, commands []policy.Command, status int) Source {
	var s Source
	for _, c := range commands {
		s.Commands = append(s.Commands, c.Argv)
		s.Runs = s.Runs || c.Risk != policy.Read
	}
	if alone(line) {
		s.End = Ended(status)
	}
	return s
}

// Ended returns how a program with that status ended.
func Ended(status int) End {
	if status == 0 {
		return Succeeded
	}
	return Failed
}

// alone reports whether each command of a line ended with the status of the line: it has
// one command, or several joined by "&&" that succeed together.
func alone(line string) bool {
	line = strings.NewReplacer("&&", "", "2>&1", "", "&>", "").Replace(line)
	return !strings.ContainsAny(line, "|;&\n`") && !strings.Contains(line, "$(")
}
