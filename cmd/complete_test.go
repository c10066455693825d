package cmd

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// offers returns what a shell is offered for a command line, without descriptions, and
// the directive after it.
func offers(t *testing.T, line ...string) (names []string, directive string) {
	t.Helper()
	var b strings.Builder
	Main(append([]string{"__completeNoDesc"}, line...), strings.NewReader(""), &b, io.Discard)
	names = strings.Split(strings.TrimSpace(b.String()), "\n")
	return names[:len(names)-1], names[len(names)-1]
}

func TestCompletions(t *testing.T) {
	workspace, settings := cmdtest.Home(t)
	run := func(args ...string) string {
		var b strings.Builder
		Main(args, strings.NewReader(""), &b, io.Discard)
		return b.String()
	}
	inside := func(text, before, after string) string {
		_, rest, _ := strings.Cut(text, before)
		found, _, ok := strings.Cut(rest, after)
		if !ok {
			t.Fatalf("no %s in %s", before, text)
		}
		return found
	}
	if err := os.WriteFile(settings, []byte(`{"projects": [{"id": "lib", "path": "`+t.TempDir()+`"}], "tools": {"disabled": ["job"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	change := inside(run("write", "a.txt", "--content", "x", "--session", "mine"), `"undo_id":"`, `"`)
	request := inside(run("delete", "a.txt", "--no-input"), `"approval":{"id":"`, `"`)
	run("checkpoint", "start")
	for _, c := range []struct {
		line      string
		want      []string // among what is offered
		directive string   // :4 is no files, :0 is files, :16 is directories
	}{
		{"rea", []string{"read"}, ":4"},
		{"undo --id ", []string{change}, ":4"},
		{"read --session ", []string{"default", "mine"}, ":4"},
		{"approve ", []string{request}, ":4"},
		{"deny " + request[:4], []string{request}, ":4"},
		{"approvals show ", []string{request}, ":4"},
		{"delete a.txt --approval ", []string{request}, ":4"},
		{"restore ", []string{"start"}, ":4"},
		{"checkpoint --drop ", []string{"start"}, ":4"},
		{"config get files.", []string{"files.require_read", "files.links"}, ":4"},
		{"config set exec.sandbox ", []string{"off", "auto", "require"}, ":4"},
		{"config set readonly ", []string{"true", "false"}, ":4"},
		{"init --sandbox ", []string{"off", "auto", "require"}, ":4"},
		{"init --require-read ", []string{"off", "warn", "on"}, ":4"},
		{"init --browser ", []string{"none", "auto"}, ":4"},
		{"init --set exec.", []string{"exec.deny", "exec.pass"}, ":4"},
		{"doctor --report=", nil, ":0"},
		{"doctor ", nil, ":4"},
		{"--project ", []string{"lib"}, ":4"},
		{"tools enable ", []string{"job", "read"}, ":4"},
		{"policy explain de", []string{"delete"}, ":4"},
		{"schema --tools read,gr", []string{"read,grep"}, ":4"},
		{"write a.txt --mode ", []string{"overwrite", "create", "append"}, ":4"},
		{"grep x --mode c", []string{"content", "count"}, ":4"},
		{"read -o ", []string{"json", "pretty", "text"}, ":4"},
		{"--lang ", []string{"en", "zh"}, ":4"},
		{"schema --toolset ", []string{"coding", "reading"}, ":4"},
		{"call --dialect open", []string{"openai"}, ":4"},
		{"parse --format ", []string{"xml"}, ":4"},
		{"call --content ", []string{"text", "json"}, ":4"},
		{"help con", []string{"config"}, ":4"},
		{"help config ", []string{"get", "set"}, ":4"},
		{"read ", nil, ":0"},
		{"grep ", nil, ":4"},
		{"grep x ", nil, ":0"},
		{"history ", nil, ":0"},
		{"--root ", nil, ":16"},
		{"undo --steps ", nil, ":4"},
	} {
		got, directive := offers(t, strings.Split(c.line, " ")...)
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%q offers %q, without %q", c.line, got, want)
			}
		}
		if directive != c.directive || c.want == nil && len(got) > 0 {
			t.Errorf("%q: %s, want %s; offers %q", c.line, directive, c.directive, got)
		}
	}
	// What cannot be looked up is not offered, and is no error.
	if err := os.WriteFile(settings, []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"--project ", "tools enable ", "approve ", "read --root=/nowhere/at/all --session "} {
		got, directive := offers(t, strings.Split(line, " ")...)
		if directive != ":4" || slices.Contains(got, "lib") {
			t.Errorf("%q: %s, offers %q", line, directive, got)
		}
	}
	if left, err := filepath.Glob(filepath.Join(workspace, ".*")); err != nil || len(left) > 0 {
		t.Errorf("completion left %q, %v", left, err)
	}
}

// The scripts complete in real shells, also where the package bash-completion is missing.
func TestCompletionScripts(t *testing.T) {
	workspace, _ := cmdtest.Home(t)
	if err := os.WriteFile(filepath.Join(workspace, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	script := func(shell string) string {
		var b strings.Builder
		Main([]string{"completion", shell}, strings.NewReader(""), &b, io.Discard)
		file := filepath.Join(t.TempDir(), "helve."+shell)
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	t.Run("bash", func(t *testing.T) {
		bash, err := exec.LookPath("bash")
		if err != nil {
			t.Skip("no bash")
		}
		for line, want := range map[string]string{
			"helve undo --ste": "--steps", "helve hist": "history", "helve write a --mode=cr": "create", "helve config get files.req": "files.require_read",
			"helve -o te": "text", "helve read --lang ": "en zh",
		} {
			// What readline does: the words, parted also at = and :, and the cursor at the end.
			typed := `
				source "$1"; compopt() { :; }
				COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9 COMP_KEY=9
				line=${2//=/ = }; read -ra COMP_WORDS <<< "$line"; [[ $2 == *" " ]] && COMP_WORDS+=("")
				COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
				__start_helve helve; echo "${COMPREPLY[@]%% *}"`
			c := exec.Command(bash, "--norc", "-c", typed, "bash", script("bash"), line)
			c.Dir = workspace
			out, err := c.CombinedOutput()
			if got := strings.Join(strings.Fields(string(out)), " "); got != want || err != nil {
				t.Errorf("%q: %q, %v; want %q", line, got, err, want)
			}
		}
	})
	t.Run("zsh", func(t *testing.T) {
		zsh, err := exec.LookPath("zsh")
		if err != nil {
			t.Skip("no zsh")
		}
		// The functions of zsh's completion are replaced by what shows their input.
		typed := `
			compdef() { :; }; _describe() { eval "print -rl -- \"\${${@[-1]}[@]}\""; }; _arguments() { :; }; compstate=()
			source "$1"; words=(helve undo --st); CURRENT=3; _helve`
		out, err := exec.Command(zsh, "-f", "-c", typed, "zsh", script("zsh")).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--steps") {
			t.Errorf("%s, %v", out, err)
		}
	})
	for shell, want := range map[string]string{"fish": "complete -c helve", "powershell": "Register-ArgumentCompleter"} {
		text, err := os.ReadFile(script(shell))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %.200s, %v", shell, text, err)
		}
	}
}
