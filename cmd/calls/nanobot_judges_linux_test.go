package calls_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// nanobotCalls are made by nanobot's own tools and by ours, one after the other.
var nanobotCalls = []struct {
	tool, arguments string
	differs         string // why our answer is another; "" if it is the same
}{
	{"write_file", `{"path":"a.txt","content":"one\ntwo\n"}`, ""},
	{"write_file", `{"path":"new/dir/é.txt","content":"été"}`, ""},
	{"write_file", `{"path":"$ROOT/abs.txt","content":""}`, ""},
	{"read_file", `{"path":"a.txt"}`, ""},
	{"read_file", `{"path":"new/dir/é.txt"}`, ""},
	{"read_file", `{"path":"abs.txt"}`, ""},
	{"read_file", `{"path":"none.txt"}`, ""},
	{"read_file", `{"path":"new"}`, ""},
	{"read_file", `{"path":"../outside.txt"}`, ""},
	{"read_file", `{"path":"/etc/hostname"}`, ""},
	{"write_file", `{"path":"../outside.txt","content":"x"}`, ""},
	{"edit_file", `{"path":"a.txt","old_text":"two","new_text":"zwei"}`, ""},
	{"read_file", `{"path":"a.txt"}`, ""},
	{"edit_file", `{"path":"a.txt","old_text":"three","new_text":"drei"}`, ""},
	{"edit_file", `{"path":"a.txt","old_text":"e","new_text":"E"}`, "the words are those of its documentation, which end earlier"},
	{"edit_file", `{"path":"none.txt","old_text":"e","new_text":"E"}`, ""},
	{"edit_file", `{"path":"a.txt","old_text":"one\n","new_text":""}`, ""},
	{"read_file", `{"path":"a.txt"}`, ""},
	{"list_dir", `{"path":"."}`, ""},
	{"list_dir", `{"path":"new"}`, ""},
	{"list_dir", `{"path":"none"}`, ""},
	{"list_dir", `{"path":"a.txt"}`, ""},
	{"list_dir", `{"path":".."}`, ""},
	{"exec", `{"command":"echo out"}`, ""},
	{"exec", `{"command":"cat a.txt | tr a-z A-Z"}`, ""},
	{"exec", `{"command":"shutdown -h now"}`, ""},
	{"read_file", `{"path":"a.txt/b"}`, ""},
	{"exec", `{"command":"echo out; echo err >&2"}`, ""},
	{"exec", `{"command":"echo err >&2; exit 3"}`, ""},
	{"exec", `{"command":"true"}`, ""},
	{"exec", `{"command":"false"}`, ""},
	{"exec", `{"command":"mkdir made && ls"}`, ""},
	{"exec", `{"command":"pwd","working_dir":"$ROOT/new"}`, ""},
	{"exec", `{"command":"rm -rf made"}`, ""},
	{"exec", `{"command":"dd if=/dev/zero of=x"}`, ""},
	{"exec", `{"command":"mkfs.ext4 x"}`, ""},
	{"exec", `{"command":"sudo reboot"}`, ""},
	{"exec", `{"command":":() { :|:& }; :"}`, ""},
	{"exec", `{"command":"cat ../outside.txt"}`, ""},
	{"list_dir", `{"path":"."}`, ""},
	{"no_such_tool", `{}`, "ours names those that there are"},
}

// TestNanobotTools compares what the profile nanobot answers with what nanobot's own tools do
// in an equal directory.
func TestNanobotTools(t *testing.T) {
	t.Parallel()
	python, peers := os.Getenv("HELVE_PYTHON"), os.Getenv("HELVE_PEERS")
	if python == "" || peers == "" {
		t.Skip("no nanobot")
	}
	ours, theirs := cmdtest.Workspace(t), t.TempDir()
	for _, dir := range []string{ours, theirs} {
		if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var task struct {
		Root  string               `json:"root"`
		Calls [][2]json.RawMessage `json:"calls"`
	}
	task.Root = theirs
	for _, c := range nanobotCalls {
		name, err := json.Marshal(c.tool)
		if err != nil {
			t.Fatal(err)
		}
		task.Calls = append(task.Calls, [2]json.RawMessage{name, json.RawMessage(strings.ReplaceAll(c.arguments, "$ROOT", theirs))})
	}
	input, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	judge := exec.Command(python, filepath.Join("..", "..", "scripts", "judges", "nanobot.py"))
	judge.Stdin, judge.Stderr = bytes.NewReader(input), os.Stderr
	out, err := judge.Output()
	var answers []string
	if err == nil {
		err = json.Unmarshal(out, &answers)
	}
	if err != nil || len(answers) != len(nanobotCalls) {
		t.Fatalf("%v\n%s", err, out)
	}
	var agree int
	for i, c := range nanobotCalls {
		mine := printsOf(t, ours, "", "--as", "nanobot", c.tool, strings.ReplaceAll(c.arguments, "$ROOT", ours), "-o", "text")
		mine = strings.TrimRight(strings.ReplaceAll(mine, ours, "$ROOT"), "\n")
		other := strings.TrimRight(strings.ReplaceAll(answers[i], theirs, "$ROOT"), "\n")
		switch {
		case mine == other:
			agree++
		case c.differs == "":
			t.Errorf("%s %s:\nours:\n%s\ntheirs:\n%s", c.tool, c.arguments, mine, other)
		}
	}
	t.Logf("%d of %d answers are nanobot's", agree, len(nanobotCalls))
	if agree*100 < len(nanobotCalls)*95 {
		t.Errorf("only %d of %d answers are nanobot's", agree, len(nanobotCalls))
	}
}
