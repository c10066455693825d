package cmd_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/tools"
)

// No flag of a tool has the name of one that every command has, wherever that is given.
func TestFlagsOfToolsAndOfAll(t *testing.T) {
	t.Setenv("HELVE_ROOT", here(t, cmdtest.Workspace(t)))
	for _, one := range tools.Builtin() {
		var out bytes.Buffer
		args := append([]string{"-o", "text"}, strings.Fields(one.Command())...)
		if status := cmd.Main(append(args, "--help"), strings.NewReader(""), &out, &out); status != 0 || !strings.Contains(out.String(), "Global Flags:") {
			t.Errorf("%s: exit %d: %.200s", one.Name, status, out.String())
		}
	}
}
