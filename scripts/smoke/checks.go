package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// check is one thing that must work.
type check struct {
	name string
	do   func(world) error
}

// checks returns all, in the order in which they build on each other.
func checks(windows bool) []check {
	all := []check{
		{"write", write}, {"a new file has one name", oneName}, {"create", create}, {"read", read}, {"edit", edit}, {"ls", ls}, {"grep", grep}, {"find", find},
		{"patch", patch}, {"undo", undo}, {"move and delete", moveAndDelete}, {"schema", schema}, {"exec", execute}, {"exec argv", executeArgv},
		{"exec writes", executeWrites}, {"risk", risk},
	}
	if windows {
		all = append(all, check{"cmd gets its line as written", quotes}, check{"cmd starts nothing of its directory", bare},
			check{"what reads needs no approval", unasked})
	}
	return all
}

// tool calls a tool and decodes what it returns.
func tool[R any](w world, name, args string) (R, error) {
	var r R
	a, err := w.call(name, args)
	switch {
	case err != nil:
		return r, err
	case !a.OK:
		return r, fmt.Errorf("%s: %s", a.Error.Code, a.Error.Message)
	}
	return r, json.Unmarshal(a.Data, &r)
}

// refused calls a tool, which must fail with a code.
func refused(w world, code, name, args string) error {
	a, err := w.once(name, args)
	if err == nil && a.Error.Code != code {
		err = fmt.Errorf("code %q and not %q: %s", a.Error.Code, code, a.Error.Message)
	}
	return err
}

// holds checks the content of a file, but for line endings.
func (w world) holds(name, want string) error {
	got, err := os.ReadFile(filepath.Join(w.dir, name))
	if text := strings.ReplaceAll(string(got), "\r\n", "\n"); err == nil && text != want {
		err = fmt.Errorf("%s holds %q and not %q", name, text, want)
	}
	return err
}

func equal(what string, got, want any) error {
	if got != want {
		return fmt.Errorf("%s is %v and not %v", what, got, want)
	}
	return nil
}

func write(w world) error {
	r, err := tool[struct {
		Created bool `json:"created"`
	}](w, "write", `{"path":"src/a.txt","content":"one\ntwo\nthree\n"}`)
	if err == nil {
		err = equal("created", r.Created, true)
	}
	if err == nil {
		err = w.holds("src/a.txt", "one\ntwo\nthree\n")
	}
	return err
}

// oneName checks that no temporary file stayed behind.
func oneName(w world) error {
	entries, err := os.ReadDir(filepath.Join(w.dir, "src"))
	if err == nil && len(entries) != 1 {
		err = fmt.Errorf("%v", entries)
	}
	return err
}

func create(w world) error {
	if err := refused(w, "already_exists", "write", `{"path":"src/a.txt","content":"x","mode":"create"}`); err != nil {
		return err
	}
	return w.holds("src/a.txt", "one\ntwo\nthree\n")
}

func read(w world) error {
	r, err := tool[struct {
		Content string `json:"content"`
		Lines   int    `json:"total_lines"`
	}](w, "read", `{"path":"src/a.txt","offset":2,"limit":1}`)
	if err == nil {
		err = equal("content", strings.TrimSpace(r.Content), "two")
	}
	if err == nil {
		err = equal("total_lines", r.Lines, 3)
	}
	if err == nil {
		err = refused(w, "outside_workspace", "read", `{"path":"../home/config.json"}`)
	}
	return err
}

func edit(w world) error {
	r, err := tool[struct {
		Replacements int `json:"replacements"`
	}](w, "edit", `{"path":"src/a.txt","old_text":"two","new_text":"2"}`)
	if err == nil {
		err = equal("replacements", r.Replacements, 1)
	}
	if err == nil {
		err = w.holds("src/a.txt", "one\n2\nthree\n")
	}
	return err
}

// listed are the paths of entries, matches or files.
type listed struct {
	Entries, Matches, Files []struct{ Path string }
}

func (l listed) only(want ...string) error {
	var got []string
	for _, f := range slices.Concat(l.Entries, l.Matches, l.Files) {
		got = append(got, f.Path)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%q and not %q", got, want)
	}
	return nil
}

func ls(w world) error {
	r, err := tool[listed](w, "ls", `{"path":"src"}`)
	if err == nil {
		err = r.only("src/a.txt")
	}
	return err
}

func grep(w world) error {
	r, err := tool[listed](w, "grep", `{"pattern":"^thr[e]+$"}`)
	if err == nil {
		err = r.only("src/a.txt")
	}
	if err == nil {
		r, err = tool[listed](w, "grep", `{"pattern":"absent"}`)
	}
	if err == nil {
		err = r.only()
	}
	return err
}

func find(w world) error {
	r, err := tool[listed](w, "find", `{"query":"a.txt"}`)
	if err == nil {
		err = r.only("src/a.txt")
	}
	return err
}

func patch(w world) error {
	_, err := tool[struct{}](w, "patch", `{"patch":"--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,3 +1,3 @@\n one\n-2\n+zwei\n three\n--- /dev/null\n+++ b/src/b.txt\n@@ -0,0 +1 @@\n+new\n"}`)
	if err == nil {
		err = w.holds("src/a.txt", "one\nzwei\nthree\n")
	}
	if err == nil {
		err = w.holds("src/b.txt", "new\n")
	}
	return err
}

// undo takes back the patch and the edit before it.
func undo(w world) error {
	r, err := tool[struct {
		Undone []struct{} `json:"undone"`
	}](w, "undo", `{"steps":2}`)
	if err == nil && len(r.Undone) == 0 {
		err = fmt.Errorf("nothing was undone")
	}
	if err == nil {
		err = w.holds("src/a.txt", "one\ntwo\nthree\n")
	}
	if err == nil && w.holds("src/b.txt", "new\n") == nil {
		err = fmt.Errorf("src/b.txt is still there")
	}
	return err
}

func moveAndDelete(w world) error {
	_, err := tool[struct{}](w, "write", `{"path":"c.txt","content":"c\n"}`)
	if err == nil {
		_, err = tool[struct{}](w, "move", `{"from":"c.txt","to":"deep/d.txt"}`)
	}
	if err == nil {
		err = w.holds("deep/d.txt", "c\n")
	}
	if err == nil && w.holds("c.txt", "c\n") == nil {
		err = fmt.Errorf("c.txt is still there")
	}
	if err == nil {
		_, err = tool[struct{}](w, "delete", `{"path":"deep/d.txt"}`)
	}
	if err == nil && w.holds("deep/d.txt", "c\n") == nil {
		err = fmt.Errorf("deep/d.txt is still there")
	}
	return err
}

func schema(w world) error {
	out, err := w.output("schema", "--tools", "read,exec")
	if err != nil {
		return err
	}
	var tools []struct{ Function struct{ Name string } }
	if err := json.Unmarshal(out, &tools); err != nil {
		return err
	}
	if len(tools) != 2 || tools[0].Function.Name != "read" || tools[1].Function.Name != "exec" {
		return fmt.Errorf("%v", tools)
	}
	return nil
}

// ran is the result of exec.
type ran struct {
	ExitCode int    `json:"exit_code"`
	Output   string `json:"output"`
	Sandbox  struct {
		Tier string `json:"tier"`
	} `json:"sandbox"`
}

// line runs a command line in the shell of the system, of which each word stands for
// the other's in turn.
func line(w world, unix, cmd string) (ran, error) {
	args := map[string]string{"command": unix}
	if w.windows {
		args = map[string]string{"command": cmd, "shell": "cmd"} // Wine's PowerShell does nothing
	}
	text, err := json.Marshal(args)
	if err != nil {
		return ran{}, err
	}
	return tool[ran](w, "exec", string(text))
}

func execute(w world) error {
	r, err := line(w, "cat src/a.txt; exit 3", `type src\a.txt & exit 3`)
	if err == nil {
		err = equal("output", strings.Fields(r.Output)[1], "two")
	}
	if err == nil {
		err = equal("exit_code", r.ExitCode, 3)
	}
	if err == nil && r.Sandbox.Tier == "" {
		err = fmt.Errorf("no tier is named")
	}
	return err
}

func executeArgv(w world) error {
	args := `{"argv":["cat","src/a.txt"]}`
	if w.windows {
		args = `{"argv":["cmd","/c","type src\\a.txt"]}`
	}
	r, err := tool[ran](w, "exec", args)
	if err == nil {
		err = equal("lines", len(strings.Fields(r.Output)), 3)
	}
	return err
}

func executeWrites(w world) error {
	r, err := line(w, "printf 'x\n' > out.txt", `echo x>out.txt`)
	if err == nil {
		err = equal("exit_code", r.ExitCode, 0)
	}
	if err == nil {
		err = w.holds("out.txt", "x\n")
	}
	return err
}

func risk(w world) error {
	unix := map[string]string{"cat src/a.txt": "read", "git status": "read", "touch x": "write", "mkfs.ext4 /dev/sda1": "destructive"}
	cmd := map[string]string{`type src\a.txt`: "read", "git status": "read", "dir & ver": "read", "md x": "write", "dir & del x": "destructive", "format c:": "destructive"}
	judged := unix
	if w.windows {
		judged = cmd
	}
	for command := range judged {
		args := map[string]string{"command": command}
		if w.windows {
			args["shell"] = "cmd"
		}
		text, err := json.Marshal(args)
		if err != nil {
			return err
		}
		r, err := tool[struct {
			Risk string `json:"risk"`
		}](w, "risk", string(text))
		if err == nil {
			err = equal(command, r.Risk, judged[command])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unasked runs commands that only read, which nobody is asked about.
func unasked(w world) error {
	for _, args := range []string{`{"command":"echo hi","shell":"cmd"}`, `{"command":"dir","shell":"cmd"}`, `{"command":"echo hi"}`, `{"argv":["hostname"]}`} {
		a, err := w.once("exec", args)
		if err == nil && !a.OK {
			err = fmt.Errorf("%s: %s: %s", args, a.Error.Code, a.Error.Message)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func quotes(w world) error {
	r, err := line(w, "", `echo "a b" "c" \d`)
	if err == nil {
		err = equal("output", strings.TrimSpace(r.Output), `"a b" "c" \d`)
	}
	return err
}

// bare looks at the variable that keeps cmd from starting a file of its directory for
// a bare name. Wine's cmd does not obey it.
func bare(w world) error {
	r, err := line(w, "", `echo %NoDefaultCurrentDirectoryInExePath%`)
	if err == nil {
		err = equal("output", strings.TrimSpace(r.Output), "1")
	}
	return err
}
