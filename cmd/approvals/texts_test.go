package approvals

import (
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	w.Prints(t, Approve, "", "error: wrong number of arguments to approve: 0, want 1 (usage)\nhint: usage: approve ID [flags]\n", "错误：approve 的参数个数有误：给出 0 个，需要 1 个（usage）\n提示：用法：approve ID [flags]\n")
	w.Prints(t, Command, "watch a", "error: wrong number of arguments to approvals watch: 1, want 0 (usage)\nhint: usage: approvals watch [flags]\n", "错误：approvals watch 的参数个数有误：给出 1 个，需要 0 个（usage）\n提示：用法：approvals watch [flags]\n")
	w.Prints(t, Deny, "nothing", "error: … (…)\nhint: …\n", "错误：…（…）\n提示：…\n")
}
