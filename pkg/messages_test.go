package pkg_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// TestMessages reads every fault.T in the source, and every text of a command:
// both languages are there, messages start in lower case, and both languages take
// the same arguments.
func TestMessages(t *testing.T) {
	verb := regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?([a-zA-Z%])`)
	verbs := func(s string) []string { // each as the argument it takes and the way it is shown
		var found []string
		next := 1
		for _, m := range verb.FindAllStringSubmatch(s, -1) {
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
	seen := 0
	for dir, files := range sources(t) {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				message, help := ok && isT(call.Fun, dir), ok && isText(call, dir)
				if !message && !help {
					return true
				}
				if len(call.Args) < 2 {
					t.Errorf("%s: a message in one language", dir)
					return true
				}
				en, ok1 := literal(call.Args[0])
				zh, ok2 := literal(call.Args[1])
				if !ok1 || !ok2 {
					if dir != "pkg/fault" && !forwards(call) { // Join builds its formats
						t.Errorf("%s: a message that is not a literal: %s", dir, en)
					}
					return true
				}
				seen++
				words := strings.TrimSpace(verb.ReplaceAllString(en, ""))
				if hasLetters(words) && en == zh && strings.ContainsFunc(words, unicode.IsSpace) && !strings.HasPrefix(en, "helve ") {
					t.Errorf("%s: not translated: %s", dir, en)
				}
				if en == "" || zh == "" {
					t.Errorf("%s: empty message: %q, %q", dir, en, zh)
				}
				if !slices.Equal(verbs(en), verbs(zh)) {
					t.Errorf("%s: %q and %q take different arguments", dir, en, zh)
				}
				if first := []rune(en); message && len(first) > 1 && unicode.IsUpper(first[0]) && unicode.IsLower(first[1]) {
					t.Errorf("%s: starts in upper case: %s", dir, en)
				}
				return true
			})
		}
	}
	if seen < 50 {
		t.Errorf("found only %d messages", seen)
	}
}

func isT(fun ast.Expr, dir string) bool {
	if s, ok := fun.(*ast.SelectorExpr); ok {
		x, ok := s.X.(*ast.Ident)
		return ok && x.Name == "fault" && s.Sel.Name == "T"
	}
	name, ok := fun.(*ast.Ident)
	return ok && dir == "pkg/fault" && name.Name == "T"
}

// isText reports whether a call is of Printer.Text, in the command line.
func isText(call *ast.CallExpr, dir string) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || dir != "cmd" || s.Sel.Name != "Text" {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && (x.Name == "out" || x.Name == "p")
}

// forwards reports whether a call hands on two texts under the names en and zh.
func forwards(call *ast.CallExpr) bool {
	en, ok1 := call.Args[0].(*ast.Ident)
	zh, ok2 := call.Args[1].(*ast.Ident)
	return ok1 && ok2 && en.Name == "en" && zh.Name == "zh"
}

// literal reads a string literal or a sum of them.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, ok1 := literal(e.X)
		b, ok2 := literal(e.Y)
		return a + b, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}

func hasLetters(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
