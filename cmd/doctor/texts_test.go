package doctor

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	manifest := filepath.Join(w.Root, "greet.json")
	if err := os.WriteFile(manifest, []byte(`{"name":"greet","description":"Greet.","risk":"read","run":{"argv":["true"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Prints(t, Command, "", "…helve  …\n…ok       shell …", "…helve  …\n…ok       shell …")
	w.Prints(t, Command, "--report="+manifest, "error: there is already a file "+manifest+" (already_exists)\nhint: name another one: --report=FILE\n", "错误：文件 "+manifest+" 已存在（already_exists）\n提示：请指定其他文件：--report=文件\n")
}
