package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// condition is one change of a condition. All changes of a package are compiled into
// one test binary, where an environment variable chooses one.
type condition struct {
	file   string // absolute
	line   int
	what   string // the change, for people
	text   string // what is changed, as written
	from   int    // offsets of the expression in the file
	to     int
	before string // text around it that makes the change when it is chosen; %d is its number
	after  string
}

// String is PACKAGE/FILE:LINE: TEXT: what.
func (c condition) String() string {
	text := strings.Join(strings.Fields(c.text), " ")
	if len(text) > 90 {
		text = strings.ToValidUTF8(text[:90], "") + "…"
	}
	return fmt.Sprintf("%s:%d: %s: %s", filepath.Base(c.file), c.line, text, c.what)
}

// Each change is made by text around an expression, so that changes may nest.
const (
	negation = " != mutantOn(%d))"
	chosen   = "mutantOn(%d)"
)

// conditions returns the changes that can be made in a package.
func conditions(p pkg) ([]condition, error) {
	var all []condition
	files, err := p.parse()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		found := finder{file: f.name, source: f.text, set: f.set}
		ast.Inspect(f.tree, found.visit)
		all = append(all, found.found...)
	}
	return all, nil
}

type finder struct {
	file   string
	source []byte
	set    *token.FileSet
	found  []condition
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.set.Position(n.Pos()).Offset:f.set.Position(n.End()).Offset])
}

func (f *finder) add(n ast.Node, what, before, after string) {
	at := f.set.Position(n.Pos())
	f.found = append(f.found, condition{
		file: f.file, line: at.Line, what: what, text: f.text(n), from: at.Offset, to: f.set.Position(n.End()).Offset, before: before, after: after,
	})
}

func (f *finder) negate(n ast.Node, what string) { f.add(n, what, "((", ")"+negation) }

// visit notes the changes of a node and reports whether its children have any.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.CONST // no call is a constant
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.negate(n, "without !")
		}
	case *ast.IfStmt:
		f.plain(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.plain(n.Cond)
		}
	case *ast.ReturnStmt:
		for _, r := range n.Results {
			if id, ok := r.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
				f.negate(r, "the other value returned")
			}
		}
	}
	return true
}

// plain notes the negation of a condition that no operator forms.
func (f *finder) plain(e ast.Expr) {
	switch e := e.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		return // it is changed as what it is
	case *ast.ParenExpr:
		f.plain(e.X)
		return
	}
	f.negate(e, "negated")
}

func (f *finder) binary(n *ast.BinaryExpr) {
	x, y := f.text(n.X), f.text(n.Y)
	switch n.Op {
	case token.EQL, token.NEQ:
		f.negate(n, "== for != or the reverse")
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
		f.negate(n, "the opposite comparison")
		if calls(n.X) || calls(n.Y) {
			return // the boundary would have to be computed twice
		}
		if n.Op == token.LSS || n.Op == token.GTR {
			f.add(n, n.Op.String()+" becomes "+n.Op.String()+"=", "((", ") || "+chosen+" && ("+x+") == ("+y+"))")
		} else {
			f.add(n, n.Op.String()+" becomes "+n.Op.String()[:1], "((", ") && !("+chosen+" && ("+x+") == ("+y+")))")
		}
	case token.LAND:
		f.add(n, "|| for &&", "("+chosen+" && (("+x+") || ("+y+")) || !"+chosen+" && (", "))")
	case token.LOR:
		f.add(n, "&& for ||", "("+chosen+" && (("+x+") && ("+y+")) || !"+chosen+" && (", "))")
	}
}

// calls reports whether an expression calls what may do something.
func calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			id, plain := c.Fun.(*ast.Ident)
			found = found || !plain || id.Name != "len" && id.Name != "cap"
		}
		return !found
	})
	return found
}

// rewrite returns a file with some changes compiled in; numbers are their places in
// the list that the environment variable chooses from.
func rewrite(source []byte, changes map[int]condition) []byte {
	type insertion struct {
		at, order int
		text      string
	}
	var all []insertion
	numbers := make([]int, 0, len(changes))
	for n := range changes {
		numbers = append(numbers, n)
	}
	// Outer expressions first, so that what nests closes in reverse.
	slices.SortFunc(numbers, func(a, b int) int {
		x, y := changes[a], changes[b]
		if d := (y.to - y.from) - (x.to - x.from); d != 0 {
			return d
		}
		return a - b
	})
	for order, n := range numbers {
		c, number := changes[n], fmt.Sprint(n)
		all = append(all,
			insertion{c.from, order, strings.ReplaceAll(c.before, "%d", number)},
			insertion{c.to, -order - 1, strings.ReplaceAll(c.after, "%d", number)})
	}
	// At one place, what closes comes before what opens.
	slices.SortStableFunc(all, func(a, b insertion) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.order - b.order
	})
	var out []byte
	done := 0
	for _, i := range all {
		out = append(append(out, source[done:i.at]...), i.text...)
		done = i.at
	}
	return append(out, source[done:]...)
}

// switchFile is the file that is added to a package. The call in it is inlined, so that
// code which must not call anything, as in a fork, can have changes, too.
const switchFile = `package %s

import (
	"os"
	"strconv"
)

var mutantChosen, _ = strconv.Atoi(os.Getenv("MUTANT"))

func mutantOn(n int) bool { return n == mutantChosen }
`
