package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Failure is what a caller needs to mend an edit; the details of its error.
type Failure struct {
	Index int        `json:"index"`          // of the edit, from 0
	Code  fault.Code `json:"code,omitempty"` // set among several failures
	// Candidates are the places most similar to a text that was not found, best
	// first.
	Candidates []Candidate `json:"candidates,omitempty"`
	// Matches are the first of the places of a text that was found too often,
	// and Total is how many there are.
	Matches []Match `json:"matches,omitempty"`
	Total   int     `json:"total,omitzero"`
	// Line is where the new text stands already.
	Line int `json:"line,omitzero"`
	// Current are the lines as they are now, when they are not what the caller
	// was served.
	Current *Match `json:"current,omitempty"`
}

// Failures are the details of an error about several edits.
type Failures struct {
	Edits []Failure `json:"edits"`
}

// Match is a place with the lines around it, as they are in the file.
type Match struct {
	Start     int    `json:"start"` // first line of the match itself
	End       int    `json:"end"`   // last line of the match itself
	TextStart int    `json:"text_start"`
	Text      string `json:"text"`
}

// failure is the fault of one edit; its details are nil or a *Failure.
type failure struct {
	edit int
	err  *fault.Error
}

// report makes one error of all failures. Its code is that of the first.
func report(failed []failure, edits int) *fault.Error {
	details := make([]Failure, len(failed))
	for i, f := range failed {
		if known, ok := f.err.Details.(*Failure); ok {
			details[i] = *known
		}
		details[i].Index = f.edit
	}
	first := failed[0].err
	if edits == 1 {
		if first.Details != nil {
			first.Details = details[0]
		}
		return first
	}
	messages := make([]fault.Text, len(failed))
	var hints []fault.Text
	for i, f := range failed {
		details[i].Code = f.err.Code
		messages[i] = fault.T("edit %d: %s", "第 %d 处编辑：%s", f.edit+1, f.err.Message)
		if !f.err.Hint.IsZero() {
			hints = append(hints, fault.T("edit %d: %s", "第 %d 处编辑：%s", f.edit+1, f.err.Hint))
		}
	}
	return fault.New(first.Code, fault.T("nothing was changed: %d of %d edits failed. %s",
		"未做任何修改：%[2]d 处编辑中有 %[1]d 处失败。%[3]s", count(failed), edits, fault.Join(messages, "; ", "；"))).
		WithHint(fault.Join(hints, "; ", "；")).
		WithDetails(Failures{details})
}

// count is how many edits failed; one may have failed twice.
func count(failed []failure) int {
	seen := make(map[int]bool)
	for _, f := range failed {
		seen[f.edit] = true
	}
	return len(seen)
}

func noChange() *fault.Error {
	return fault.New(fault.NoChange, fault.T("the replacement changes nothing", "替换后内容没有变化。")).
		WithHint(fault.T("give a new_text that differs from the text in the file", "请提供与文件现有内容不同的 new_text"))
}

func (d *document) alreadyApplied(line int, candidates []Candidate) *fault.Error {
	return fault.New(fault.AlreadyApplied, fault.T("the new text already stands at line %d of %s",
		"新文本已存在于 %[2]s 的第 %[1]d 行", line, d.path)).
		WithHint(fault.T("nothing was changed and nothing is left to do; to repeat the text, give more context",
			"无需再次修改；若确实要重复该文本，请提供更多上下文")).
		WithDetails(&Failure{Line: line, Candidates: candidates})
}

// notFound tells why, as far as the text shows it.
func (d *document) notFound(old, new string) *fault.Error {
	candidates := d.candidates(old)
	if line, ok := d.foundNew(new); ok {
		return d.alreadyApplied(line, candidates)
	}
	err := fault.New(fault.TextNotFound, fault.T("cannot find old_text in %s; it must match the file exactly",
		"无法在 %s 中找到指定文本。请确保文本精确匹配。", d.path))
	if len(candidates) == 0 {
		return err.WithHint(fault.T("nothing similar is there; read the file again", "文件中没有相似内容，请重新读取该文件"))
	}
	best := candidates[0]
	return err.WithHint(fault.T("closest are lines %s (%s); copy old_text from the candidates in details, or repeat the edit with accept %q and new_text for exactly these lines",
		"最接近的是第 %s 行（%s）；请从 details 的 candidates 中复制 old_text，或使用 accept %q 加上针对这些行的 new_text 重试",
		LineRange{best.Start, best.End}, causeText(best.Causes), best.ID)).
		WithDetails(&Failure{Candidates: candidates})
}

// refuseIndent refuses lines that are indented in no consistent way where that
// could change what they mean.
func (d *document) refuseIndent(h hit) *fault.Error {
	return d.withPlaces(fault.New(fault.IndentAmbiguous, fault.T(
		"old_text is in %s only with other white space, and indentation has a meaning there",
		"%s 中只有空白不同的文本与 old_text 相符，而该类文件的缩进有语义", d.path)).
		WithHint(fault.T("copy old_text from the candidates in details, or repeat the edit with the id of one as accept",
			"请从 details 的 candidates 中复制 old_text，或用其 id 作为 accept 重试")), h.places)
}

func indentUnknown(line string) *fault.Error {
	return fault.New(fault.IndentAmbiguous, fault.T("cannot tell how the file would indent this line of new_text: %q",
		"无法确定 new_text 中这一行在文件里应如何缩进：%q", line)).
		WithHint(fault.T("indent old_text and new_text as the file does; the candidates in details show it",
			"请按文件的方式缩进 old_text 和 new_text；details 的 candidates 给出了文件原文"))
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

func (d *document) stale(line int, lines string) *fault.Error {
	last := line + strings.Count(lines, "\n")
	shown := NewExcerpts()
	m := d.match(line, last, 0, shown)
	return fault.New(fault.Stale, fault.T("lines %s of %s have changed since they were read",
		"%[2]s 的第 %[1]s 行在读取之后已被修改", LineRange{line, last}, d.path)).
		WithHint(fault.T("details show them as they are now; read the file again, then repeat the edit",
			"details 中给出了当前内容；请重新读取文件后再编辑")).
		WithDetails(&Failure{Current: &m})
}

// ambiguous tells where the text is found.
func (d *document) ambiguous(places []place) *fault.Error {
	return fault.New(fault.TextAmbiguous, fault.T("found %d matches for old_text, at lines %s; give more context to make it unique",
		"找到 %d 处匹配。请提供更多上下文使其唯一。位于第 %s 行", len(places), lineList(places))).
		WithHint(fault.T("add a neighbouring line to old_text, or pass line_hint, occurrence or replace_all",
			"在 old_text 中加入相邻的一行，或使用 line_hint、occurrence 或 replace_all")).
		WithDetails(d.matches(places))
}

// unexpected tells that there are more or fewer places than the edit says.
func (d *document) unexpected(places []place, expected int) *fault.Error {
	err := fault.New(fault.TextAmbiguous, fault.T("found %d matches for old_text, at lines %s, and not the %d expected",
		"找到 %d 处匹配，位于第 %s 行，与预期的 %d 处不符", len(places), lineList(places), expected))
	if expected == 0 {
		err = fault.New(fault.TextAmbiguous, fault.T("found %d places that match old_text but for white space or typography, at lines %s",
			"找到 %d 处仅空白或排版字符不同的匹配，位于第 %s 行", len(places), lineList(places)))
	}
	return err.WithHint(fault.T("pass expected_replacements %d if all of them are meant", "若确实要全部替换，请传入 expected_replacements %d", len(places))).
		WithDetails(d.matches(places))
}

func (d *document) tooFew(places []place, occurrence int) *fault.Error {
	return fault.New(fault.OutOfRange, fault.T("occurrence %d is asked for, but there are %d, at lines %s",
		"要求第 %d 处匹配，但只有 %d 处，位于第 %s 行", occurrence, len(places), lineList(places))).
		WithDetails(d.matches(places))
}

// noneThere tells that the text is in the file, but not where the edit says.
func (d *document) noneThere(places []place) *fault.Error {
	return fault.New(fault.TextNotFound, fault.T("old_text is in %s, at lines %s, but not where after or within says",
		"old_text 位于 %s 的第 %s 行，但不在 after 或 within 指定的范围内", d.path, lineList(places))).
		WithHint(fault.T("mend after or within, or leave it out", "请修正或去掉 after 或 within")).
		WithDetails(d.matches(places))
}
