package history_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// A byte of a message is changed on the disk: everybody who reads it is told, the others are
// not, and repair saves the rest and names the message.
func TestStoreDamaged(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	var ids []string
	for _, content := range []string{"the first", "the second", "the third"} {
		a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "message", "--channel", "cli", "--to", "me", content))
		if !a.OK {
			t.Fatalf("message: %+v", a.Error)
		}
		ids = append(ids, a.Data["id"].(string))
	}
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "store", "check"))
	path, _ := a.Data["path"].(string)
	if !a.OK || a.Data["engine"] != "bolt" || a.Data["messages"] != 3.0 || a.Data["streams"] != 1.0 || a.Data["damage"] != nil {
		t.Fatalf("check: %+v", a)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := bytes.ReplaceAll(data, []byte("the second"), []byte("the Second")) // stale pages have it too
	if err := os.WriteFile(path, spoiled, 0o600); err != nil {
		t.Fatal(err)
	}

	a, exit := cmdtest.Call(t, cmdtest.Helve(dir, "store", "check"))
	if exit != 1 || a.Error.Code != "bad_document" || !strings.Contains(a.Error.Hint, "--repair") {
		t.Errorf("check of a damaged store: %d, %+v", exit, a.Error)
	}
	for _, args := range [][]string{{"store", "export"}, {"store", "compact"}} {
		if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, args...)); exit != 1 || a.Error.Code != "bad_document" || !strings.Contains(a.Error.Hint, "helve store check") {
			t.Errorf("%v of a damaged store: %d, %+v", args, exit, a.Error)
		}
	}
	if a, exit := cmdtest.Call(t, cmdtest.Helve(dir, "--readonly", "store", "check", "--repair")); exit != 3 {
		t.Errorf("repair by a read-only run: %d, %+v", exit, a)
	}
	a, _ = cmdtest.Call(t, cmdtest.Person(t, dir, "store", "check", "--repair"))
	lost, _ := a.Data["lost"].([]any)
	if !a.OK || len(a.Warnings) != 1 || a.Data["messages"] != 2.0 || len(lost) != 1 || lost[0].(map[string]any)["name"] != "messages/"+ids[1] {
		t.Errorf("repair: %+v, want %s to be lost", a, ids[1])
	}
	kept, err := os.ReadFile(a.Data["kept"].(string))
	if err != nil || !bytes.Equal(kept, spoiled) {
		t.Errorf("the file that was kept is another one: %v", err)
	}

	a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "store", "export"))
	var left []string
	for _, e := range a.Data["entries"].([]any) {
		if e := e.(map[string]any); e["kind"] == "message" {
			left = append(left, e["id"].(string))
		}
	}
	if strings.Join(left, " ") != ids[0]+" "+ids[2] {
		t.Errorf("left are %v of %v", left, ids)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "store", "compact")); !a.OK || a.Data["messages"] != 2.0 {
		t.Errorf("compact: %+v", a)
	}
}
