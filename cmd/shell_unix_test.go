//go:build unix

package cmd_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
)

// The definition of exec names the shell that its commands get. bash alone sets the
// variable.
func TestShellIsNamed(t *testing.T) {
	workspace := here(t, cmdtest.Workspace(t))
	t.Setenv("HELVE_ROOT", workspace)
	cmdtest.Put(t, workspace, "other.json", `{"exec":{"shell":"sh"}}`)
	for _, c := range []struct{ lang, setting, bash, sh string }{
		{"en", "", "Run a command in bash on ", "Run a command in sh on "},
		{"zh", "", "在 bash（", "在 sh（"},
		{"en", "other.json", "Run a command in sh on ", "Run a command in sh on "},
	} {
		var options []string
		if c.setting != "" {
			options = []string{"--config", workspace + "/" + c.setting}
		}
		ran := inProcess(t, append(options, "exec", `{"command":"echo ${BASH_VERSION:+bash}"}`)...)
		want := c.sh
		if strings.HasPrefix(fmt.Sprint(ran.Data["output"]), "bash") {
			want = c.bash
		}
		var out bytes.Buffer
		cmd.Main(append(options, "schema", "--tools", "exec", "--lang", c.lang), strings.NewReader(""), &out, &out)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s, %s: %q is not in %.400s", c.lang, c.setting, want, out.String())
		}
		out.Reset()
		cmd.Main([]string{"exec", "--help", "--lang", c.lang}, strings.NewReader(""), &out, &out)
		if strings.Contains(out.String(), "{shell}") {
			t.Errorf("%s: {shell} is in the help", c.lang)
		}
	}
}
