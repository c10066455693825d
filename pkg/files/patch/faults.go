package patch

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// Faults of the patch itself.

// SyntaxError is the details of patch_syntax.
type SyntaxError struct {
	Line int    `json:"line"` // of the patch, from 1
	Text string `json:"text"` // of that line
}

// expected returns the fault of a patch that has something else at a line.
func (r row) expected(what fault.Text) error {
	const most = 200
	text := r.text
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fault.New(fault.PatchSyntax, fault.T("line %d of the patch: expected %s, not %q", r.no, what, text)).
		WithHint(fault.T("correct the patch and send it again; nothing was changed")).
		WithDetails(SyntaxError{Line: r.no, Text: text})
}

func unsupported(r row, what fault.Text) error {
	return fault.New(fault.UnsupportedContent, fault.T("line %d of the patch: %s cannot be applied", r.no, what)).
		WithHint(fault.T("remove this file from the patch; nothing was changed")).
		WithDetails(SyntaxError{Line: r.no, Text: r.head()})
}

// hunkLine describes a line that a hunk lacks.
func hunkLine() fault.Text {
	return fault.T(`a line of the hunk that starts with " ", "-" or "+"`)
}

func tooManyFiles(n int) error {
	return split(fault.T("the patch changes %d files; at most %d are allowed", n, maxFiles))
}

func tooManyHunks(n int) error {
	return split(fault.T("the patch has %d hunks; at most %d are allowed", n, maxHunks))
}

func tooMuchWork(path string) error {
	return split(fault.T("it takes too long to find the hunks of the patch in %s", path))
}

func split(message fault.Text) error {
	return fault.New(fault.TooLarge, message).WithHint(fault.T("split the patch"))
}

func noChange(path string) error {
	return fault.New(fault.NoChange, fault.T("the patch changes nothing in %s", path)).
		WithHint(fault.T("mark removed lines with - and new lines with +"))
}

// Faults of single hunks.

func (t *target) notFound(f *finding) *failure {
	if len(f.old) == 0 {
		return &failure{line: -1, err: fault.New(fault.HunkNotFound, fault.T(
			"nothing says where its lines go in %s", t.path)).
			WithHint(fault.T("add a line of context before or after them"))}
	}
	block := strings.Join(f.old, "\n") + "\n"
	return &failure{line: -1,
		err: fault.New(fault.HunkNotFound, fault.T("its context and removed lines are not in %s", t.path)).
			WithHint(fault.T("read the file again and write the patch for its current content")),
		closer: func() []edit.Candidate { return edit.Closest(t.path, t.src, block) },
	}
}

func (t *target) ambiguous(f *finding) *failure {
	why := fault.T("its lines are in %s %d times, at %s", t.path, len(f.places), linesText(f.places))
	if f.fuzz > 0 {
		why = fault.T("without some of its context, its lines are in %s %d times, at %s", t.path, len(f.places), linesText(f.places))
	}
	return &failure{line: -1, places: f.places, rows: len(f.old), err: fault.New(fault.HunkAmbiguous, why).
		WithHint(fault.T(`add context until it is unique, or name the enclosing function after "@@"`))}
}

// drifted returns the fault of a hunk whose lines were found, while the lines that its
// header names have changed: they are the more likely target.
func (t *target) drifted(f *finding, want int) *failure {
	return &failure{line: want, places: []int{want}, rows: len(f.old), err: fault.New(fault.HunkNotFound, fault.T(
		"its header names line %d of %s, which has changed; its lines are also at line %d, but that is probably another place", want+1, t.path, f.at+1)).
		WithHint(fault.T(`write the patch for the current content of the file; if line %d is meant, correct the header or write only "@@"`, f.at+1))}
}

// weak returns the fault of a hunk of a single line that was not found at the line of its
// header.
func (t *target) weak(f *finding) *failure {
	return &failure{line: f.at, places: []int{f.at}, rows: len(f.old), err: fault.New(fault.HunkAmbiguous, fault.T(
		"its only line is at line %d of %s, but its header says line %d", f.at+1, t.path, f.expected()+1)).
		WithHint(fault.T(`correct the header, write only "@@", or add context`))}
}

func (t *target) applied(line int) *failure {
	return &failure{line: line, err: fault.New(fault.AlreadyApplied, fault.T("its new lines are already at line %d of %s", line+1, t.path)).
		WithHint(fault.T("nothing is left to do; remove the hunk"))}
}

func (t *target) overlap(a, b *finding) *failure {
	return &failure{line: b.at, err: fault.New(fault.Overlap, fault.T("it changes the same lines as hunk %d", a.index+1)).
		WithHint(fault.T("combine them into one hunk"))}
}

// more returns the fault of a file to be deleted that has lines which the patch lacks.
func (t *target) more(rest string) error {
	return fault.New(fault.HunkNotFound, fault.T("%s has %d more lines than the patch deletes", t.path, diff.CountLines(rest))).
		WithHint(fault.T("read the file again; to delete it in any case, use delete"))
}
