package history_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// shellServer is a server whose tools run what they are given in a shell. One of them says
// that it only reads.
const shellServer = `import json, subprocess, sys
def answer(id, result): print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
schema = {"type": "object", "properties": {"script": {"type": "string"}}}
tools = [{"name": name, "description": "Runs.", "inputSchema": schema, "annotations": {"readOnlyHint": name == "look"}} for name in ("work", "look")]
for line in sys.stdin:
    call = json.loads(line)
    if call["method"] == "initialize":
        answer(call["id"], {"protocolVersion": call["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "shell", "version": "1"}})
    elif call["method"] == "tools/list":
        answer(call["id"], {"tools": tools})
    elif call["method"] == "tools/call":
        run = subprocess.run(["sh", "-c", call["params"]["arguments"]["script"]], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        answer(call["id"], {"content": [{"type": "text", "text": run.stdout + run.stderr}], "isError": run.returncode != 0})
    elif "id" in call:
        print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32601, "message": "no such method"}}), flush=True)
`

// imports makes a workspace with a few files, and takes in the tools of shellServer. With
// trust hints, what it says of them counts.
func imports(t *testing.T, kind string) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	dir = files(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"exec":{"sandbox":"`+kind+`"},"rules":[{"tool":"shell_work","decision":"allow"},{"tool":"shell_look","decision":"allow"}]}`)
	server := cmdtest.Put(t, dir, "server.py", shellServer)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "tools", "import", "shell", "--trust", "hints", "--", "python3", server)); !a.OK {
		if a.Error.Code == "sandbox_unavailable" {
			t.Skip("no " + kind)
		}
		t.Fatalf("%+v", a)
	}
	return dir
}

func script(t *testing.T, text string) string {
	t.Helper()
	args, err := json.Marshal(map[string]string{"script": text})
	if err != nil {
		t.Fatal(err)
	}
	return string(args)
}

// TestImportedUndo undoes what tools of other servers do, like what commands do.
func TestImportedUndo(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"namespaces", "landlock"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := imports(t, kind)
			before := shown(t, dir)
			for _, work := range []string{
				"echo more >> a; mv b d; chmod 700 c; mkdir -p n/m; ln -s ../a n/l; echo x > n/m/x", "echo half > a; rm -r b server.py; exit 1",
			} {
				a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "shell_work", script(t, work)))
				said := a.Data
				if !a.OK {
					said = a.Error.Details
				}
				id, _ := said["undo_id"].(string)
				if id == "" || said["changes"] == nil {
					t.Fatalf("%s: %+v", work, a)
				}
				if cmp.Equal(before, shown(t, dir)) {
					t.Errorf("%s changes nothing", work)
				}
				if u, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "undo", "--id", id)); !u.OK {
					t.Errorf("%s: %+v", work, u)
				}
				if d := cmp.Diff(before, shown(t, dir)); d != "" {
					t.Fatalf("%s: %s", work, d)
				}
			}
			if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "shell_look", script(t, "cat a; echo over > a"))); a.Data["undo_id"] != nil || a.Data["changes"] != nil {
				t.Errorf("%+v", a)
			}
			if d := cmp.Diff(before, shown(t, dir)); d != "" {
				t.Errorf("a tool that only reads changed %s", d)
			}
		})
	}
}

// TestKilledImported kills helve while a tool of another server works: the next call records
// what it did.
func TestKilledImported(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"namespaces", "landlock"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := imports(t, kind)
			before := shown(t, dir)
			c := cmdtest.Person(t, dir, "shell_work", script(t, "echo more >> a; rm b; mv c d; mkdir n; echo > n/ready; sleep 68.5; echo > n/late"))
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			cmdtest.Eventually(t, "it is at work", func() bool {
				ready, _ := filepath.Glob(filepath.Join(dir, "n", "ready")) // the pattern is valid
				return len(ready) > 0
			})
			kill(t, c)
			if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "undo")); !a.OK || len(a.Warnings) == 0 {
				t.Errorf("%+v", a)
			}
			if d := cmp.Diff(before, shown(t, dir)); d != "" {
				t.Error(d)
			}
		})
	}
}
