package patch

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// Failures are the details of an error of [Apply].
type Failures struct {
	Path  string    `json:"path"`
	Hunks []Failure `json:"hunks"`
}

// Failure is what a caller needs to mend one hunk.
type Failure struct {
	Index     int        `json:"index"` // from 0
	Code      fault.Code `json:"code"`
	PatchLine int        `json:"patch_line"` // where the hunk begins
	Line      int        `json:"line,omitzero"`
	// Candidates are the places of the file most like a hunk that was not found,
	// best first; an edit may accept one.
	Candidates []edit.Candidate `json:"candidates,omitempty"`
	// Matches are the first of the places of a hunk that is found too often, or
	// the lines where the hunk's header says, and Total is how many there are.
	Matches []edit.Match `json:"matches,omitempty"`
	Total   int          `json:"total,omitzero"`
}

// failure is why a hunk was not placed. What is costly to find out is added for
// the first few alone.
type failure struct {
	err    *fault.Error
	line   int                     // of the file, from 0; -1 if it has none
	places []int                   // to be shown
	rows   int                     // lines of a place
	closer func() []edit.Candidate // to be looked for
}

// failuresShown is how many failing hunks are reported with candidates or
// matches. The others are only named.
const failuresShown = 5

// report makes one error of all failures, or none.
func report(t *target, all []*finding) error {
	details := Failures{Path: t.path}
	var first *fault.Error
	var messages, hints []fault.Text
	missing := 0
	for _, f := range all {
		if f.failed == nil {
			continue
		}
		err := f.failed.err
		if first == nil || first.Code == fault.AlreadyApplied {
			first = err
		}
		if err.Code != fault.AlreadyApplied {
			missing++
		}
		one := Failure{Index: f.index, Code: err.Code, PatchLine: f.hunk.Line, Line: f.failed.line + 1, Total: len(f.failed.places)}
		hint := err.Hint
		if len(details.Hunks) < failuresShown {
			f.failed.show(t, &one)
			if n := len(one.Candidates); n > 0 {
				c := one.Candidates[0]
				hint = fault.T("closest are lines %s; copy the lines from the candidates in details, which show them as they are",
					"最接近的是第 %s 行；请从 details 的 candidates 中复制文件中的原文", edit.LineRange{Start: c.Start, End: c.End})
			}
		}
		details.Hunks = append(details.Hunks, one)
		messages = append(messages, fault.T("hunk %d (line %d of the patch): %s", "第 %d 个区块（补丁第 %d 行）：%s", f.index+1, f.hunk.Line, err.Message))
		if !hint.IsZero() {
			hints = append(hints, fault.T("hunk %d: %s", "第 %d 个区块：%s", f.index+1, hint))
		}
	}
	if first == nil {
		return nil
	}
	code := first.Code
	if missing == 0 && len(details.Hunks) < len(all) {
		// Only some of it is done: the rest still waits.
		code = fault.HunkNotFound
		hints = append(hints, fault.T("send the other hunks alone", "请只发送其余区块"))
	}
	const most = 10
	if n := len(messages); n > most {
		messages = append(messages[:most], fault.T("and %d more", "以及另外 %d 个", n-most))
	}
	return fault.New(code, fault.T("%s: %d of %d hunks failed, nothing was changed. %s", "%s：%[3]d 个区块中有 %[2]d 个失败，未做任何修改。%[4]s",
		t.path, len(details.Hunks), len(all), fault.Join(messages, "; ", "；"))).
		WithHint(fault.Join(hints[:min(len(hints), most)], "; ", "；")).
		WithDetails(details)
}

// show adds what the file has to a failure.
func (f *failure) show(t *target, to *Failure) {
	if f.closer != nil {
		to.Candidates = f.closer()
	}
	const around = 2
	shown := edit.NewExcerpts()
	for _, p := range f.places[:min(len(f.places), edit.MatchesShown)] {
		from := max(0, p-around)
		text := shown.Take(t.excerpt(from, p+f.rows+around))
		to.Matches = append(to.Matches, edit.Match{Start: p + 1, End: p + f.rows, TextStart: from + 1, Text: text})
	}
}

func (t *target) notFound(f *finding) *failure {
	if len(f.old) == 0 {
		return &failure{line: -1, err: fault.New(fault.HunkNotFound, fault.T(
			"nothing says where in %s its lines belong", "没有任何信息说明这些行应放在 %s 的何处", t.path)).
			WithHint(fault.T("give a line of context before or after them", "请在其前后提供一行上下文"))}
	}
	block := strings.Join(f.old, "\n") + "\n"
	return &failure{line: -1,
		err: fault.New(fault.HunkNotFound, fault.T("its context and removed lines are not in %s", "其上下文和删除行不在 %s 中", t.path)).
			WithHint(fault.T("read the file again and make the patch from what it says now", "请重新读取文件，并按其当前内容制作补丁")),
		closer: func() []edit.Candidate { return edit.Closest(t.path, t.src, block) },
	}
}

func (t *target) ambiguous(f *finding) *failure {
	why := fault.T("its lines are in %s %d times, at lines %s", "其各行在 %s 中出现 %d 次，位于第 %s 行", t.path, len(f.places), lineList(f.places))
	if f.fuzz > 0 {
		why = fault.T("without some of its context, its lines are in %s %d times, at lines %s",
			"去掉部分上下文后，其各行在 %s 中出现 %d 次，位于第 %s 行", t.path, len(f.places), lineList(f.places))
	}
	return &failure{line: -1, places: f.places, rows: len(f.old), err: fault.New(fault.HunkAmbiguous, why).
		WithHint(fault.T(`add lines of context until it is unique, or name the function it is in behind "@@"`,
			"请增加上下文直到唯一，或在“@@”后写明所在函数"))}
}

// drifted tells that the lines where the header says have changed.
func (t *target) drifted(f *finding, want int) *failure {
	return &failure{line: want, places: []int{want}, rows: len(f.old), err: fault.New(fault.HunkNotFound, fault.T(
		"line %d of %s, where its header says it is, has changed; its lines are at line %d too, but hardly meant",
		"其标头所指的 %[2]s 第 %[1]d 行附近已被修改；第 %[3]d 行虽有相同内容，但应该不是目标", want+1, t.path, f.at+1)).
		WithHint(fault.T(`make the patch from what the file says now; if line %d is meant, correct the header or write "@@" alone`,
			"请按文件当前内容制作补丁；若确指第 %d 行，请修正标头，或只写“@@”", f.at+1))}
}

// weak tells that a single line was found elsewhere than its header says.
func (t *target) weak(f *finding) *failure {
	return &failure{line: f.at, places: []int{f.at}, rows: len(f.old), err: fault.New(fault.HunkAmbiguous, fault.T(
		"its only line is at line %d of %s and not at line %d, as its header says",
		"其唯一一行位于 %[2]s 的第 %[1]d 行，而不是标头所说的第 %[3]d 行", f.at+1, t.path, f.expected()+1)).
		WithHint(fault.T(`correct the header, write "@@" alone, or add lines of context`, "请修正标头，或只写“@@”，或增加上下文"))}
}

func (t *target) applied(line int) *failure {
	return &failure{line: line, err: fault.New(fault.AlreadyApplied, fault.T("its new lines are at line %d of %s already",
		"其新内容已位于 %[2]s 的第 %[1]d 行", line+1, t.path)).
		WithHint(fault.T("nothing is left to do for it; leave it out", "无需再应用，请去掉该区块"))}
}

func (t *target) overlap(a, b *finding) *failure {
	return &failure{line: b.at, err: fault.New(fault.Overlap, fault.T("it changes the same lines as hunk %d", "它与第 %d 个区块修改了相同的行", a.index+1)).
		WithHint(fault.T("make one hunk of the two", "请把两个区块合并为一个"))}
}

// more tells that a file to be deleted has lines that the patch does not have.
func (t *target) more(rest string) error {
	return fault.New(fault.HunkNotFound, fault.T("%s has %d more lines than the patch deletes", "%s 比补丁删除的内容多 %d 行", t.path, diff.CountLines(rest))).
		WithHint(fault.T("read the file again; to delete it whatever it says, use delete", "请重新读取文件；若无论内容如何都要删除，请使用 delete"))
}

// lineList names the first of the lines, which count from 0.
func lineList(lines []int) string {
	numbers := make([]int, len(lines))
	for i, l := range lines {
		numbers[i] = l + 1
	}
	return edit.LineList(numbers)
}
