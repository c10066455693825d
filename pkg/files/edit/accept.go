package edit

import (
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// accept replaces the lines of a candidate.
func (d *document) accept(e Edit) ([]replacement, *fault.Error) {
	var rank, first, last int
	var sha string
	if parts := strings.Split(e.Accept, ":"); len(parts) == 3 {
		sha = parts[1]
		if n, err := fmt.Sscanf(parts[0]+" "+parts[2], "c%d %d-%d", &rank, &first, &last); n != 3 || err != nil {
			first = 0
		}
	}
	if first < 1 || last < first || candidateID(rank, sha, first, last) != e.Accept {
		return nil, fault.New(fault.InvalidArguments, fault.T("accept is no id of a candidate: %q", "accept 不是有效的候选编号：%q", e.Accept)).
			WithHint(fault.T("pass the id as it stands in the candidates of the error", "请原样传入错误详情 candidates 中的 id"))
	}
	_, ok := d.offset(last)
	if !ok || sha != d.sha() {
		return nil, fault.New(fault.Stale, fault.T("%s has changed since the candidate was offered", "自给出该候选以来，%s 已被修改", d.path)).
			WithHint(fault.T("read the file again, then repeat the edit with old_text", "请重新读取文件，再使用 old_text 编辑"))
	}
	start, end := d.span(first, last)
	old, new := d.text[start:end], d.normal(e.New)
	if new == "" || strings.HasSuffix(new, "\n") {
		old += "\n"
	}
	if !d.permit {
		if err := placeholder(old, e.New); err != nil {
			return nil, err
		}
	}
	h := hit{block: newBlock(old, new), strategy: Accepted, how: Rtrim}
	r, err := d.merge(h, place{start: start, end: end, line: first})
	if err != nil {
		return nil, err
	}
	if r.text == d.src[r.start:r.end] {
		return nil, noChange()
	}
	return []replacement{r}, nil
}

func candidateID(rank int, sha string, first, last int) string {
	return fmt.Sprintf("c%d:%s:%d-%d", rank, sha, first, last)
}
