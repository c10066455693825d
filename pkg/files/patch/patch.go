// Package patch reads patches in the dialects that agents write them in, and
// makes their changes in texts where there is no doubt which place is meant. It
// opens no file, and does not decide which paths may be written.
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

// Action is what a patch does with a file.
type Action string

// The actions.
const (
	Add    Action = "add" // File.From is set when the file is a copy of another one
	Modify Action = "modify"
	Delete Action = "delete"
	Move   Action = "move" // with or without changes
	Chmod  Action = "mode" // nothing but the mode changes
)

// File is what a patch does with one file. Several may name the same path; each
// builds on the one before.
type File struct {
	Action  Action
	Path    string       // as it is written, without prefixes; where the file is afterwards
	From    string       // where a moved or copied file comes from
	Mode    *fs.FileMode // permission bits that the file gets, if it says so
	Hunks   []Hunk
	Dialect Dialect
	Line    int // of the patch, from 1, where it begins
}

// Hunk is one change.
type Hunk struct {
	Line     int      // of the patch, from 1, where it begins
	Numbered bool     // its header says which lines it is about
	OldStart int      // the first of them, from 1
	OldLines int      // how many, or -1; headers are often wrong about it
	NewLines int      // how many they become, or -1
	Anchors  []string // lines above the place: the text behind "@@", outermost first
	Lines    []Line
	AtEnd    bool // said to be at the end of the file
}

// Op is what a line of a hunk is for.
type Op byte

// The kinds of lines, as a unified diff marks them.
const (
	Context Op = ' '
	Remove  Op = '-'
	Insert  Op = '+'
)

// Line is one line of a hunk. Its text has no "\n", but it has a "\r" where the
// patch has one, unless all lines of the patch end so.
type Line struct {
	Op    Op
	Text  string
	NoEOL bool // nothing ends the line: it is the last one of the file
	Bare  bool // context that lacks the space before it
}

// Parse reads a patch in any of the dialects, with or without a fence, heredoc
// or prose around it. A patch that names no file is for defaultPath, if there
// is one.
//
// The error is a *fault.Error: patch_syntax, with the line of the patch and
// what should be there, as [SyntaxError] in its details; unsupported_content
// for binary patches, links and submodules; too_large.
func Parse(patch, defaultPath string) ([]File, error) {
	rows := rowsOf(patch)
	start, dialect := detect(rows)
	var files []File
	var err error
	switch dialect {
	case Envelope:
		files, err = parseEnvelope(unfence(rows, start))
	case SearchReplace:
		files, err = parseBlocks(rows, defaultPath)
	case Unified:
		files, err = parseUnified(unfence(rows, start), defaultPath)
	default:
		last := row{no: 1}
		if len(rows) > 0 {
			last = rows[0]
		}
		return nil, last.expected(fault.T(
			`"*** Begin Patch", "diff --git", "--- " and "+++ ", "@@" or "<<<<<<< SEARCH"`,
			`“*** Begin Patch”、“diff --git”、“--- ”加“+++ ”、“@@”或“<<<<<<< SEARCH”`))
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

// check holds the files against the budgets.
func check(files []File) error {
	hunks := 0
	for _, f := range files {
		hunks += len(f.Hunks)
	}
	switch {
	case len(files) > maxFiles:
		return fault.New(fault.TooLarge, fault.T("the patch changes %d files; %d are allowed", "补丁修改了 %d 个文件，上限为 %d 个",
			len(files), maxFiles)).WithHint(fault.T("split it", "请拆分补丁"))
	case hunks > maxHunks:
		return fault.New(fault.TooLarge, fault.T("the patch has %d hunks; %d are allowed", "补丁包含 %d 个区块，上限为 %d 个",
			hunks, maxHunks)).WithHint(fault.T("split it", "请拆分补丁"))
	}
	return nil
}

// detect finds the first line that only a patch begins with.
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
