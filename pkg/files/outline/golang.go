package outline

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	gotoken "go/token"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/files/text"
)

// maxNesting limits the nesting of brackets in a Go file, so that the recursive parser
// does not exhaust its stack.
const maxNesting = 1000

// ofGo reads a Go file. After a syntax error the parser goes on with the next
// declaration.
func ofGo(source string) []Definition {
	if nesting(source) > maxNesting {
		return nil
	}
	files := gotoken.NewFileSet()
	// What it could parse is there also when it returns an error.
	f, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution|parser.ParseComments|parser.AllErrors)
	r := goReader{file: files.File(f.FileStart)}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			r.function(d)
		case *ast.GenDecl:
			r.declarations(d)
		}
	}
	if err != nil {
		r.swallowed(source, err)
	}
	return r.defs
}

// swallowed adds the functions that the parser took for a part of a broken declaration.
// gofmt writes only those of a file at the beginning of a line.
func (r *goReader) swallowed(source string, faults error) {
	var list scanner.ErrorList
	errors.As(faults, &list)
	lines := text.Lines(source)
	whole := make([]bool, len(lines)+2) // lines of declarations that have no fault
	for _, d := range r.defs {
		broken := slices.ContainsFunc(list, func(e *scanner.Error) bool { return d.Line <= e.Pos.Line && e.Pos.Line <= d.End })
		for line := d.Line; line <= d.End; line++ {
			whole[line] = whole[line] || !broken || line == d.Line
		}
	}
	for i, l := range lines {
		rest, ok := strings.CutPrefix(l.Body, "func ")
		if !ok || whole[i+1] {
			continue
		}
		d := Definition{Kind: "function", Line: i + 1, End: endOf(lines, i, 0)}
		if receiver, method, found := strings.Cut(rest, ") "); found && strings.HasPrefix(receiver, "(") {
			receiver, _, _ = strings.Cut(receiver, "[")
			rest, d.Kind = method, "method"
			if words := strings.Fields(strings.Trim(receiver, "(")); len(words) > 0 {
				d.Name = strings.TrimLeft(words[len(words)-1], "*") + "."
			}
		}
		name := identifier(rest, "")
		if name == "" {
			continue
		}
		d.Name += name
		if from := leadIn(lines, i); from < i {
			d.From = from + 1
		}
		r.defs = append(r.defs, d)
	}
	slices.SortStableFunc(r.defs, func(a, b Definition) int { return a.Line - b.Line })
	for i := 1; i < len(r.defs); i++ {
		if before := &r.defs[i-1]; before.End >= r.defs[i].Start() && r.defs[i].Start() > before.Line {
			before.End = r.defs[i].Start() - 1
		}
	}
}

// nesting returns how deeply the brackets of a text nest at most, those in strings and
// comments included.
func nesting(text string) int {
	depth, most := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{', '(':
			depth++
			most = max(most, depth)
		case ']', '}', ')':
			depth = max(0, depth-1)
		}
	}
	return most
}

type goReader struct {
	file *gotoken.File
	defs []Definition
}

// line returns the line of a position, whatever //line comments say. A broken file has
// nodes without one.
func (r *goReader) line(p gotoken.Pos) int {
	if !p.IsValid() {
		return 0
	}
	offset := min(max(int(p)-r.file.Base(), 0), r.file.Size())
	return r.file.PositionFor(r.file.Pos(offset), false).Line
}

func (r *goReader) define(kind, name string, at ast.Node, from *ast.CommentGroup, begin gotoken.Pos, end gotoken.Pos) Definition {
	d := Definition{Name: name, Kind: kind, Line: r.line(at.Pos())}
	d.From = r.line(begin)
	if from != nil {
		d.From = r.line(from.Pos())
	}
	if d.From >= d.Line {
		d.From = 0
	}
	d.End = max(d.Line, r.line(end-1))
	return d
}

func (r *goReader) function(d *ast.FuncDecl) {
	name, kind := d.Name.Name, "function"
	if name == "" || name == "_" {
		return
	}
	if d.Recv != nil && len(d.Recv.List) > 0 {
		kind = "method"
		if owner := typeName(d.Recv.List[0].Type); owner != "" {
			name = owner + "." + name
		}
	}
	r.defs = append(r.defs, r.define(kind, name, d.Name, d.Doc, d.Pos(), d.End()))
}

func (r *goReader) declarations(d *ast.GenDecl) {
	kind := d.Tok.String()
	for _, s := range d.Specs {
		doc, begin := (*ast.CommentGroup)(nil), s.Pos()
		if len(d.Specs) == 1 {
			doc, begin = d.Doc, d.Pos()
		}
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Doc != nil {
				doc = s.Doc
			}
			if s.Name.Name != "" {
				t := r.define(typeKind(s), s.Name.Name, s.Name, doc, begin, s.End())
				t.Children = r.methods(s.Type)
				r.defs = append(r.defs, t)
			}
		case *ast.ValueSpec:
			if s.Doc != nil {
				doc = s.Doc
			}
			for _, n := range s.Names {
				if n.Name != "" && n.Name != "_" {
					r.defs = append(r.defs, r.define(kind, n.Name, n, doc, begin, s.End()))
				}
			}
		}
	}
}

func typeKind(s *ast.TypeSpec) string {
	switch s.Type.(type) {
	case *ast.StructType:
		return "struct"
	case *ast.InterfaceType:
		return "interface"
	}
	return "type"
}

// methods returns the methods that an interface names.
func (r *goReader) methods(t ast.Expr) (defs []Definition) {
	i, ok := t.(*ast.InterfaceType)
	if !ok || i.Methods == nil {
		return nil
	}
	for _, f := range i.Methods.List {
		if _, ok := f.Type.(*ast.FuncType); ok && len(f.Names) == 1 {
			defs = append(defs, r.define("method", f.Names[0].Name, f.Names[0], f.Doc, f.Pos(), f.End()))
		}
	}
	return defs
}

// typeName returns the name of a receiver's type.
func typeName(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
