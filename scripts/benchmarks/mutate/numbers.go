package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// mutation is one change of one file.
type mutation struct {
	pkg, file string // import path, absolute file name
	name      string // of the constant, or of the struct's field and the tag's key
	line      int
	old, new  string
	source    []byte // of the whole file, changed
}

// String is FILE:LINE:NAME, the file relative to the module.
func (m mutation) String() string {
	return fmt.Sprintf("%s/%s:%d:%s", short(m.pkg), filepath.Base(m.file), m.line, m.name)
}

// numbers returns the changes of the numbers in a package.
func numbers(p pkg) ([]mutation, error) {
	var all []mutation
	files, err := p.parse()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		source, set := f.text, f.set
		// change records that the text between two positions becomes another.
		change := func(name string, from, to token.Pos, new string) {
			a, b := set.Position(from), set.Position(to)
			all = append(all, mutation{
				pkg: p.ImportPath, file: f.name, name: name, line: a.Line, old: string(source[a.Offset:b.Offset]), new: new,
				source: []byte(string(source[:a.Offset]) + new + string(source[b.Offset:])),
			})
		}
		for _, d := range f.tree.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
				constants(d, source, set, change)
			}
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.StructType); ok {
				tags(s, change)
			}
			return true
		})
	}
	return all, nil
}

// constants halves the numbers of a declaration of constants.
func constants(d *ast.GenDecl, source []byte, set *token.FileSet, change func(string, token.Pos, token.Pos, string)) {
	for _, s := range d.Specs {
		s := s.(*ast.ValueSpec)
		for i, v := range s.Values {
			if i >= len(s.Names) || !isNumber(v) {
				continue
			}
			from, to := set.Position(v.Pos()).Offset, set.Position(v.End()).Offset
			change(s.Names[i].Name, v.Pos(), v.End(), "("+string(source[from:to])+") / 2")
		}
	}
}

// isNumber reports whether an expression is a number as people write budgets:
// literals, sums, products and shifts of them, and units of time.
func isNumber(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.INT && !strings.HasPrefix(strings.ToLower(e.Value), "0x") // hexadecimal ones are patterns of bits
	case *ast.BinaryExpr:
		return (e.Op == token.SHL || e.Op == token.MUL || e.Op == token.ADD || e.Op == token.SUB) && isNumber(e.X) && isNumber(e.Y)
	case *ast.ParenExpr:
		return isNumber(e.X)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && x.Name == "time"
	}
	return false
}

// bound is a number in a tag of an argument.
var bound = regexp.MustCompile(`\b(default|min|max):"(\d+)"`)

// tags halves the numbers in the tags of a struct, in turn.
func tags(s *ast.StructType, change func(string, token.Pos, token.Pos, string)) {
	for _, f := range s.Fields.List {
		if f.Tag == nil || len(f.Names) == 0 {
			continue
		}
		for _, at := range bound.FindAllStringSubmatchIndex(f.Tag.Value, -1) {
			n, err := strconv.Atoi(f.Tag.Value[at[4]:at[5]])
			if err != nil || n < 2 { // half of 1 and of 0 is 0
				continue
			}
			from := f.Tag.Pos() + token.Pos(at[4])
			change(f.Names[0].Name+"."+f.Tag.Value[at[2]:at[3]], from, from+token.Pos(at[5]-at[4]), strconv.Itoa(n/2))
		}
	}
}
