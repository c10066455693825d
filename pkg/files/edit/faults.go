package edit

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Faults of the arguments.

func tooLarge(path string) *fault.Error {
	return fault.New(fault.TooLarge, fault.T("%s is too large to edit", path))
}

func noEdits() *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("there are no edits"))
}

func overlapping(a, b replacement) *fault.Error {
	return fault.New(fault.Overlap, fault.T("edits %d and %d replace the same text, %s and %s", a.edit+1, b.edit+1, a.old.Text(), b.old.Text())).
		WithHint(fault.T("combine them into one edit, or pass sequential=true to make one after the other"))
}

func notCandidate(accept string) *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("accept is not the id of a candidate: %q", accept)).
		WithHint(fault.T("pass the id exactly as it is in the candidates of the error"))
}

func candidateStale(path string) *fault.Error {
	return fault.New(fault.Stale, fault.T("%s has changed since the candidate was offered", path)).
		WithHint(fault.T("read the file again, then repeat the edit with old_text"))
}

// anchorMissing and anchorRepeated return the faults of a text of after or within.
func (d *document) anchorMissing(name string) *fault.Error {
	return fault.New(fault.TextNotFound, fault.T("the text of %s is not in %s", name, d.path)).
		WithHint(fault.T("copy it from the file exactly"))
}

func (d *document) anchorRepeated(name string) *fault.Error {
	return fault.New(fault.TextAmbiguous, fault.T("the text of %s is in %s more than once", name, d.path)).
		WithHint(fault.T("pass a longer text"))
}

func placeholderFault(line int, text string) *fault.Error {
	return fault.New(fault.Placeholder, fault.T("line %d of new_text is a placeholder for omitted text: %s", line, text)).
		WithHint(fault.T("write the complete text; to keep lines as they are, replace only the lines around them"))
}

// Faults of a replacement that is not to be made.

func noChange() *fault.Error {
	return fault.New(fault.NoChange, fault.T("the replacement changes nothing")).
		WithHint(fault.T("pass a new_text that differs from the text in the file"))
}

func (d *document) alreadyApplied(line int, candidates []Candidate) *fault.Error {
	return fault.New(fault.AlreadyApplied, fault.T("the new text is already at line %d of %s", line, d.path)).
		WithHint(fault.T("nothing was changed and nothing is left to do; to repeat the text, pass more context")).
		WithDetails(&Failure{Line: line, Candidates: candidates})
}

// indentSignificant returns the fault of lines that match only with an inconsistent
// indentation, in a file where that could change their meaning.
func (d *document) indentSignificant(h hit) *fault.Error {
	return d.withPlaces(fault.New(fault.IndentAmbiguous, fault.T(
		"%s has old_text only with different white space, and its indentation is significant", d.path)).
		WithHint(fault.T("copy old_text from the candidates in details, or repeat the edit with the id of one as accept")), h.places)
}

// twoReadings returns the fault of a text that is there once its escapes or entities are
// decoded, while those of the new text may mean themselves.
func (d *document) twoReadings(s Strategy, places []place) *fault.Error {
	err := fault.New(fault.TextNotFound, fault.T("old_text is at %s of %s if its escapes are decoded, but new_text can then be read in two ways", linesOf(places), d.path))
	if s == Entities {
		err = fault.New(fault.TextNotFound, fault.T("old_text is at %s of %s if its entities are decoded, but new_text can then be read in two ways", linesOf(places), d.path))
	}
	err = d.withPlaces(err, places)
	f := err.Details.(*Failure)
	for i := range f.Candidates {
		f.Candidates[i].Causes = []string{causeEscaped}
	}
	return err.WithHint(fault.T("write line breaks, quotation marks and < as they are, and escapes only where the file is to have them: with old_text copied from the candidate in details, or with accept %q and a new_text for exactly these lines",
		f.Candidates[0].ID))
}

func indentUnknown(line string) *fault.Error {
	return fault.New(fault.IndentAmbiguous, fault.T("cannot tell how the file would indent this line of new_text: %q", line)).
		WithHint(fault.T("indent old_text and new_text as the file does; the candidates in details show it"))
}

// withPlaces adds places to an error as candidates.
func (d *document) withPlaces(err *fault.Error, places []place) *fault.Error {
	var f Failure
	shown := NewExcerpts()
	sha := d.sha()
	for _, p := range places[:min(len(places), maxCandidates)] {
		c := d.candidate(len(f.Candidates)+1, sha, p.line, p.line+strings.Count(d.text[p.start:p.end], "\n"), shown)
		c.Score = 1
		c.Causes = []string{causeIndent}
		f.Candidates = append(f.Candidates, c)
	}
	return err.WithDetails(&f)
}

// Faults of finding no place, or too many.

// notFound explains a text that was not found with the most similar places.
func (d *document) notFound(old, new string, e Edit) *fault.Error {
	if locations, _ := meant(d.locations(old, new, e, false), e); len(locations) > 0 {
		return d.stale(locations[max(0, slices.IndexFunc(locations, changed))], new, nil)
	}
	if line, ok := d.made(old, new, e, nil); ok {
		return d.alreadyApplied(line, nil)
	}
	candidates := d.candidates(old, e)
	if line, ok := d.foundNew(new); ok {
		return d.alreadyApplied(line, candidates)
	}
	err := fault.New(fault.TextNotFound, fault.T("cannot find old_text in %s; it must match the file exactly", d.path))
	if len(candidates) == 0 {
		return err.WithHint(fault.T("the file has nothing similar; read it again"))
	}
	best := candidates[0]
	return err.WithHint(fault.T("closest match: %s (%s); copy old_text from the candidates in details, or repeat the edit with accept %q and a new_text for exactly these lines",
		LineRange{best.Start, best.End}.Text(), causeText(best.Causes), best.ID)).
		WithDetails(&Failure{Candidates: candidates})
}

// notWhereSaid returns the fault of a text that is in the file, but outside of after or within.
func (d *document) notWhereSaid(places []place) *fault.Error {
	return fault.New(fault.TextNotFound, fault.T("old_text is in %s at %s, but not where after or within says", d.path, linesOf(places))).
		WithHint(fault.T("correct after or within, or leave it out")).
		WithDetails(d.matches(places))
}

func (d *document) ambiguous(places []place) *fault.Error {
	return fault.New(fault.TextAmbiguous, fault.T("found %d matches for old_text, at %s; give more context to make it unique", len(places), linesOf(places))).
		WithHint(fault.T("add a neighbouring line to old_text, or pass line_hint, occurrence or replace_all")).
		WithDetails(d.matches(places))
}

// unexpected returns the fault of more or fewer places than the edit expects. If it
// expects no number, the places match only by a tolerant stage.
func (d *document) unexpected(places []place, expected int) *fault.Error {
	err := fault.New(fault.TextAmbiguous, fault.T("matches for old_text: found %d, at %s; expected %d", len(places), linesOf(places), expected))
	if expected == 0 {
		err = fault.New(fault.TextAmbiguous, fault.T("found %d places that differ from old_text in white space or typography, at %s", len(places), linesOf(places)))
	}
	return err.WithHint(fault.T("pass expected_replacements %d to replace all of them", len(places))).
		WithDetails(d.matches(places))
}

func (d *document) tooFew(places []place, occurrence int) *fault.Error {
	return fault.New(fault.OutOfRange, fault.T("there is no occurrence %d of old_text; found %d, at %s", occurrence, len(places), linesOf(places))).
		WithDetails(d.matches(places))
}

func (d *document) tooManyMatches() *fault.Error {
	return fault.New(fault.TooLarge, fault.T("old_text is in %s more than %d times", d.path, maxMatches)).
		WithHint(fault.T("pass a longer old_text"))
}

func (d *document) tooManyBlocks() *fault.Error {
	return fault.New(fault.TooLarge, fault.T("the lines of old_text are in %s more than %d times", d.path, maxBlocks)).
		WithHint(fault.T("add more lines of context"))
}
