package cmd_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// scale returns the size of a tree or file of these tests: with HELVE_HUGE as large
// as anybody has them, else just large enough to take the same code paths.
func scale(huge, usual int) int {
	if os.Getenv("HELVE_HUGE") != "" {
		return huge
	}
	return usual
}

// fill writes a file that may be large.
func fill(t *testing.T, dir, name string, write func(w *bufio.Writer)) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	write(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// mostMemory limits the memory of a search beyond that of a call that does nothing,
// in MiB.
const mostMemory = 48

// bounded runs a call and fails if it takes much more memory than one that does
// nothing.
func bounded(t *testing.T, dir string, args ...string) cmdtest.Answer {
	t.Helper()
	idle := cmdtest.Helve(dir, "time")
	cmdtest.Call(t, idle)
	c := cmdtest.Helve(dir, args...)
	a, _ := cmdtest.Call(t, c)
	if more := resident(c.ProcessState) - resident(idle.ProcessState); more > mostMemory<<20 {
		t.Errorf("%v: %d MiB more than a call that does nothing", args, more>>20)
	}
	return a
}

// line returns the one line that a search found.
func line(t *testing.T, a cmdtest.Answer) (path string, number int, text string) {
	t.Helper()
	files, _ := a.Data["files"].([]any)
	if len(files) != 1 {
		t.Fatalf("%+v", a)
	}
	f := files[0].(map[string]any)
	lines := f["lines"].([]any)
	if len(lines) != 1 {
		t.Fatalf("%+v", f)
	}
	l := lines[0].(map[string]any)
	return f["path"].(string), int(l["line"].(float64)), l["text"].(string)
}

// TestSearchLargeLog finds the one match in a large log: 1 GB of it with
// HELVE_HUGE.
func TestSearchLargeLog(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	lines := scale(12_000_000, 500_000)
	fill(t, dir, "log", func(w *bufio.Writer) {
		for i := range lines {
			if i == lines*4/5 {
				_, _ = fmt.Fprintln(w, "here is the needle") // fill checks Flush, which returns the first error
				continue
			}
			_, _ = fmt.Fprintf(w, "%08d a line of a log that has about ninety bytes, none of which is of interest to anyone\n", i) // as above
		}
	})
	for _, pattern := range []string{`"needle"`, `"NEEDLE","ignore_case":true`, `"n\\w{4}e$"`, `"[m-o]e{2}[a-f]le"`} {
		path, number, text := line(t, bounded(t, dir, "grep", `{"context":0,"pattern":`+pattern+`}`))
		if path != "log" || number != lines*4/5+1 || text != "here is the needle" {
			t.Errorf("%s: %s:%d:%s", pattern, path, number, text)
		}
	}
}

// TestSearchLargeLine finds the one match in a minified file, 300 MB with
// HELVE_HUGE, and shows the text around it.
func TestSearchLargeLine(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	items := scale(7_000_000, 400_000)
	fill(t, dir, "data.json", func(w *bufio.Writer) {
		_, _ = w.WriteString(`{"items":[`) // fill checks Flush, which returns the first error
		for i := range items {
			_, _ = fmt.Fprintf(w, `{"id":%d,"name":"an item of a list"},`, i) // as above
			if i == items*2/3 {
				_, _ = w.WriteString(`{"needle":1},`) // as above
			}
		}
		_, _ = w.WriteString("0]}") // as above
	})
	for _, pattern := range []string{`"needle"`, `"NEEDLE","ignore_case":true`, `"n\\w{4}e\""`, `"[m-o]e{2}[a-f]le"`} {
		path, number, text := line(t, bounded(t, dir, "grep", `{"pattern":`+pattern+`,"context":2}`))
		if path != "data.json" || number != 1 || len(text) > 500 || !strings.Contains(text, fmt.Sprintf(`"id":%d,`, items*2/3)) || !strings.Contains(text, "needle") {
			t.Errorf("%s: %s:%d: %d bytes: %.600s", pattern, path, number, len(text), text)
		}
	}
}

// TestSearchManyFiles searches a tree of many small files, 200,000 with HELVE_HUGE,
// and checks that a limit ends the work.
func TestSearchManyFiles(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	dirs := scale(200, 6)
	for i := range dirs {
		sub := filepath.Join(dir, fmt.Sprintf("d%03d", i))
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		for j := range 1000 {
			cmdtest.Put(t, sub, fmt.Sprintf("f%04d", j), "some text\nfoo\n")
		}
	}
	all := bounded(t, dir, "grep", `{"pattern":"foo","limit":1,"total":true}`)
	one := bounded(t, dir, "grep", `{"pattern":"foo","limit":1}`)
	files := float64(dirs * 1000)
	if all.Data["total_matches"] != files || all.Data["files_searched"] != files || all.Data["total_exact"] != true {
		t.Errorf("%+v", all)
	}
	// How many more are searched before the limit ends it is up to the scheduler.
	if one.Data["files_searched"].(float64) >= files || one.Data["truncated"] != true || one.Data["total_exact"] != false {
		t.Errorf("one of them: %+v", one)
	}
	if diff := cmp.Diff(all.Data["files"], one.Data["files"]); diff != "" {
		t.Error(diff)
	}
	if a := bounded(t, dir, "find", `{"query":"f0007","limit":10000}`); a.Data["total"] != float64(dirs) {
		t.Errorf("%+v", a)
	}
	if a := bounded(t, dir, "find", `{"query":"d","limit":1}`); a.Data["total"].(float64) > float64(dirs) || a.Data["truncated"] != true {
		t.Errorf("%+v", a)
	}
	if a := bounded(t, dir, "ls", `{"depth":2,"limit":10}`); len(a.Data["entries"].([]any)) != 10 || a.Data["truncated"] != true {
		t.Errorf("%+v", a)
	}
}

// TestSearchChangingTree searches while processes write and remove files: files
// that stay are found each time, and nothing fails.
func TestSearchChangingTree(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	t.Setenv("HELVE_ROOT", dir)
	for _, sub := range []string{"stays", "comes"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		cmdtest.Put(t, filepath.Join(dir, "stays"), fmt.Sprint(i), "needle\n")
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			name := filepath.Join(dir, "comes", fmt.Sprint(i%20), "deeper")
			_ = os.MkdirAll(name, 0o755)                                                                           // one that fails is made the next time
			_ = os.WriteFile(filepath.Join(name, "f"), []byte(strings.Repeat("needle\n", i%1000)), 0o644)          // as above
			_ = os.WriteFile(filepath.Join(dir, "comes", ".gitignore"), []byte(fmt.Sprintln(i%20)), 0o644)         // as above
			_ = os.Truncate(filepath.Join(dir, "comes", "log"), int64(i*7919%9_000_000))                           // as above
			_ = os.WriteFile(filepath.Join(dir, "comes", "log"), []byte(strings.Repeat("x\n", i*37%2_000)), 0o644) // as above
			_ = os.RemoveAll(filepath.Join(dir, "comes", fmt.Sprint((i+10)%20)))                                   // as above
		}
	}()
	for i := range 40 {
		for _, c := range []struct{ tool, args, total string }{
			{"grep", `{"pattern":"needle","mode":"files","glob":"stays/*","limit":1000}`, "total_files"},
			{"find", `{"glob":"stays/*","limit":1000}`, "total"},
			{"ls", `{"path":"stays","limit":1000}`, "total"},
		} {
			if a := inProcess(t, c.tool, c.args); !a.OK || a.Data[c.total] != 100.0 {
				t.Errorf("%s: %+v", c.tool, a.Error)
			}
		}
		for _, tool := range []string{"grep", "find", "ls"} {
			args := `{"pattern":"needle","total":true,"context":2}`
			switch tool {
			case "find":
				args = `{"query":"needle","content":true}`
			case "ls":
				args = `{"depth":9}`
			}
			if a := inProcess(t, tool, args); !a.OK {
				t.Errorf("round %d, %s: %+v", i, tool, a.Error)
			}
		}
	}
	close(stop)
	<-done
}

// TestSearchUnread warns of files that the system denies access to, and finds the
// rest.
func TestSearchUnread(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	for _, sub := range []string{"open", "shut"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
		cmdtest.Put(t, filepath.Join(dir, sub), "f", "needle\n")
	}
	shut := filepath.Join(dir, "shut")
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(shut, 0o755); err != nil {
			t.Error(err)
		}
	})
	for _, c := range []struct{ tool, args, found string }{
		{"grep", `{"pattern":"needle"}`, "open/f"},
		{"find", `{"query":"f"}`, "open/f"},
		{"ls", `{"depth":3}`, "open/f"},
	} {
		a, status := cmdtest.Call(t, unprivileged(t, cmdtest.Helve(dir, c.tool, c.args)))
		if status != 0 || !a.OK || !strings.Contains(fmt.Sprint(a.Data), c.found) || !strings.Contains(strings.Join(a.Warnings, "\n"), "the system denies access to shut") {
			t.Errorf("%s: %+v", c.tool, a)
		}
		inside := strings.Replace(c.args, "{", `{"path":"shut",`, 1)
		if a, status := cmdtest.Call(t, unprivileged(t, cmdtest.Helve(dir, c.tool, inside))); status != 3 || a.Error.Code != "permission_denied" || a.Error.Hint == "" {
			t.Errorf("%s in it: %+v", c.tool, a)
		}
	}
}

// TestSearchUnmarkedEncodings finds text in encodings that are recognised without a byte
// order mark, or that look like ASCII, in small files and large ones.
func TestSearchUnmarkedEncodings(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	t.Setenv("HELVE_ROOT", dir)
	const text = "route = 1 // 東京から大阪まで\n// a line that is plain text\n"
	want, plain := map[string]any{}, map[string]any{}
	for name, e := range map[string]encoding.Encoding{
		"utf16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
		"utf32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "utf32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
		"utf32": utf32.UTF32(utf32.BigEndian, utf32.UseBOM), "jis": japanese.ISO2022JP,
	} {
		for size, lines := range map[string]int{"small": 1, "large": 3000} {
			raw, err := e.NewEncoder().String(strings.Repeat(text, lines))
			if err != nil {
				t.Fatal(err)
			}
			cmdtest.Put(t, dir, name+"."+size, raw)
			want[name+"."+size] = float64(lines)
		}
	}
	// Colours are no shifts to other characters, and zeros alone make no text.
	cmdtest.Put(t, dir, "colours", "\x1b[31mred\x1b[0m 東京から\n")
	cmdtest.Put(t, dir, "binary", strings.Repeat("\x01\x00\x02\x00", 3000))
	want["colours"], plain["colours"] = 1.0, 1.0
	counts := func(pattern string) map[string]any {
		got := map[string]any{}
		for _, f := range inProcess(t, "grep", `{"pattern":"`+pattern+`","mode":"count"}`).Data["files"].([]any) {
			got[f.(map[string]any)["path"].(string)] = f.(map[string]any)["count"]
		}
		return got
	}
	if diff := cmp.Diff(want, counts("東京から")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(plain, counts("red")); diff != "" {
		t.Error(diff)
	}
	a := inProcess(t, "grep", `{"pattern":"^route = 1 // 東京から大阪まで$","path":"jis.small","context":0}`)
	if _, number, text := line(t, a); number != 1 || text != "route = 1 // 東京から大阪まで" {
		t.Errorf("%+v", a)
	}
}

// TestSearchOtherEncodings finds non-ASCII characters in files of other encodings,
// small and large, and marks lines with bytes that cannot be decoded.
func TestSearchOtherEncodings(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	t.Setenv("HELVE_ROOT", dir)
	const sentence = "各位旅客请注意，由北京开往上海的列车马上就要到站了，请做好上车准备。\n"
	gbk, err := simplifiedchinese.GBK.NewEncoder().String(sentence)
	if err != nil {
		t.Fatal(err)
	}
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(sentence)
	if err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, dir, "gbk.txt", gbk)
	cmdtest.Put(t, dir, "large.txt", strings.Repeat(gbk, 20_000))
	cmdtest.Put(t, dir, "utf16.txt", utf16)
	cmdtest.Put(t, dir, "utf8.txt", "\ufeff"+sentence)
	cmdtest.Put(t, dir, "stray.txt", strings.Repeat("größe\n", 50)+"caf\xe9 \x81 needle\n")
	a := inProcess(t, "grep", `{"pattern":"^各位.*上海","mode":"count"}`)
	want := map[string]any{"gbk.txt": 1.0, "large.txt": 20_000.0, "utf16.txt": 1.0, "utf8.txt": 1.0}
	got := map[string]any{}
	for _, f := range a.Data["files"].([]any) {
		got[f.(map[string]any)["path"].(string)] = f.(map[string]any)["count"]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	a = inProcess(t, "grep", `{"pattern":"needle","context":0}`)
	if _, _, text := line(t, a); text != "caf\ufffd \ufffd needle" || !strings.Contains(fmt.Sprint(a.Data), "lossy:true") {
		t.Errorf("%+v", a)
	}
	if a = inProcess(t, "find", `{"query":"上海","content":true}`); a.Data["total"] != 4.0 {
		t.Errorf("%+v", a)
	}
}
