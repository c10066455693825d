package patch

import (
	"io/fs"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Dialect is the way a patch is written.
type Dialect string

// The dialects that [Parse] knows.
const (
	Unified       Dialect = "unified"        // diff -u: "---", "+++", "@@"
	Git           Dialect = "git"            // the same with git's extended headers
	Envelope      Dialect = "begin_patch"    // "*** Begin Patch"
	SearchReplace Dialect = "search_replace" // "<<<<<<< SEARCH" or "------- SEARCH"
)

// Action is an operation of a patch on a file.
type Action string

// The actions.
const (
	Add    Action = "add" // File.From is set if the file is a copy
	Modify Action = "modify"
	Delete Action = "delete"
	Move   Action = "move" // with or without changes
	Chmod  Action = "mode" // only the mode changes
)

// File holds the changes of a patch to one file. Several may name the same path; each
// then builds on the one before.
type File struct {
	Action  Action
	Path    string       // as written, without prefixes; where the file is afterwards
	From    string       // where a moved or copied file comes from
	Mode    *fs.FileMode // new permission bits, nil if the patch has none
	Hunks   []Hunk
	Dialect Dialect
	Line    int // of the patch, from 1, where it begins
}

// Hunk is one change.
type Hunk struct {
	Line     int      // of the patch, from 1, where it begins
	Numbered bool     // its header has line numbers
	OldStart int      // the first old line, from 1
	OldLines int      // how many old lines, or -1; headers are often wrong about it
	NewLines int      // how many new lines, or -1
	Anchors  []string // lines above the place: the text after "@@", outermost first
	Lines    []Line
	AtEnd    bool // the patch says it is at the end of the file
	Dashes   bool // the first old line is "-------", which may separate it from its header
}

// Op is the kind of a line of a hunk.
type Op byte

// The kinds of lines, as a unified diff marks them.
const (
	Context Op = ' '
	Remove  Op = '-'
	Insert  Op = '+'
)

// Line is one line of a hunk. Its text has no "\n". It has a "\r" if the line has
// one in the patch, unless all lines of the patch end in "\r\n".
type Line struct {
	Op    Op
	Text  string
	NoEOL bool // the last line of a file, without a line ending
	Bare  bool // context without its leading space
}

// Parse reads a patch in any of the dialects, with or without a fence, heredoc or
// prose around it. A patch that names no file is for defaultPath, unless that is
// "".
//
// The error is a *fault.Error: patch_syntax, with a [SyntaxError] as its details;
// unsupported_content for binary patches, links and submodules; too_large.
func Parse(patch, defaultPath string) ([]File, error) {
	rows := rowsOf(patch)
	start, dialect := detect(rows)
	var files []File
	var err error
	switch dialect {
	case Envelope:
		rows = unfence(rows, start)
		if inner := unframed(rows, defaultPath); inner != nil {
			files, err = parseUnified(inner, defaultPath)
			break
		}
		files, err = parseEnvelope(rows)
	case SearchReplace:
		files, err = parseBlocks(rows, defaultPath)
	case Unified:
		files, err = parseUnified(unfence(rows, start), defaultPath)
	default:
		if defaultPath != "" && onlyLines(rows) {
			return parseUnified(append([]row{{no: 1, text: "@@"}}, rows...), defaultPath)
		}
		last := row{no: 1}
		if len(rows) > 0 {
			last = rows[0]
		}
		return nil, last.expected(fault.T(
			`"*** Begin Patch", "diff --git", "--- " and "+++ ", "@@" or "<<<<<<< SEARCH"`))
	}
	if err != nil {
		return nil, err
	}
	return files, check(files)
}

const (
	maxFiles = 100    // of one patch
	maxHunks = 10_000 // of one patch
)

// check refuses a patch of too many files or hunks.
func check(files []File) error {
	hunks := 0
	for _, f := range files {
		hunks += len(f.Hunks)
	}
	switch {
	case len(files) > maxFiles:
		return tooManyFiles(len(files))
	case hunks > maxHunks:
		return tooManyHunks(hunks)
	}
	return nil
}

// unframed returns the lines of a unified diff that stands in an envelope, or of hunks for
// the path that the caller names; nil if there are none.
func unframed(rows []row, path string) []row {
	var inner []row
	diff := false
	for i, r := range rows {
		text := r.trimmed()
		switch {
		case text == beginPatch, text == endPatch:
			continue
		case isFileMarker(text):
			return nil
		case strings.HasPrefix(r.text, "--- ") && i+1 < len(rows) && strings.HasPrefix(rows[i+1].text, "+++ "), path != "" && strings.HasPrefix(r.text, "@@"):
			diff = true
		}
		inner = append(inner, r)
	}
	if !diff {
		return nil
	}
	return inner
}

// onlyLines reports whether a patch has nothing but lines of one hunk, of which some are
// added or removed, and all others are marked as context or look like it.
func onlyLines(rows []row) bool {
	changed := false
	for _, r := range rows {
		switch {
		case r.text == "":
		case r.text[0] == '+' || r.text[0] == '-':
			changed = true
		case r.text[0] != ' ' && r.text[0] != '\t':
			return false
		}
	}
	return changed
}

// detect finds the first line that can only be the beginning of a patch.
func detect(rows []row) (start int, d Dialect) {
	for i, r := range rows {
		next := ""
		if i+1 < len(rows) {
			next = rows[i+1].text
		}
		switch text := r.trimmed(); {
		case text == beginPatch, isFileMarker(text):
			return i, Envelope
		case isSearch(text):
			return i, SearchReplace
		case strings.HasPrefix(r.text, "diff --git "), strings.HasPrefix(r.text, "@@"),
			strings.HasPrefix(r.text, "--- ") && (strings.HasPrefix(next, "+++ ") || strings.HasPrefix(next, "@@")),
			strings.HasPrefix(r.text, "+++ ") && strings.HasPrefix(next, "@@"),
			strings.HasPrefix(r.text, "*** ") && strings.HasPrefix(next, "--- "):
			return i, Unified
		}
	}
	return 0, ""
}
