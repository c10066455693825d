package edit

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Faults of the arguments.

func tooLarge(path string) *fault.Error {
	return fault.New(fault.TooLarge, fault.T("%s is too large to edit", "%s 过大，无法编辑", path))
}

func noEdits() *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("there are no edits", "没有任何编辑"))
}

func overlapping(a, b replacement) *fault.Error {
	return fault.New(fault.Overlap, fault.T("edits %d and %d replace the same text, lines %s and %s",
		"第 %d 处与第 %d 处编辑修改了同一段文本，分别为第 %s 行和第 %s 行", a.edit+1, b.edit+1, a.old, b.old)).
		WithHint(fault.T("combine them into one edit, or pass sequential=true to make one after the other", "请把这两处编辑合并为一处，或用 sequential=true 依次进行"))
}

func notCandidate(accept string) *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("accept is not the id of a candidate: %q", "accept 不是有效的候选编号：%q", accept)).
		WithHint(fault.T("pass the id exactly as it is in the candidates of the error", "请原样传入错误详情 candidates 中的 id"))
}

func candidateStale(path string) *fault.Error {
	return fault.New(fault.Stale, fault.T("%s has changed since the candidate was offered", "自给出该候选以来，%s 已被修改", path)).
		WithHint(fault.T("read the file again, then repeat the edit with old_text", "请重新读取文件，再使用 old_text 编辑"))
}

// anchorMissing and anchorRepeated are about the text of after or within.
func (d *document) anchorMissing(name string) *fault.Error {
	return fault.New(fault.TextNotFound, fault.T("the text of %s is not in %s", "在 %[2]s 中找不到 %[1]s 的文本", name, d.path)).
		WithHint(fault.T("copy it from the file exactly", "请从文件中原样复制"))
}

func (d *document) anchorRepeated(name string) *fault.Error {
	return fault.New(fault.TextAmbiguous, fault.T("the text of %s is in %s more than once", "%s 的文本在 %s 中不止出现一次", name, d.path)).
		WithHint(fault.T("pass a longer text", "请提供更长的文本"))
}

func placeholderFault(line int, text string) *fault.Error {
	return fault.New(fault.Placeholder, fault.T("line %d of new_text is a placeholder for omitted text: %s",
		"new_text 的第 %d 行是省略占位符，不是真实内容：%s", line, text)).
		WithHint(fault.T("write the complete text; to keep lines as they are, replace only the lines around them",
			"请给出完整文本；若要保留某些行不变，只替换其前后的行即可"))
}

// Faults of a replacement that is not to be made.

func noChange() *fault.Error {
	return fault.New(fault.NoChange, fault.T("the replacement changes nothing", "替换后内容没有变化。")).
		WithHint(fault.T("pass a new_text that differs from the text in the file", "请提供与文件现有内容不同的 new_text"))
}

func (d *document) alreadyApplied(line int, candidates []Candidate) *fault.Error {
	return fault.New(fault.AlreadyApplied, fault.T("the new text is already at line %d of %s",
		"新文本已存在于 %[2]s 的第 %[1]d 行", line, d.path)).
		WithHint(fault.T("nothing was changed and nothing is left to do; to repeat the text, pass more context",
			"无需再次修改；若确实要重复该文本，请提供更多上下文")).
		WithDetails(&Failure{Line: line, Candidates: candidates})
}

// indentSignificant is about lines that match only with an inconsistent
// indentation, in a file where that could change what they mean.
func (d *document) indentSignificant(h hit) *fault.Error {
	return d.withPlaces(fault.New(fault.IndentAmbiguous, fault.T(
		"%s has old_text only with different white space, and its indentation is significant",
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

// Faults of finding no place, or too many.

// notFound explains a text that was not found with the most similar places.
func (d *document) notFound(old, new string, e Edit) *fault.Error {
	if fates, _ := meant(d.fates(old, new, e, false), e); len(fates) > 0 {
		return d.stale(fates[max(0, slices.IndexFunc(fates, changed))], new, nil)
	}
	candidates := d.candidates(old, e)
	if line, ok := d.foundNew(new); ok {
		return d.alreadyApplied(line, candidates)
	}
	err := fault.New(fault.TextNotFound, fault.T("cannot find old_text in %s; it must match the file exactly",
		"无法在 %s 中找到指定文本。请确保文本精确匹配。", d.path))
	if len(candidates) == 0 {
		return err.WithHint(fault.T("the file has nothing similar; read it again", "文件中没有相似内容，请重新读取该文件"))
	}
	best := candidates[0]
	return err.WithHint(fault.T("closest match: %s (%s); copy old_text from the candidates in details, or repeat the edit with accept %q and a new_text for exactly these lines",
		"最接近的是%s（%s）；请从 details 的 candidates 中复制 old_text，或使用 accept %q 加上针对这些行的 new_text 重试",
		LineRange{best.Start, best.End}.Text(), causeText(best.Causes), best.ID)).
		WithDetails(&Failure{Candidates: candidates})
}

// notWhereSaid is about a text that is in the file, but outside of after or
// within.
func (d *document) notWhereSaid(places []place) *fault.Error {
	return fault.New(fault.TextNotFound, fault.T("old_text is in %s at %s, but not where after or within says",
		"old_text 位于 %s 的%s，但不在 after 或 within 指定的范围内", d.path, linesOf(places))).
		WithHint(fault.T("correct after or within, or leave it out", "请修正或去掉 after 或 within")).
		WithDetails(d.matches(places))
}

func (d *document) ambiguous(places []place) *fault.Error {
	return fault.New(fault.TextAmbiguous, fault.T("found %d matches for old_text, at %s; give more context to make it unique",
		"找到 %d 处匹配，位于%s；请提供更多上下文使其唯一", len(places), linesOf(places))).
		WithHint(fault.T("add a neighbouring line to old_text, or pass line_hint, occurrence or replace_all",
			"在 old_text 中加入相邻的一行，或使用 line_hint、occurrence 或 replace_all")).
		WithDetails(d.matches(places))
}

// unexpected is about more or fewer places than the edit expects. If it expects
// no number, the places match only by a tolerant stage.
func (d *document) unexpected(places []place, expected int) *fault.Error {
	err := fault.New(fault.TextAmbiguous, fault.T("matches for old_text: found %d, at %s; expected %d",
		"找到 %d 处匹配，位于%s，与预期的 %d 处不符", len(places), linesOf(places), expected))
	if expected == 0 {
		err = fault.New(fault.TextAmbiguous, fault.T("found %d places that differ from old_text in white space or typography, at %s",
			"找到 %d 处仅空白或排版字符不同的匹配，位于%s", len(places), linesOf(places)))
	}
	return err.WithHint(fault.T("pass expected_replacements %d to replace all of them", "若确实要全部替换，请传入 expected_replacements %d", len(places))).
		WithDetails(d.matches(places))
}

func (d *document) tooFew(places []place, occurrence int) *fault.Error {
	return fault.New(fault.OutOfRange, fault.T("there is no occurrence %d of old_text; found %d, at %s",
		"要求第 %d 处匹配，但只有 %d 处，位于%s", occurrence, len(places), linesOf(places))).
		WithDetails(d.matches(places))
}

func (d *document) tooManyMatches() *fault.Error {
	return fault.New(fault.TooLarge, fault.T("old_text is in %s more than %d times",
		"old_text 在 %s 中出现超过 %d 次", d.path, maxMatches)).
		WithHint(fault.T("pass a longer old_text", "请提供更长的 old_text"))
}

func (d *document) tooManyBlocks() *fault.Error {
	return fault.New(fault.TooLarge, fault.T("the lines of old_text are in %s more than %d times",
		"old_text 的各行在 %s 中出现超过 %d 次", d.path, maxBlocks)).
		WithHint(fault.T("add more lines of context", "请提供更多上下文行"))
}
