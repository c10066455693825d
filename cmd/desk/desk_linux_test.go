package desk_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

func testFlag(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// startDesk starts "helve desk" as a person does, and returns the address of its page.
func startDesk(t *testing.T, dir string) string {
	t.Helper()
	c := cmdtest.Person(t, dir, "desk", "--no-open", "-o", "json")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	line, err := in.ReadString('\n')
	var a cmdtest.Answer
	if err == nil {
		err = json.Unmarshal([]byte(line), &a)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGINT)
		rest, _ := io.ReadAll(in)
		if err := c.Wait(); err != nil || len(rest) > 0 {
			t.Errorf("the end: %v; after the document: %q; %s", err, rest, stderr.String())
		}
	})
	url, _ := a.Data["url"].(string)
	if err != nil || !a.OK || url == "" {
		t.Fatalf("%v: %q", err, line)
	}
	return url
}

// waiting edits SOUL.md in a process that waits for the person.
func waiting(t *testing.T, dir, to string) *cmdtest.Started {
	t.Helper()
	return cmdtest.Start(t, cmdtest.Helve(dir, "edit", "SOUL.md", "old", to, "--approval-wait", "2m", "--no-input"))
}

func TestDeskApproves(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	edited := waiting(t, dir, "new")
	b := browse(t)
	page := b.open(startDesk(t, dir))
	page.until(`document.querySelector(".diff .add mark, .diff .add .t")?.textContent.includes("new")`)
	page.until(`location.hash === "" && !location.href.includes("token")`)
	page.shot("approval")
	page.click("#yes")
	if a := edited.Answer(t); !a.OK || a.Data["path"] != "SOUL.md" {
		t.Errorf("%+v", a)
	}
	if got := cmdtest.Content(t, soul); got != "new\n" {
		t.Errorf("%q", got)
	}
	page.until(`document.querySelector(".head .badge.good")`)
}

func TestDeskDenies(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	edited := waiting(t, dir, "new")
	page := browse(t).open(startDesk(t, dir))
	page.until(`document.querySelector("#yes:enabled")`)
	page.press("d")
	page.until(`document.activeElement.id === "why"`)
	page.text("write a diary instead")
	page.press("Enter")
	a := edited.Answer(t)
	if a.Error.Code != "rejected" || !strings.Contains(a.Error.Message, "write a diary instead") {
		t.Errorf("%+v", a)
	}
	if got := cmdtest.Content(t, soul); got != "old\n" {
		t.Errorf("%q", got)
	}
	page.until(`document.querySelector(".head .badge.bad")`)
}

func TestDeskStale(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	cmdtest.Ask(t, dir)
	page := browse(t).open(startDesk(t, dir))
	page.until(`document.querySelector("#yes:enabled")`)
	cmdtest.Put(t, dir, "SOUL.md", "somebody else\n")
	page.press("a")
	page.until(`document.querySelector(".note.stale")?.textContent.includes("approval_stale") && document.querySelector(".note.stale")?.textContent.includes("SOUL.md")`)
	page.shot("stale")
	if got := cmdtest.Content(t, soul); got != "somebody else\n" {
		t.Errorf("%q", got)
	}
}

// Two pages show the same, and a decision in one reaches the other at once.
func TestDeskTwoPages(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	address := startDesk(t, dir)
	b := browse(t)
	one, two := b.open(address), b.open(address)
	one.until(ready)
	two.until(ready)
	edited := waiting(t, dir, "new")
	one.until(`document.querySelector("#yes")`)
	two.until(`document.querySelector("#yes") && document.title.startsWith("(1)")`)
	one.click("#yes")
	if a := edited.Answer(t); !a.OK {
		t.Errorf("%+v", a)
	}
	two.until(`!document.querySelector("#yes") && document.querySelector(".head .badge.good") && document.title === "helve desk"`)
}

func TestDeskUndoes(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	file := cmdtest.Put(t, dir, "main.go", "package main\n\nfunc main() {\n\tprintln(\"hi\")\n}\n")
	cmdtest.Call(t, cmdtest.Helve(dir, "read", "main.go"))
	cmdtest.Call(t, cmdtest.Helve(dir, "edit", "main.go", "hi", "hello"))
	page := browse(t).open(startDesk(t, dir))
	page.until(ready)
	page.press("3")
	page.until(`document.querySelector(".diff .add")?.textContent.includes("hello")`)
	page.shot("history")
	page.click("#undo")
	page.until(`document.querySelectorAll("#list .item").length === 2`)
	if got := cmdtest.Content(t, file); !strings.Contains(got, `"hi"`) {
		t.Errorf("%q", got)
	}
}

func TestDeskJobs(t *testing.T) {
	t.Parallel()
	b := browse(t) // before there is a job, which would outlive the test if there is no browser
	dir := cmdtest.Workspace(t)
	gate := filepath.Join(dir, "go")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "exec", `{"command":"echo begun; read x < go; echo ended","background":true}`)); !a.OK {
		t.Fatalf("%+v", a)
	}
	page := b.open(startDesk(t, dir))
	page.until(ready)
	page.press("4")
	page.until(`document.querySelector(".output").textContent === "begun\n"`)
	page.shot("jobs")
	cmdtest.Put(t, dir, "go", "x\n")
	page.until(`document.querySelector(".output").textContent === "begun\nended\n" && document.querySelector(".head .badge.good")`)
}

// ready is true once a page hears of what happens.
const ready = `document.querySelector("#live[data-state=live]")`

// Ten thousand records are as quick as ten: a few of them are elements, whichever are in
// sight.
func TestDeskAudit(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, dir, "a.txt", "a\n")
	cmdtest.Call(t, cmdtest.Helve(dir, "read", "a.txt"))
	logs, err := filepath.Glob(filepath.Join(cmdtest.HomeOf(dir), "state", "*", "audit.jsonl"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	var records strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&records, `{"at":"2026-01-02T03:%02d:%02dZ","event":"answered","pid":1,"session":"default","tool":"grep","risk":"read","args":{"pattern":"p%05d"},"outcome":"ok","duration_ms":%d}`+"\n", i/60%60, i%60, i, i)
	}
	cmdtest.Put(t, filepath.Dir(logs[0]), "audit.jsonl", records.String())
	page := browse(t).open(startDesk(t, dir))
	page.until(ready)
	page.press("2")
	page.until(`document.querySelector(".rows .line .what")?.textContent === "p09999" && document.getElementById("count").textContent === "10,000 records"`)
	var seen struct {
		Rows, Shown int
	}
	page.eval(`(async () => {
		const grid = document.getElementById("grid"), shown = new Set();
		let rows = 0;
		for (let top = 0; top < grid.scrollHeight; top += grid.clientHeight - 40) {
			grid.scrollTop = top;
			for (let i = 0; i < 500 && (i === 0 || [...document.querySelectorAll(".rows .what")].some((e) => e.textContent === "…")); i++) await new Promise(requestAnimationFrame);
			rows = Math.max(rows, document.querySelectorAll(".rows .line").length);
			for (const e of document.querySelectorAll(".rows .what")) shown.add(e.textContent);
		}
		return { rows, shown: shown.size };
	})()`, &seen)
	if seen.Rows > 120 || seen.Shown != 10_000 {
		t.Errorf("%+v", seen)
	}
	page.shot("audit")
	page.press("/")
	page.until(`document.activeElement.id === "search"`)
	page.text("p00042")
	page.until(`document.getElementById("count").textContent === "1 of 10,000 records" && document.querySelectorAll(".rows .line").length === 1`)
	page.eval(`document.activeElement.value = ""; document.querySelector("[name=tool]").value = "grep"; document.querySelector("[name=tool]").dispatchEvent(new Event("change"))`, nil)
	page.until(`document.getElementById("count").textContent === "10,000 records"`)
	cmdtest.Call(t, cmdtest.Helve(dir, "read", "a.txt"))
	page.until(`document.getElementById("count").textContent === "10,000 of 10,001 records"`)
}

// The page is shown by no other page, and by no other name, and says what is missing.
func TestDeskRefuses(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	cmdtest.Ask(t, dir)
	address := startDesk(t, dir)
	plain, _, _ := strings.Cut(address, "#")
	b := browse(t)
	page := b.open(plain)
	page.until(`document.body.classList.contains("locked") && document.querySelector(".empty")`)
	page.visit("about:blank")
	page.visit(strings.Replace(address, "#token=", "#token=A", 1))
	page.until(`document.body.classList.contains("locked")`)
	rebound := b.open(strings.Replace(address, "127.0.0.1", "rebound.example", 1))
	rebound.until(`document.body.innerText.includes("rebound.example") && !document.querySelector("main")`)

	// A page of another origin of this machine.
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>foreign</title><iframe src=%q></iframe>`, address)
	}))
	defer foreign.Close()
	other := b.open(foreign.URL)
	other.until(`document.title === "foreign" && document.readyState === "complete"`)
	var got string
	other.eval(`fetch(`+strconv.Quote(plain+"api/approvals")+`, {headers: {Authorization: "Bearer `+strings.SplitN(address, "=", 2)[1]+`"}}).then((r) => r.text(), (e) => "refused " + e)`, &got)
	if !strings.HasPrefix(got, "refused") {
		t.Errorf("a foreign page has read %q", got)
	}
	other.eval(`fetch(`+strconv.Quote(plain)+`, {mode: "cors"}).then((r) => r.text(), (e) => "refused " + e)`, &got)
	if !strings.HasPrefix(got, "refused") {
		t.Errorf("a foreign page has read %q", got)
	}
	other.until(`document.querySelector("iframe").contentDocument === null`) // an error of the browser, of no origin
}

// What helve has started gets nothing, even with the token: neither in a sandbox without
// a network of the machine's, nor with one.
func TestDeskAgainstChildren(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl")
	}
	address := startDesk(t, dir)
	url, token, _ := strings.Cut(address, "#token=")
	ask := "curl -sS -m 20 -H 'Authorization: Bearer " + token + "' " + url + "api/approvals"
	if out, err := exec.Command("sh", "-c", ask).Output(); err != nil || !strings.Contains(string(out), `"approvals":[`) {
		t.Fatalf("the person's own: %v %s", err, out)
	}
	for _, network := range []string{"none", "local", "full"} {
		cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"exec","decision":"allow"}]}`)
		args, err := json.Marshal(map[string]any{"command": "unset HELVE; " + ask, "network": network})
		if err != nil {
			t.Fatal(err)
		}
		a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "exec", string(args)))
		text := fmt.Sprint(a)
		if strings.Contains(text, `"approvals":[`) || network == "full" && a.OK && !strings.Contains(text, "a process that helve started") {
			t.Errorf("network %s: %s", network, text)
		}
	}
	c := cmdtest.Person(t, dir, "desk", "--no-open")
	c.Env = append(c.Environ(), "HELVE=1")
	if a, exit := cmdtest.Call(t, c); a.OK || a.Error.Code != "denied" || exit != 3 {
		t.Errorf("exit %d, %+v", exit, a)
	}
}

// Judge: axe. It finds nothing serious, in light and in dark.
func TestDeskAccessible(t *testing.T) {
	t.Parallel()
	modules := os.Getenv("HELVE_NODE_MODULES")
	axe, err := os.ReadFile(filepath.Join(modules, "axe-core", "axe.min.js"))
	if modules == "" || err != nil {
		t.Skip("no axe-core")
	}
	dir, _ := cmdtest.Asked(t)
	cmdtest.Call(t, cmdtest.Helve(dir, "write", `{"path":"a.txt","content":"a\n"}`))
	cmdtest.Call(t, cmdtest.Helve(dir, "cron", "add", "--message", "hello", "--cron", "0 9 * * *"))
	cmdtest.Call(t, cmdtest.Helve(dir, "exec", `{"command":"echo hello","background":true}`))
	cmdtest.Ask(t, dir)
	page := browse(t).open(startDesk(t, dir))
	page.until(ready)
	page.eval(string(axe)+";0", nil)
	for i, shows := range []string{"#yes:enabled", ".rows .line", ".diff", ".output", "td", ".empty"} {
		page.press(strconv.Itoa(i + 1))
		page.until("document.querySelector(" + strconv.Quote(shows) + ")")
		for _, scheme := range []string{"light", "dark"} {
			page.scheme(scheme)
			page.until(`document.getAnimations().length === 0`)
			var found []string
			page.eval(`axe.run().then((r) => r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => v.id + ": " + v.nodes.map((n) => n.target + " " + n.failureSummary).join("; ")))`, &found)
			for _, one := range found {
				t.Errorf("view %d, %s: %s", i+1, scheme, one)
			}
			page.shot(fmt.Sprintf("view-%d-%s", i+1, scheme))
		}
	}
}

// The page writes out the characters that the terminal does.
func TestDeskVisible(t *testing.T) {
	t.Parallel()
	page := browse(t).open(startDesk(t, cmdtest.Workspace(t)))
	page.until(ready)
	var hidden []rune
	page.eval(`import("/dom.js").then(({ hidden }) => { const all = []; for (let c = 0; c < 0x110000; c++) if ((c < 0xd800 || c > 0xdfff) && String.fromCodePoint(c).replace(hidden, "") === "") all.push(c); return all; })`, &hidden)
	var want []rune
	for r := rune(0); r <= 0x10ffff; r++ {
		if r >= 0xd800 && r <= 0xdfff {
			continue
		}
		if s := string(r); r == '\n' || r == '\t' || approval.Visible(s) != s {
			want = append(want, r)
		}
	}
	if diff := cmp.Diff(want, hidden); diff != "" && len(hidden) < len(want) { // its tables of Unicode may be newer
		t.Errorf("%d characters, want %d: %.2000s", len(hidden), len(want), diff)
	}
}
