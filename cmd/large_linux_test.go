package cmd_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// megabyte is lines of text, all of which occur once in each megabyte.
func megabyte() string {
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "line %05d of a file that is too large for memory\r\n", i)
	}
	return b.String()[:1<<20-2] + "\r\n"
}

// tall makes a file of so many megabytes, between a first and a last line.
func tall(t *testing.T, dir string, megabytes int) (file string) {
	t.Helper()
	file = filepath.Join(dir, "tall.log")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	one := megabyte()
	_, err = f.WriteString("the first line\r\n")
	for range megabytes {
		_, more := f.WriteString(one)
		err = errors.Join(err, more)
	}
	_, more := f.WriteString("the last line\r\n")
	if err := errors.Join(err, more, f.Chmod(0o750), f.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

// sumOf hashes a file, which has its mode still.
func sumOf(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Mode() != 0o750 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// ends returns the first and the last bytes of a file.
func ends(t *testing.T, file string, first, last int64) (string, string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]byte, first), make([]byte, last)
	_, err1 := f.ReadAt(a, 0)
	_, err2 := f.ReadAt(b, info.Size()-last)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return string(a), string(b)
}

// peakOf returns the most memory of a process, in KiB, by its status.
func peakOf(t *testing.T, status string) int {
	t.Helper()
	_, rest, _ := strings.Cut(status, "VmHWM:")
	kilobytes := 0
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil || kilobytes == 0 {
		t.Fatalf("%v: %q", err, status)
	}
	return kilobytes
}

// A file that is too large for memory is appended to, edited, overwritten, and all of it
// undone and redone, in processes of bounded memory.
func TestLargeFile(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	file := tall(t, dir, 70)
	most, status := 0, filepath.Join(t.TempDir(), "status")
	run := func(tool, args string) cmdtest.Answer {
		t.Helper()
		c := cmdtest.Helve(dir, tool, args)
		c.Env = append(c.Environ(), peakFile+"="+status)
		a, _ := cmdtest.Call(t, c)
		text, err := os.ReadFile(status)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, peakOf(t, string(text)))
		return a
	}
	must := func(tool, args string) cmdtest.Answer {
		t.Helper()
		a := run(tool, args)
		if !a.OK {
			t.Fatalf("%s %.100s: %+v", tool, args, a.Error)
		}
		return a
	}
	sums := []string{sumOf(t, file)}
	changes := []struct{ tool, args string }{
		{"write", `{"path":"tall.log","content":"more\nand more","mode":"append"}`},
		{"edit", `{"path":"tall.log","old_text":"the first line\nline 00000 ","new_text":"the very first line\nanother\nline 00000 "}`},
		{"edit", `{"path":"tall.log","old_text":"line 00007 of","new_text":"LINE 7 of","replace_all":true,"expected_replacements":70}`},
		{"edit", `{"path":"tall.log","edits":[{"old_text":"and more\n","new_text":""},{"old_text":"the very first","new_text":"the first"}]}`},
		{"write", `{"path":"tall.log","content":"all\n","allow_shrink":true}`},
	}
	for i, c := range changes {
		a := must(c.tool, c.args)
		if a.Data["undo_id"] == nil {
			t.Errorf("%s: %+v", c.args, a.Data)
		}
		sum := sumOf(t, file)
		if sum == sums[len(sums)-1] || a.Data["sha"] != sum[:16] || a.Data["sha_before"] != sums[i][:16] {
			t.Errorf("%s: %v after %v; it is %s", c.args, a.Data["sha"], a.Data["sha_before"], sum)
		}
		sums = append(sums, sum)
		text, err := json.Marshal(a.Data)
		if err != nil || len(text) > 16_000 {
			t.Errorf("%s: the result has %d bytes, %v", c.args, len(text), err)
		}
		if i == 1 {
			first, last := ends(t, file, 45, 16)
			if first != "the very first line\r\nanother\r\nline 00000 of a" || last != "more\r\nand more\r\n" {
				t.Errorf("it begins with %q and ends with %q", first, last)
			}
		}
		if i == 4 {
			if first, last := ends(t, file, 3, 5); first != "all" || last != "all\r\n" {
				t.Errorf("it is %q %q", first, last)
			}
		}
	}
	var redo []string
	for i, c := range slices.Backward(changes) {
		redo = append(redo, must("undo", `{}`).Data["redo_id"].(string))
		if got := sumOf(t, file); got != sums[i] {
			t.Fatalf("undoing %s: %s", c.args, got)
		}
	}
	for i := range changes {
		must("undo", `{"id":"`+redo[len(redo)-1-i]+`"}`)
		if got := sumOf(t, file); got != sums[i+1] {
			t.Fatalf("redoing %s: %s", changes[i].args, got)
		}
	}
	t.Logf("at most %d KiB", most)
	if most > 64_000 && !raced {
		t.Errorf("a call took %d KiB", most)
	}
}

// What cannot be done in a large file is refused with what to do, and changes nothing.
func TestLargeFileRefused(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	file := tall(t, dir, 33)
	was := sumOf(t, file)
	if err := os.WriteFile(filepath.Join(dir, "utf16"), append([]byte("\xff\xfe"), strings.Repeat("x\x00\n\x00", 9<<20)...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "binary"), make([]byte, 33<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ tool, args, code, hint string }{
		{"edit", `{"path":"tall.log","old_text":"the   first line","new_text":"x"}`, "text_not_found", "grep"},
		{"edit", `{"path":"tall.log","old_text":"line 00007 of","new_text":"x"}`, "text_ambiguous", "occurrence"},
		{"edit", `{"path":"tall.log","old_text":"line 00007 of","new_text":"x","occurrence":34}`, "out_of_range", ""},
		{"edit", `{"path":"tall.log","old_text":"the last line","new_text":"x","line_hint":3}`, "out_of_range", "line_hint"},
		{"edit", `{"path":"tall.log","old_text":"the last line","new_text":"the last line"}`, "no_change", "differs"},
		{"edit", `{"path":"tall.log","edits":[{"old_text":"the last line","new_text":"x","after":"7"}]}`, "too_large", "occurrence"},
		{"edit", `{"path":"tall.log","accept":"c1:0123456789abcdef:1-1","new_text":"x"}`, "too_large", "exactly"},
		{"edit", `{"path":"tall.log","old_text":"the last line","new_text":"x","expect_sha":"0123456789abcdef"}`, "stale", "read it again"},
		{"edit", `{"path":"tall.log","edits":[{"old_text":"the last","new_text":"x"},{"old_text":"last line","new_text":"y"}]}`, "overlap", "combine"},
		{"write", `{"path":"tall.log","content":"x","mode":"create"}`, "already_exists", "overwrite"},
		{"write", `{"path":"tall.log","content":"x"}`, "shrink", "allow_shrink"},
		{"write", `{"path":"tall.log","content":"x","mode":"append","expect_sha":"0123456789abcdef"}`, "stale", "read it again"},
		{"edit", `{"path":"utf16","old_text":"x","new_text":"y","occurrence":1}`, "encoding_unsupported", "iconv"},
		{"write", `{"path":"utf16","content":"y","mode":"append"}`, "encoding_unsupported", "exact"},
		{"write", `{"path":"binary","content":"y","mode":"append"}`, "binary_file", "exact"},
		{"patch", `{"path":"tall.log","patch":"@@\n-the last line\n+x\n"}`, "too_large", "edit"},
	} {
		a, _ := cmdtest.Call(t, cmdtest.Helve(dir, tt.tool, tt.args))
		if a.OK || a.Error.Code != tt.code || !strings.Contains(a.Error.Hint, tt.hint) {
			t.Errorf("%s %s: %+v", tt.tool, tt.args, a)
		}
	}
	if got := sumOf(t, file); got != was {
		t.Error("it has changed")
	}
	// Another program changed it since it was read.
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "read", `{"path":"tall.log","limit":1}`)); !a.OK {
		t.Fatalf("%+v", a)
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte("THE"), 0)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "write", `{"path":"tall.log","content":"x","allow_shrink":true}`)); a.Error.Code != "stale" {
		t.Errorf("%+v", a)
	}
}

// The names, links and modes of a large file are kept as those of a small one.
func TestLargeFileNames(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	file := tall(t, dir, 33)
	other := filepath.Join(dir, "other")
	if err := errors.Join(os.Link(file, other), os.Symlink("tall.log", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	sums := []string{sumOf(t, file)}
	calls := []struct{ tool, args string }{
		{"write", `{"path":"link","content":"more\n","mode":"append"}`},
		{"edit", `{"path":"link","old_text":"the last line","new_text":"no line"}`},
		{"write", `{"path":"link","content":"all\n","allow_shrink":true}`},
	}
	same := func() string {
		t.Helper()
		a, err1 := os.Stat(file)
		b, err2 := os.Stat(other)
		if err := errors.Join(err1, err2); err != nil || !os.SameFile(a, b) {
			t.Errorf("they are two files now: %v", err)
		}
		return sumOf(t, other)
	}
	for _, c := range calls {
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, c.tool, c.args)); !a.OK {
			t.Fatalf("%s: %+v", c.args, a)
		}
		sums = append(sums, same())
	}
	for i := range calls {
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo")); !a.OK {
			t.Fatalf("%d: %+v", i, a)
		}
		if got := same(); got != sums[len(calls)-1-i] {
			t.Errorf("undo %d: %s of %v", i, got, sums)
		}
	}
	if target, err := os.Readlink(filepath.Join(dir, "link")); err != nil || target != "tall.log" {
		t.Errorf("%q %v", target, err)
	}
}

// A call on a large file is killed on entry to each system call that changes a name or the
// end of a file. The next call finds the old bytes or the new ones, and git nothing else.
func TestLargeFileKilled(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace")
	}
	if testing.Short() {
		t.Skip("takes a process for every system call")
	}
	program, err := exec.LookPath("helve")
	if err != nil {
		t.Fatal(err)
	}
	const calls = "renameat,renameat2,linkat,ftruncate,utimensat,unlinkat"
	for what, args := range map[string][]string{
		"append":    {"write", `{"path":"tall.log","content":"more\n","mode":"append"}`},
		"edit":      {"edit", `{"path":"tall.log","old_text":"the last line","new_text":"no line"}`},
		"overwrite": {"write", `{"path":"tall.log","content":"all\n","allow_shrink":true}`},
	} {
		t.Run(what, func(t *testing.T) {
			dir := here(t, cmdtest.Workspace(t))
			file := tall(t, dir, 33)
			before := sumOf(t, file)
			if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, args...)); !a.OK {
				t.Fatalf("%+v", a)
			}
			after := sumOf(t, file)
			if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo")); !a.OK || sumOf(t, file) != before {
				t.Fatalf("%+v", a)
			}
			seen := map[string]int{}
			for n := 1; ; n++ {
				c := exec.Command(strace, append([]string{"-f", "-qq", "-o", os.DevNull, "-e", "trace=" + calls, "-e", "inject=" + calls + ":signal=KILL:when=" + strconv.Itoa(n), program}, args...)...)
				c.Dir = dir
				out, err := c.CombinedOutput()
				var exit *exec.ExitError
				if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != -1) {
					t.Skipf("cannot trace: %v: %s", err, out)
				}
				names, listErr := os.ReadDir(dir)
				if listErr != nil || len(names) > 2 || len(names) == 2 && names[0].Name() != "beside" {
					t.Errorf("killed at call %d there are %v, %v", n, names, listErr)
				}
				if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "write", `{"path":"beside","content":"`+strconv.Itoa(n)+`"}`)); !a.OK {
					t.Fatalf("killed at call %d: %+v", n, a)
				}
				switch got := sumOf(t, file); got {
				case before:
					seen["old"]++
				case after:
					seen["new"]++
					if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo", `{"path":"tall.log"}`)); !a.OK || sumOf(t, file) != before {
						t.Fatalf("killed at call %d: %+v", n, a)
					}
				default:
					t.Fatalf("killed at call %d, it is neither old nor new", n)
				}
				if err == nil {
					break
				}
			}
			if seen["old"] == 0 || seen["new"] == 0 {
				t.Errorf("seen %v", seen)
			}
		})
	}
}
