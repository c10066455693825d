package pkg_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
)

// catalogue is the file with the Chinese of every text.
const catalogue = "fault/zh.po"

// TestGoldenChinese holds the catalogue against the texts in the source: each text has
// its Chinese, both take the same arguments, and the catalogue has no other entry. With
// -update it is written anew, sorted by package and text, without what nothing uses; the
// entries that lack their Chinese stay empty, and are listed.
func TestGoldenChinese(t *testing.T) {
	texts := textsOf(t)
	have, err := os.ReadFile(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	chinese := entries(t, string(have))
	want := written(texts, chinese)
	if *update && want != string(have) {
		if err := os.WriteFile(catalogue, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	missing := 0
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		zh := chinese[text]
		switch {
		case zh == "" && needsChinese(text):
			missing++
			t.Errorf("%s: no Chinese for %q", texts[text][0], text)
		case zh != "" && !slices.Equal(verbs(text), verbs(zh)):
			t.Errorf("%s: %q and %q take different arguments", texts[text][0], text, zh)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(chinese)) {
		if texts[text] == nil && text != "" && !*update {
			t.Errorf("nothing says %q: remove it from pkg/%s with scripts/test -update", text, catalogue)
		}
	}
	if want != string(have) && !*update {
		t.Errorf("pkg/%s is not as scripts/test -update writes it", catalogue)
	}
	if missing > 0 {
		t.Errorf("%d texts have no Chinese: scripts/test -update lists them in pkg/%s; write it there, after msgstr", missing, catalogue)
	}
	if len(texts) < 3000 {
		t.Errorf("found only %d texts", len(texts))
	}
}

// written returns the catalogue as a file: the texts by package, each with the packages
// that use it.
func written(texts map[string][]string, chinese map[string]string) string {
	var b strings.Builder
	b.WriteString("# The Chinese of helve's texts, by package and then by the English text.\n" +
		"# msgid is the English, as it stands in the code; msgstr is the Chinese. Both take the same\n" +
		"# arguments (%s, %d); %[2]s is the second of them, where Chinese has another order.\n" +
		"# scripts/test -update adds new texts and removes those that nothing uses.\n\n" +
		"msgid \"\"\nmsgstr \"\"\n\"Language: zh\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n")
	order := slices.SortedFunc(maps.Keys(texts), func(a, c string) int {
		return slices.Compare([]string{texts[a][0], a}, []string{texts[c][0], c})
	})
	for _, text := range order {
		if chinese[text] == "" && !needsChinese(text) {
			continue
		}
		fmt.Fprintf(&b, "\n#: %s\nmsgid %s\nmsgstr %s\n", strings.Join(texts[text], " "), quoted(text), quoted(chinese[text]))
	}
	return b.String()
}

// quoted returns a string of a PO file: on one line, or with a line for each of its own.
func quoted(text string) string {
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + `"`
	}
	if strings.Count(strings.TrimSuffix(text, "\n"), "\n") == 0 {
		return quote(text)
	}
	lines := []string{`""`}
	for line := range strings.Lines(text) {
		lines = append(lines, quote(line))
	}
	return strings.Join(lines, "\n")
}

// entries reads a catalogue, whose every line is understood.
func entries(t *testing.T, file string) map[string]string {
	t.Helper()
	all := map[string]string{}
	var text [2]string
	at := 0
	flush := func() { all[text[0]] = text[1] }
	for i, line := range strings.Split(file, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rest, begins := strings.CutPrefix(line, "msgid ")
		if begins {
			flush()
			text, at = [2]string{}, 0
		} else if rest, begins = strings.CutPrefix(line, "msgstr "); begins {
			at = 1
		}
		s, err := strconv.Unquote(rest)
		if err != nil {
			t.Fatalf("pkg/%s:%d is no line of a catalogue: %s", catalogue, i+1, line)
		}
		text[at] += s
	}
	flush()
	return all
}

// textsOf returns the English texts of the source, each with the packages that use it,
// in order.
func textsOf(t *testing.T) map[string][]string {
	t.Helper()
	texts := map[string][]string{}
	for dir, files := range sources(t) {
		add := func(text string) {
			if text != "" && !slices.Contains(texts[text], dir) {
				texts[text] = append(texts[text], dir)
			}
		}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					callText(t, dir, n, add)
				case *ast.Field:
					if n.Tag != nil {
						tag, _ := strconv.Unquote(n.Tag.Value)
						add(reflect.StructTag(tag).Get("doc"))
					}
				case *ast.KeyValueExpr:
					key, ok := n.Key.(*ast.Ident)
					if ok && (key.Name == "Doc" || key.Name == "Title" && strings.HasPrefix(dir, "pkg/tools/") || dir == "pkg/fault" && key.Name == "format") {
						text, _ := literal(n.Value)
						add(text)
					}
				}
				return true
			})
		}
	}
	for _, used := range texts {
		slices.Sort(used)
	}
	return texts
}

// callText adds the text of a call that makes one: fault.T and what passes its arguments
// on to it.
func callText(t *testing.T, dir string, call *ast.CallExpr, add func(string)) {
	t.Helper()
	at, message := 0, false
	switch name := called(call.Fun); {
	case name == "fault.T", name == "T" && dir == "pkg/fault":
		message = true
	case name == "fault.Join":
		at = 1
	case strings.HasPrefix(dir, "cmd") && (strings.HasSuffix(name, ".Text") || strings.HasSuffix(name, ".say")):
	default:
		return
	}
	if len(call.Args) <= at {
		return
	}
	text, ok := literal(call.Args[at])
	if !ok {
		if message && dir != "pkg/fault" && !forwards(call) { // Join has its separators
			t.Errorf("%s: a message that is not a literal", dir)
		}
		return
	}
	add(text)
	if first := []rune(text); message && len(first) > 1 && unicode.IsUpper(first[0]) && unicode.IsLower(first[1]) && !startsUpper(dir) {
		t.Errorf("%s: starts in upper case: %s", dir, text)
	}
}

// startsUpper reports whether the texts of a package are sentences or names, not messages.
func startsUpper(dir string) bool {
	return slices.Contains([]string{"pkg/schedule/cron", "pkg/tool/skill", "pkg/turn/prompt"}, dir)
}

// called returns a called function as it is written, such as fault.T.
func called(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return called(fun.X) + "." + fun.Sel.Name
	}
	return ""
}

// forwards reports whether a call passes on a text that its caller gave.
func forwards(call *ast.CallExpr) bool {
	text, ok := call.Args[0].(*ast.Ident)
	return ok && text.Name == "english"
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?([a-zA-Z%])`)

// verbs returns what a format takes, each as the argument and the way in which it is shown.
func verbs(format string) []string {
	var found []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		found = append(found, strconv.Itoa(next)+m[2])
		next++
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// needsChinese reports whether a text has words, which each language has its own for.
func needsChinese(text string) bool {
	return strings.ContainsFunc(verb.ReplaceAllString(text, ""), unicode.IsLetter)
}

// literal reads a string literal or a sum of them.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.ParenExpr:
		return literal(e.X)
	case *ast.BinaryExpr:
		a, ok1 := literal(e.X)
		b, ok2 := literal(e.Y)
		return a + b, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}

// TestCatalogue shows that helve reads from the catalogue what this test does.
func TestCatalogue(t *testing.T) {
	file, err := os.ReadFile(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range entries(t, string(file)) {
		if got, ok := fault.Translate(text, fault.Chinese); text != "" && want != "" && (got != want || !ok) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestEnglishAlone keeps Chinese out of the code, but for what reads it.
func TestEnglishAlone(t *testing.T) {
	readers := []string{
		"pkg/document", "pkg/html", "pkg/files", // words and signs of documents, pages and encodings
		"pkg/policy/approval",                      // a person's answer
		"pkg/schedule/timing", "pkg/schedule/zone", // times and places as people write them
		"pkg/turn/modeltext", "pkg/turn/dialect", // models' own signs
	}
	for dir, files := range sources(t) {
		allowed := slices.ContainsFunc(readers, func(r string) bool {
			return dir == r || strings.HasPrefix(dir, r+"/")
		})
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if ok && !allowed && strings.ContainsFunc(lit.Value, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
					t.Errorf("%s: Chinese in the code: %s", dir, lit.Value)
				}
				return true
			})
		}
	}
}
