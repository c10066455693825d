package scope

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search"
)

// Skipped says what a search skipped and how to include it; it is empty if there is
// nothing to say.
func Skipped(s *search.Skipped) fault.Text {
	var said []fault.Text
	if s.Ignored > 0 {
		said = append(said, fault.T("%d ignored (no_ignore=true includes them)", "%d 项被忽略（no_ignore=true 可纳入）", s.Ignored))
	}
	if s.Hidden > 0 {
		said = append(said, fault.T("%d hidden (hidden=true includes them)", "%d 项隐藏（hidden=true 可纳入）", s.Hidden))
	}
	if s.Deeper > 0 {
		said = append(said, fault.T("%d directories below depth", "%d 个目录超出 depth", s.Deeper))
	}
	if s.Binary > 0 {
		said = append(said, fault.T("%d binary (pass one as path to search it)", "%d 个二进制文件（可用 path 指名搜索）", s.Binary))
	}
	if s.Documents > 0 {
		said = append(said, fault.T("the text of %d documents (documents=true searches it)", "%d 个文档的文本（documents=true 可搜索）", s.Documents))
	}
	if s.Undecoded > 0 {
		said = append(said, fault.T("%d in an unknown encoding, where only ASCII can be found", "%d 个文件编码未知，其中只能查找 ASCII", s.Undecoded))
	}
	if s.Denied > 0 {
		said = append(said, fault.T("%d denied by the policy", "%d 项不允许读取", s.Denied))
	}
	if len(said) == 0 {
		return fault.Text{}
	}
	return fault.T("skipped: %s", "已跳过：%s", fault.Join(said, ", ", "，"))
}
