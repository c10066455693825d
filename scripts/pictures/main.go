// Command pictures makes the pictures of the README, docs/pictures: session.svg, a terminal
// session, from what the program built here prints, and approval.png, the page of "helve desk"
// with two requests that wait, from what Chromium shows. Nothing in them is written by hand.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// session is typed in the workspace that workspace makes.
var session = []string{
	`helve read go.mod -o json`,
	`helve read budget.xlsx --range 'Sales!A1:D3'`,
	`helve edit main.go 'println("hullo")' 'println("bye")' | head -n 2`,
	`helve exec 'sed -i s/hello/bye/ main.go' | head -n 2`,
	`helve undo | head -n 1`,
	`helve exec 'rm -r data' | head -n 2`,
}

func main() {
	log.SetFlags(0)
	if err := draw(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func draw(ctx context.Context) error {
	top, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return err
	}
	if err := os.Chdir(strings.TrimSpace(string(top))); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", tmp+"/bin/helve", ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	dir, err := workspace(tmp)
	if err != nil {
		return err
	}
	env := append(os.Environ(), "PATH="+tmp+"/bin:"+os.Getenv("PATH"), "HELVE_HOME="+tmp+"/home", "HELVE_ROOT=", "HELVE_SESSION=", "HELVE_LANG=",
		"HELVE_OUTPUT=text") // the default on a terminal
	run := func(line string) *exec.Cmd {
		c := exec.CommandContext(ctx, "sh", "-c", line)
		c.Dir, c.Env = dir, env
		return c
	}
	var lines []line
	for _, typed := range session {
		printed, err := run(typed).Output()
		if err != nil {
			return fmt.Errorf("%s: %w", typed, err)
		}
		lines = append(lines, line{typed: true, text: typed})
		for text := range strings.Lines(strings.ReplaceAll(string(printed), "\t", "    ")) {
			lines = append(lines, wrapped(strings.TrimSuffix(text, "\n"))...)
		}
	}
	if err := os.WriteFile("docs/pictures/session.svg", []byte(svg(lines)), 0o644); err != nil {
		return err
	}
	return approval(ctx, run, tmp)
}

// workspace makes the directory that the session works in, and a rule of the person's.
func workspace(tmp string) (string, error) {
	dir := filepath.Join(tmp, "hello")
	if err := os.CopyFS(dir, os.DirFS("testdata/documents")); err != nil {
		return "", err
	}
	for name, text := range map[string]string{
		"hello/go.mod":        "module example.com/hello\n\ngo 1.26\n",
		"hello/main.go":       "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n",
		"hello/SOUL.md":       "# Who I am\n\nI help with the books of a small shop.\nI never send anything without asking.\n",
		"hello/data/2025.csv": strings.Repeat("2025-12-31,99.50\n", 500),
		"home/config.json":    `{"rules": [{"path": "SOUL.md", "write": "ask", "edit": "ask"}]}`,
	} {
		file := filepath.Join(tmp, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// approval makes the picture of the page, with an edit and a command that wait.
func approval(ctx context.Context, run func(string) *exec.Cmd, tmp string) error {
	for _, asks := range []string{
		`helve exec 'rm -r data'`,
		`helve edit SOUL.md 'without asking' 'that costs more than 10 €'`,
	} {
		c := run(asks)
		if _ = c.Run(); c.ProcessState == nil || c.ProcessState.ExitCode() != 4 {
			return fmt.Errorf("%s: nobody is asked: %v", asks, c.ProcessState)
		}
	}
	desk := run("exec helve desk --no-open -o json")
	out, err := desk.StdoutPipe()
	if err != nil {
		return err
	}
	if err := desk.Start(); err != nil {
		return err
	}
	defer func() { _ = desk.Process.Kill(); _ = desk.Wait() }()
	printed, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return err
	}
	var answer struct{ Data struct{ URL string } }
	if err := json.Unmarshal(printed, &answer); err != nil {
		return err
	}
	// The page never stops loading, as it keeps a connection open: its own clock ends the wait.
	shot, err := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir="+tmp+"/profile",
		"--window-size=1200,720", "--virtual-time-budget=5000", "--screenshot=docs/pictures/approval.png", answer.Data.URL).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, shot)
	}
	return nil
}

// line is a line of the terminal.
type line struct {
	typed bool
	text  string
}

const columns, cell, height = 104, 9, 20 // a cell is a little wider than most fonts are

// wrapped breaks what was printed at spaces where it is too long for the terminal.
func wrapped(s string) []line {
	var lines []line
	for runes := []rune(s); ; {
		n := min(len(runes), columns)
		if n < len(runes) {
			if space := strings.LastIndex(string(runes[:n]), " "); space > 0 {
				n = len([]rune(string(runes[:n])[:space+1]))
			}
		}
		lines = append(lines, line{text: string(runes[:n])})
		if runes = runes[n:]; len(runes) == 0 {
			return lines
		}
	}
}

// svg draws the lines in a window.
func svg(lines []line) string {
	var b strings.Builder
	w, h := columns*cell+40, len(lines)*height+64
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="A terminal session with helve">
<style>text{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#c9d1d9;white-space:pre}.t{fill:#fff;font-weight:bold}.p{fill:#7ee787}</style>
<rect width="100%%" height="100%%" rx="10" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f56"/><circle cx="42" cy="20" r="6" fill="#ffbd2e"/><circle cx="62" cy="20" r="6" fill="#27c93f"/>
`, w, h, w, h)
	for i, l := range lines {
		text := html.EscapeString(l.text)
		if l.typed {
			text = `<tspan class="p">$</tspan> <tspan class="t">` + text + `</tspan>`
		}
		fmt.Fprintf(&b, "<text x=\"20\" y=\"%d\">%s</text>\n", 56+i*height, text)
	}
	return b.String() + "</svg>\n"
}
