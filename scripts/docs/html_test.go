package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tools"
)

// htmlPage writes the page and returns its file.
func htmlPage(t *testing.T) string {
	t.Helper()
	t.Setenv("HELVE_HOME", t.TempDir())
	t.Setenv("HELVE_ROOT", t.TempDir())
	t.Setenv("HELVE_LANG", "")
	file := filepath.Join(t.TempDir(), "helve.html")
	if err := writePage("../../README.md", "2023-11-14", file); err != nil {
		t.Fatal(err)
	}
	return file
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// elements parses the page and returns its elements, and all ids with how often each is given.
func elements(t *testing.T, page []byte) (all []*html.Node, ids map[string]int) {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	ids = map[string]int{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		all = append(all, n)
		if id := attr(n, "id"); id != "" {
			ids[id]++
		}
	}
	return all, ids
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// TestLinks wants each link within the page to lead somewhere, and the page to load nothing.
func TestLinks(t *testing.T) {
	page := read(t, htmlPage(t))
	all, ids := elements(t, page)
	for id, times := range ids {
		if times > 1 {
			t.Errorf("the id %s is given %d times", id, times)
		}
	}
	links, scripts := 0, 0
	for _, n := range all {
		for _, a := range n.Attr {
			switch {
			case n.Data == "a" && a.Key == "href" && strings.HasPrefix(a.Val, "#"):
				links++
				if ids[a.Val[1:]] == 0 {
					t.Errorf("nothing has the id %s", a.Val)
				}
			case n.Data == "a" && a.Key == "href" && strings.HasPrefix(a.Val, "https://"), a.Key == "data-name":
			case a.Key == "href", a.Key == "src", a.Key == "srcset", a.Key == "style", strings.HasPrefix(a.Key, "on"), strings.Contains(a.Val, "://"):
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
		for label := range strings.FieldsSeq(attr(n, "aria-labelledby")) {
			if ids[label] == 0 {
				t.Errorf("nothing has the id %s, which is a label", label)
			}
		}
		switch n.Data {
		case "script": // its own, which the policy of the page knows by its hash
			scripts++
			if n.FirstChild == nil || n.FirstChild.Data != pageScript {
				t.Error("there is a script of another")
			}
		case "link", "iframe", "img", "object":
			t.Errorf("there is a <%s>", n.Data)
		}
	}
	if scripts != 1 {
		t.Errorf("there are %d scripts", scripts)
	}
	if links < 90 {
		t.Errorf("there are only %d links", links)
	}
	for _, loads := range []string{"url(", "@import", "@font-face"} {
		if strings.Contains(pageStyle, loads) {
			t.Errorf("the style has %s", loads)
		}
	}
	if bytes.Contains(page, []byte("raw HTML omitted")) {
		t.Error("the guide has HTML that is left out")
	}
}

// TestComplete wants all that the binary has on the page.
func TestComplete(t *testing.T) {
	page := read(t, htmlPage(t))
	all, ids := elements(t, page)
	isTool := map[string]bool{}
	for _, tl := range tools.Builtin() {
		isTool["helve "+tl.Command()] = true
		if ids[toolID(tl.Command())] == 0 {
			t.Errorf("there is no tool %s", tl.Name)
		}
	}
	for _, c := range walk(cmd.Tree()) {
		if !isTool[c.CommandPath()] && ids["command-"+pageName(c)] == 0 {
			t.Errorf("there is no command %s", c.CommandPath())
		}
	}
	for _, code := range fault.Codes() {
		if ids["code-"+string(code)] == 0 {
			t.Errorf("there is no code %s", code)
		}
	}
	rows := map[string]bool{}
	for _, n := range all {
		rows[attr(n, "data-name")] = true
	}
	names := config.Keys()
	for _, tl := range tools.Builtin() {
		names = append(names, tl.Schema().Names()...)
	}
	for _, name := range append(names, "edits[].old_text", "projects[].id", "rules[].path") {
		if !rows[name] {
			t.Errorf("there is no row of %s", name)
		}
	}
	for _, e := range host.Variables() {
		if !bytes.Contains(page, []byte("<code>"+e.Name+"</code>")) {
			t.Errorf("there is no variable %s", e.Name)
		}
	}
	again := filepath.Join(t.TempDir(), "again.html")
	if err := writePage("../../README.md", "2023-11-14", again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, read(t, again)) {
		t.Error("the same source makes other bytes")
	}
}

// TestHeadings wants no level of headings to be left out.
func TestHeadings(t *testing.T) {
	all, _ := elements(t, read(t, htmlPage(t)))
	level := 0
	for _, n := range all {
		if len(n.Data) != 2 || n.Data[0] != 'h' || n.Data[1] < '1' || n.Data[1] > '6' {
			continue
		}
		at := int(n.Data[1] - '0')
		if at > level+1 {
			t.Errorf("<%s id=%q> follows a heading of level %d", n.Data, attr(n, "id"), level)
		}
		level = at
	}
	if level == 0 {
		t.Error("there are no headings")
	}
}

// TestGuide refuses a README whose parts cannot be found.
func TestGuide(t *testing.T) {
	files := func(name string) ([]byte, error) {
		if name != "docs/calling.md" {
			return nil, fs.ErrNotExist
		}
		return []byte("# Calling\n\n![A page](a.png)\n\n## More\n\n[d](../LICENSE) [e](calling.md) [f](calling.md#more)\n"), nil
	}
	for _, readme := range []string{"", "# helve\nlead\n## Start\n", "# other\nlead\n## Start\n<!-- tools -->\n<!-- /tools -->\n", "# helve\n<!-- tools -->\n<!-- /tools -->\n",
		"# helve\nlead\n## Start\n<!-- tools -->\n<!-- /tools -->\n| [a](docs/gone.md) | b |"} {
		if g, err := guideOf([]byte(readme), files); err == nil {
			t.Errorf("%q is the guide %q", readme, g.Body)
		}
	}
	g, err := guideOf([]byte("# helve\n\nlead\n\n## Start *here*\n\n[a](LICENSE) [b](#tools) [c](scripts/docs/recipes) [d](docs/ARCHITECTURE.md) [e](docs/calling.md#more) <b>\n\n| | |\n| - | - |\n| [f](docs/calling.md) | g |\n\n<!-- tools: x -->\ntable\n<!-- /tools -->\n\n### Less\n"), files)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`<h3 id="start-here">`, `<h4 id="less">`, `href="` + repository + `LICENSE"`, `href="` + repository + `docs/ARCHITECTURE.md"`, `href="#tools"`, `href="#recipes"`,
		`href="#tool-reference"`, `<h3 id="calling">`, `<h4 id="more">`, `href="#calling"`, `href="#more"`} {
		if !strings.Contains(string(g.Body), part) {
			t.Errorf("%s is not in %s", part, g.Body)
		}
	}
	if strings.Contains(string(g.Body), "\ntable") || strings.Contains(string(g.Body), "<img") || len(g.Sections) != 2 || string(g.Lead) != "<p>lead</p>\n" {
		t.Errorf("%+v", g)
	}
}

// TestGuides wants all documents for users on the page, with no two headings of one name: the
// second would get another id than in the repository.
func TestGuides(t *testing.T) {
	found, err := filepath.Glob("../../docs/[a-z]*.md")
	if err != nil || len(found) < 10 {
		t.Fatalf("%q, %v", found, err)
	}
	_, ids := elements(t, read(t, htmlPage(t)))
	for _, name := range found {
		if id := strings.TrimSuffix(filepath.Base(name), ".md"); ids[id] == 0 {
			t.Errorf("the README does not list %s, or its title is another", name)
		}
	}
	for id := range ids {
		if base, n, ok := strings.Cut(id, "-1"); ok && n == "" && ids[base] > 0 {
			t.Errorf("two headings have the id %s", base)
		}
	}
}

// What reads the recipes is part of no binary.
func TestNotLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "github.com/helve-dev/helve").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "github.com/spf13/cobra\n") {
		t.Errorf("go list says\n%s", out)
	}
	for _, name := range []string{"github.com/yuin/goldmark", "github.com/helve-dev/helve/scripts/docs"} {
		if strings.Contains("\n"+string(out), "\n"+name+"\n") {
			t.Errorf("helve links %s", name)
		}
	}
}

// TestColours wants the page to have the colours of the desk, in light and in dark.
func TestColours(t *testing.T) {
	desk := string(read(t, "../../cmd/desk/assets/style.css"))
	same := map[string]string{
		"page": "paper", "side": "bg", "ink": "text", "soft": "soft", "line": "line", "accent": "accent",
		"good": "good", "bad": "bad", "warm": "warn", "chip": "mute-bg",
	}
	valuesOf := func(css, name string) (values []string) {
		for _, m := range regexp.MustCompile(`[{; ]--`+name+`: (#\w+);`).FindAllStringSubmatch(css, -1) {
			values = append(values, m[1])
		}
		return values
	}
	for ours, theirs := range same {
		got, want := valuesOf(pageStyle, ours), valuesOf(desk, theirs)
		if len(got) != 2 || len(want) < 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%s is %q, and %s of the desk %q", ours, got, theirs, want)
		}
	}
}
