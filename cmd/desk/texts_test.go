package desk

import (
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	w.Prints(t, Command, "--idle -1s", "error: --idle -1s: want a duration that is not below zero (usage)\nhint: …\n", "错误：--idle -1s：时长不得小于零（usage）\n提示：…\n")
}
