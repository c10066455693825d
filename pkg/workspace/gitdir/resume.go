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

// TodoRuns is [Steps] for [Todo].
func (d Dir) TodoRuns() (lines []string) {
	return Steps(filepath.Join(d.Path, filepath.FromSlash(Todo)))
}

// Steps returns the lines of a file with the steps of a rebase that are none of git's own:
// "exec" among them, which runs a command when the rebase is continued. See git-rebase(1).
func Steps(name string) (lines []string) {
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

// First returns the first line of a file in the directory, "" without one.
func (d Dir) First(name string) string {
	return strings.TrimSpace(firstLine(filepath.Join(d.Path, filepath.FromSlash(name))))
}

// Todo returns the ids of the commits in a file of steps that are left to do.
func (d Dir) Todo(name string) (ids []string) {
	text, err := readFile(filepath.Join(d.Path, filepath.FromSlash(name)))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		for i := 1; i < len(fields) && fields[0][0] != '#'; i++ {
			if !strings.HasPrefix(fields[i], "-") { // an option, as of fixup
				ids = append(ids, fields[i])
				break
			}
		}
	}
	return ids
}

// Mails returns the files with the patches of an interrupted am, in a directory.
func (d Dir) Mails(name string) (files []string) {
	all, err := filepath.Glob(filepath.Join(d.Path, name, "[0-9][0-9][0-9][0-9]"))
	if err != nil {
		return nil
	}
	return all
}

// Text returns what is in a file, "" if that cannot be read.
func Text(file string) string {
	text, err := readFile(file)
	if err != nil {
		return ""
	}
	return string(text)
}

// Rewrites reports whether the repository gives commits other content or other parents than
// they have: by replacements or grafts. See git-replace(1).
func (d Dir) Rewrites() bool {
	if _, err := os.Lstat(filepath.Join(d.Common, "info", "grafts")); err == nil {
		return true
	}
	if entries, err := os.ReadDir(filepath.Join(d.Common, "refs", "replace")); err == nil && len(entries) > 0 {
		return true
	}
	text, err := readUpTo(filepath.Join(d.Common, "packed-refs"), maxRefs)
	return err != nil && !os.IsNotExist(err) || strings.Contains(string(text), " refs/replace/")
}
