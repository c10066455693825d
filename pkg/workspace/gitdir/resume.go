package gitdir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Resumed are the directories in one of git's in which it keeps an operation that was
// interrupted and that it offers to continue.
var Resumed = [...]string{"rebase-merge", "rebase-apply", "sequencer"}

// Todo is the file, relative to a directory of git's, with the steps of an interrupted
// rebase.
const Todo = "rebase-merge/git-rebase-todo"

// TodoRuns returns the lines of [Todo] that are none of git's own steps: "exec" among
// them, which runs a command when the rebase is continued. See git-rebase(1).
func (d Dir) TodoRuns() (lines []string) {
	name := filepath.Join(d.Path, filepath.FromSlash(Todo))
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return []string{"not a file: " + info.Mode().String()} // its steps may change at any time
	}
	text, err := readFile(name)
	if err != nil && !os.IsNotExist(err) {
		return []string{err.Error()}
	}
	for line := range strings.Lines(string(text)) {
		line = strings.Trim(line, " \t\r\n")
		command, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		if command != "" && command[0] != '#' && !slices.Contains(steps[:], command) {
			lines = append(lines, line)
		}
	}
	return lines
}

// steps are the commands of a rebase that run no program, and their short forms.
var steps = [...]string{
	"pick", "p", "reword", "r", "edit", "e", "squash", "s", "fixup", "f", "drop", "d", "break", "b", "label", "l", "reset", "t", "merge", "m",
	"update-ref", "u", "noop", "revert",
}
