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
	return fault.New(fault.PatchSyntax, fault.T("line %d of the patch: expected %s, not %q", "补丁第 %d 行：应为%s，而不是 %q", r.no, what, text)).
		WithHint(fault.T("correct the patch and send it again; nothing was changed", "请修正补丁后重新发送；没有任何改动")).
		WithDetails(SyntaxError{Line: r.no, Text: text})
}

func unsupported(r row, what fault.Text) error {
	return fault.New(fault.UnsupportedContent, fault.T("line %d of the patch: %s cannot be applied", "补丁第 %d 行：无法应用%s", r.no, what)).
		WithHint(fault.T("remove this file from the patch; nothing was changed", "请去掉该文件；没有任何改动")).
		WithDetails(SyntaxError{Line: r.no, Text: r.head()})
}

// hunkLine describes a line that a hunk lacks.
func hunkLine() fault.Text {
	return fault.T(`a line of the hunk that starts with " ", "-" or "+"`, `以“ ”、“-”或“+”开头的区块内容行`)
}

func tooManyFiles(n int) error {
	return split(fault.T("the patch changes %d files; at most %d are allowed", "补丁修改了 %d 个文件，上限为 %d 个", n, maxFiles))
}

func tooManyHunks(n int) error {
	return split(fault.T("the patch has %d hunks; at most %d are allowed", "补丁包含 %d 个区块，上限为 %d 个", n, maxHunks))
}

func tooMuchWork(path string) error {
	return split(fault.T("it takes too long to find the hunks of the patch in %s", "在 %s 中定位补丁耗时过长", path))
}

func split(message fault.Text) error {
	return fault.New(fault.TooLarge, message).WithHint(fault.T("split the patch", "请拆分补丁"))
}

func noChange(path string) error {
	return fault.New(fault.NoChange, fault.T("the patch changes nothing in %s", "补丁没有改变 %s", path)).
		WithHint(fault.T("mark removed lines with - and new lines with +", "请用 - 标记删除的行，用 + 标记新增的行"))
}

// Faults of single hunks.

func (t *target) notFound(f *finding) *failure {
	if len(f.old) == 0 {
		return &failure{line: -1, err: fault.New(fault.HunkNotFound, fault.T(
			"nothing says where its lines go in %s", "没有任何信息说明这些行应放在 %s 的何处", t.path)).
			WithHint(fault.T("add a line of context before or after them", "请在其前后提供一行上下文"))}
	}
	block := strings.Join(f.old, "\n") + "\n"
	return &failure{line: -1,
		err: fault.New(fault.HunkNotFound, fault.T("its context and removed lines are not in %s", "其上下文和删除行不在 %s 中", t.path)).
			WithHint(fault.T("read the file again and write the patch for its current content", "请重新读取文件，并按其当前内容制作补丁")),
		closer: func() []edit.Candidate { return edit.Closest(t.path, t.src, block) },
	}
}

func (t *target) ambiguous(f *finding) *failure {
	why := fault.T("its lines are in %s %d times, at %s", "其各行在 %s 中出现 %d 次，位于%s", t.path, len(f.places), linesText(f.places))
	if f.fuzz > 0 {
		why = fault.T("without some of its context, its lines are in %s %d times, at %s",
			"去掉部分上下文后，其各行在 %s 中出现 %d 次，位于%s", t.path, len(f.places), linesText(f.places))
	}
	return &failure{line: -1, places: f.places, rows: len(f.old), err: fault.New(fault.HunkAmbiguous, why).
		WithHint(fault.T(`add context until it is unique, or name the enclosing function after "@@"`,
			"请增加上下文直到唯一，或在“@@”后写明所在函数"))}
}

// drifted is about a hunk whose lines were found, while the lines that its header
// names have changed: they are the more likely target.
func (t *target) drifted(f *finding, want int) *failure {
	return &failure{line: want, places: []int{want}, rows: len(f.old), err: fault.New(fault.HunkNotFound, fault.T(
		"its header names line %d of %s, which has changed; its lines are also at line %d, but that is probably another place",
		"其标头所指的 %[2]s 第 %[1]d 行附近已被修改；第 %[3]d 行虽有相同内容，但应该不是目标", want+1, t.path, f.at+1)).
		WithHint(fault.T(`write the patch for the current content of the file; if line %d is meant, correct the header or write only "@@"`,
			"请按文件当前内容制作补丁；若确指第 %d 行，请修正标头，或只写“@@”", f.at+1))}
}

// weak is about a hunk of a single line that was not found where its header says.
func (t *target) weak(f *finding) *failure {
	return &failure{line: f.at, places: []int{f.at}, rows: len(f.old), err: fault.New(fault.HunkAmbiguous, fault.T(
		"its only line is at line %d of %s, but its header says line %d",
		"其唯一一行位于 %[2]s 的第 %[1]d 行，而不是标头所说的第 %[3]d 行", f.at+1, t.path, f.expected()+1)).
		WithHint(fault.T(`correct the header, write only "@@", or add context`, "请修正标头，或只写“@@”，或增加上下文"))}
}

func (t *target) applied(line int) *failure {
	return &failure{line: line, err: fault.New(fault.AlreadyApplied, fault.T("its new lines are already at line %d of %s",
		"其新内容已位于 %[2]s 的第 %[1]d 行", line+1, t.path)).
		WithHint(fault.T("nothing is left to do; remove the hunk", "无需再应用，请去掉该区块"))}
}

func (t *target) overlap(a, b *finding) *failure {
	return &failure{line: b.at, err: fault.New(fault.Overlap, fault.T("it changes the same lines as hunk %d", "它与第 %d 个区块修改了相同的行", a.index+1)).
		WithHint(fault.T("combine them into one hunk", "请把两个区块合并为一个"))}
}

// more is about a file to be deleted that has lines which the patch does not have.
func (t *target) more(rest string) error {
	return fault.New(fault.HunkNotFound, fault.T("%s has %d more lines than the patch deletes", "%s 比补丁删除的内容多 %d 行", t.path, diff.CountLines(rest))).
		WithHint(fault.T("read the file again; to delete it in any case, use delete", "请重新读取文件；若无论内容如何都要删除，请使用 delete"))
}
