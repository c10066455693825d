package cmd_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// Editing processes wait for each other: no edit is lost.
func TestConcurrentEdits(t *testing.T) {
	t.Parallel()
	const processes = 50
	dir := cmdtest.Workspace(t)
	var was, want strings.Builder
	for i := range processes {
		fmt.Fprintf(&was, "line %02d is old\n", i)
		fmt.Fprintf(&want, "line %02d is new\n", i)
	}
	file := cmdtest.Put(t, dir, "f.txt", was.String())
	var group sync.WaitGroup
	for i := range processes {
		group.Go(func() {
			args := fmt.Sprintf(`{"path":"f.txt","old_text":"line %02d is old","new_text":"line %02d is new"}`, i, i)
			if out, err := cmdtest.Helve(dir, "edit", args).Output(); err != nil {
				t.Errorf("%d: %v: %s", i, err, out)
			}
		})
	}
	group.Wait()
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Error(diff)
	}
}

// tree returns all files below dir with their modes.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		content := ""
		if info.Mode().IsRegular() {
			raw, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			content = string(raw)
		}
		files[filepath.ToSlash(rel)] = info.Mode().String() + " " + content
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Five changes, each by a process of its own; five undos bring the tree back
// byte for byte, with modes, and as many redos bring the changes back.
func TestUndoAndRedo(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"policy":{"undoable":"allow"}}`)
	cmdtest.Put(t, dir, "a.txt", "one\r\ntwo\nthree")
	script := cmdtest.Put(t, dir, "run.sh", "#!/bin/sh\necho hi\n")
	if err := os.Chmod(script, 0o751); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, dir, "gone.bin", "\x00\x01\xff")
	states := []map[string]string{tree(t, dir)}
	for _, args := range [][]string{
		{"write", `{"path":"new/deep/n.txt","content":"n"}`},
		{"edit", `{"path":"a.txt","old_text":"two","new_text":"2\nzwei"}`},
		{"patch", `{"patch":"*** Begin Patch\n*** Update File: run.sh\n@@\n-echo hi\n+echo ho\n*** Delete File: new/deep/n.txt\n*** Add File: x/y.txt\n+y\n*** End Patch"}`},
		{"delete", `{"path":"gone.bin"}`},
		{"move", `{"from":"run.sh","to":"bin/run.sh"}`},
		{"copy", `{"from":"bin","to":"copies/bin"}`},
	} {
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, args...)); !a.OK {
			t.Fatalf("%v: %+v", args, a.Error)
		}
		states = append(states, tree(t, dir))
	}
	var redo []string
	for i := len(states) - 2; i >= 0; i-- {
		a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo"))
		if !a.OK {
			t.Fatalf("undo: %+v", a.Error)
		}
		redo = append(redo, a.Data["redo_id"].(string))
		if diff := cmp.Diff(states[i], tree(t, dir)); diff != "" {
			t.Errorf("after undo to state %d: %s", i, diff)
		}
	}
	for i := range redo {
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo", `{"id":"`+redo[len(redo)-1-i]+`"}`)); !a.OK {
			t.Fatalf("redo: %+v", a.Error)
		}
		if diff := cmp.Diff(states[i+1], tree(t, dir)); diff != "" {
			t.Errorf("after redo to state %d: %s", i+1, diff)
		}
	}
}

// A patch of three files that is killed at any moment leaves all old or all new
// files once the next process has recovered, and undo works.
func TestKilledPatches(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no kill -9")
	}
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	dir := cmdtest.Workspace(t)
	old := strings.Repeat("context\n", 2000)
	patch := "*** Begin Patch\n"
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		cmdtest.Put(t, dir, name, "first of "+name+"\n"+old)
		patch += "*** Update File: " + name + "\n@@\n-first of " + name + "\n+changed " + name + "\n"
	}
	input, _ := json.Marshal(map[string]string{"patch": patch + "*** End Patch\n"})
	was := tree(t, dir)
	var is map[string]string
	landed := 0
	for i := range rounds {
		c := cmdtest.Helve(dir, "patch", string(input))
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		killer := time.AfterFunc(time.Duration(rand.IntN(80_000))*time.Microsecond, func() { _ = c.Process.Kill() })
		_ = c.Wait() // killed or not: the test wants both
		killer.Stop()
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "history")); !a.OK {
			t.Fatalf("history: %+v", a.Error)
		}
		now := withoutTemporaries(tree(t, dir))
		if cmp.Equal(was, now) {
			continue
		}
		if is == nil {
			is = now
			for name, content := range now {
				if !strings.Contains(content, "changed "+name) {
					t.Fatalf("round %d: %s is not the new one", i, name)
				}
			}
		}
		if diff := cmp.Diff(is, now); diff != "" {
			t.Fatalf("round %d left a mixture: %s", i, diff)
		}
		landed++
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo")); !a.OK {
			t.Fatalf("undo: %+v", a.Error)
		}
		if diff := cmp.Diff(was, withoutTemporaries(tree(t, dir))); diff != "" {
			t.Fatalf("round %d: after undo: %s", i, diff)
		}
	}
	t.Logf("%d of %d landed", landed, rounds)
}

// withoutTemporaries drops the temporary files of a killed process; a later write
// removes them.
func withoutTemporaries(files map[string]string) map[string]string {
	for name := range files {
		if strings.HasPrefix(filepath.Base(name), ".helve-") {
			delete(files, name)
		}
	}
	return files
}

// git and patch apply the diff of an edit, and the file then has the sha of the
// result.
func TestDiffsReproduceEdits(t *testing.T) {
	judge, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go")
	}
	dir := here(t, cmdtest.Workspace(t))
	t.Setenv("HELVE_ROOT", dir)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(goroot)), "src", "*", "*.go"))
	if err != nil || len(files) < 500 {
		t.Fatal(len(files), err)
	}
	done := 0
	for i := 0; i < len(files); i += 29 {
		raw, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(raw), "\n")
		if len(lines) < 20 {
			continue
		}
		name := fmt.Sprintf("f%d.go", i) // a file of its own each time: nothing is known of it
		cmdtest.Put(t, dir, name, string(raw))
		at := 5 + rand.IntN(len(lines)-12)
		args, _ := json.Marshal(map[string]any{"path": name, "edits": []map[string]any{
			{"old_text": strings.Join(lines[at:at+5], ""), "new_text": "// changed\n" + lines[at], "line_hint": at + 2},
			{"old_text": lines[0], "new_text": lines[0] + "// more\n", "occurrence": 1},
		}})
		a := inProcess(t, "edit", string(args))
		if !a.OK {
			continue // a block that is there more than once
		}
		sha := a.Data["sha"].(string)
		cmdtest.Put(t, dir, name, string(raw))
		c := exec.Command(judge, "apply", "--unsafe-paths", "-p1", "-")
		c.Dir = dir
		c.Stdin = strings.NewReader(a.Data["diff"].(string))
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", files[i], err, out)
			continue
		}
		if b := inProcess(t, "read", name); b.Data["sha"] != sha {
			t.Errorf("%s: the diff gives %v, the edit gave %s", files[i], b.Data["sha"], sha)
		}
		done++
	}
	if done < 10 {
		t.Errorf("only %d edits were judged", done)
	}
}
