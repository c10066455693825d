package exec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
)

// ran is the result of a command that was judged.
func ran(t *testing.T, call *tool.Call, command string) (*request, Result) {
	t.Helper()
	j, r := judged(t, call, Args{Command: command, Timeout: 60, MaxOutput: 10000})
	call.Judgement = j
	result, err := execute(t.Context(), call, r)
	if err != nil {
		t.Fatal(err)
	}
	return r, result
}

// onlyNamespaces skips where the sandbox has no /tmp of its own.
func onlyNamespaces(t *testing.T, call *tool.Call) {
	t.Helper()
	if _, r := judged(t, call, Args{Command: "ls"}); r.Kind != sandbox.Namespaces {
		t.Skip("it takes namespaces")
	}
}

// inTmp makes a directory in the machine's /tmp with some files.
func inTmp(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "exec-temp-") //nolint:usetesting // the place matters
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	})
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTemp uses the session's /tmp in call after call.
func TestTemp(t *testing.T) {
	machine := inTmp(t, map[string]string{"f": "the machine's\n"})
	call, dir := world(t, config.Exec{})
	onlyNamespaces(t, call)
	for _, c := range []struct {
		command, output string
		warns           bool
	}{
		{"echo one > /tmp/x; ln -s " + dir + "/f /tmp/link; ls f", "f\n", false},
		{"cat /tmp/x", "one\n", false},
		{"cat " + machine + "/f 2> /dev/null || echo none", "none\n", true},
		{"mkdir -p " + machine + "; echo own > " + machine + "/f; cat " + machine + "/f", "own\n", true},
		// Reading outside opens nothing that is written.
		{"cat /etc/hostname > " + machine + "/g; cat " + machine + "/f", "own\n", true},
		{"echo /var" + machine + "/f", "/var" + machine + "/f\n", false},
	} {
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte("f\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		before := len(call.Warnings())
		if _, result := ran(t, call, c.command); result.Output != c.output || len(call.Warnings()) > before != c.warns {
			t.Errorf("%s: %q, %v", c.command, result.Output, call.Warnings())
		}
	}
	if text, err := os.ReadFile(filepath.Join(machine, "f")); err != nil || string(text) != "the machine's\n" {
		t.Errorf("the machine's file is %q, %v", text, err)
	}
	if _, err := os.Lstat(filepath.Join(machine, "g")); err == nil {
		t.Error("a file was made on the machine")
	}
	// A link that an earlier command left leads where it leads.
	if _, r := judged(t, call, Args{Command: "echo x > /tmp/link"}); len(r.verdict.Written) != 1 || r.verdict.Written[0] != dir+"/f" {
		t.Errorf("it writes %v", r.verdict.Written)
	}
	// A decision is bound to the file that the command will see.
	pin := func() string {
		_, r := judged(t, call, Args{Command: "sh /tmp/x"})
		_, files, err := r.pin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Path == "/tmp/x" {
				return f.SHA
			}
		}
		return ""
	}
	before := pin()
	ran(t, call, "echo another > /tmp/x")
	if after := pin(); before == "" || before == after {
		t.Errorf("%q, %q", before, after)
	}
}

// TestBelowTmp opens what settings, tool chains and the person's home have below /tmp. Of
// the home it is all only where the settings say so.
func TestBelowTmp(t *testing.T) {
	for reads, want := range map[string]string{"all": "h\n", "home": "none\n"} {
		t.Run(reads, func(t *testing.T) { belowTmp(t, reads, want) })
	}
}

func belowTmp(t *testing.T, reads, ofHome string) {
	machine := inTmp(t, map[string]string{
		"readable/f": "r\n", "writable/f": "w\n", "go/pkg/mod/f": "m\n", "venv/bin/tool": "#!/bin/sh\ncat ${0%/*}/../lib/f\n", "venv/lib/f": "v\n",
		"home/f": "h\n", "home/.ssh/id": "secret\n", "other/f": "o\n",
	})
	call, _ := world(t, config.Exec{Reads: reads, Readable: []string{machine + "/readable"}, Writable: []string{machine + "/writable"}})
	onlyNamespaces(t, call)
	m, err := call.Env.Machine()
	if err != nil {
		t.Fatal(err)
	}
	m.Home = machine + "/home"
	m.Environ = append(m.Environ, "GOPATH="+machine+"/go", "PATH="+machine+"/venv/bin:"+os.Getenv("PATH"))
	for command, want := range map[string]string{
		"cat readable/f": "r\n", "cat writable/f && echo x > writable/f && cat writable/f": "w\nx\n", "cat go/pkg/mod/f": "m\n", "tool": "v\n",
		"cat home/f 2> /dev/null || echo none": ofHome, "cat home/.ssh/id 2> /dev/null || echo none": "none\n", "cat other/f 2> /dev/null || echo none": "none\n",
		"echo x 2> /dev/null > readable/f || echo refused": "refused\n",
	} {
		j, r := judged(t, call, Args{Command: "cd " + machine + " && " + command, Timeout: 60, MaxOutput: 10000})
		call.Judgement = j
		result, err := execute(t.Context(), call, r)
		if err != nil || result.Output != want {
			t.Errorf("%s: %q, %v", command, result.Output, err)
		}
	}
	if j, _ := judged(t, call, Args{Command: "cat " + machine + "/other/f"}); j.Risk != policy.Read || strings.Contains(strings.Join(j.Flags, " "), "outside") {
		t.Errorf("%+v", j)
	}
}

// TestBesideWorkspace refuses what would be written beside a workspace below /tmp and be
// gone afterwards, unless the machine's directory is opened for it.
func TestBesideWorkspace(t *testing.T) {
	call, dir := world(t, config.Exec{Sandbox: "namespaces"})
	other := t.TempDir()
	for command, lost := range map[string]bool{
		"echo > ../o2": true, "echo > ../../o2": true, "echo > " + other + "/new": false, "echo > x": false, "echo > /tmp/x": false,
	} {
		j, r := judged(t, call, Args{Command: command})
		if r.Kind != sandbox.Namespaces || !strings.HasPrefix(dir, "/tmp/") {
			t.Skip("no /tmp of its own")
		}
		if outside := strings.Contains(command, "o2") || strings.Contains(command, other); outside != (j.Risk == policy.Destructive) {
			t.Errorf("%s is %s", command, j.Risk)
		}
		if err := r.lost(); (err != nil) != lost {
			t.Errorf("%s: %v", command, err)
		}
	}
}
