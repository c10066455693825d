package calls

import (
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	w.Prints(t, Prompt, "--format yaml", "error: unknown format \"yaml\" (usage)\nhint: the formats are: xml, json, markdown, hermes\n", "错误：未知格式 \"yaml\"（usage）\n提示：可用格式：xml, json, markdown, hermes\n")
	w.Prints(t, Prompt, "--tools ls --format json", "You can use…Examples:…", "你可以使用…示例：…")
	w.Prints(t, Parse, "<write><path>a</path>", "call_1  write  …the text ends before the call does\n", "call_1  write  …文本在调用结束之前中断\n")
	w.Prints(t, Parse, "<think><ls/>", "warning: the thinking is not closed by </think>…\n", "警告：思考内容没有以 </think> 结束…\n")
	w.Prints(t, Schema, "--cost --tools time,fetch", "…  fetch\n…  time\n…  together (tokens of o200k_base, estimated)\n", "…  fetch\n…  time\n…  合计（估算的 o200k_base token 数）\n")
}
