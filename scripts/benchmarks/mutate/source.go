package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

// sourceFile is a file of a package that somebody wrote.
type sourceFile struct {
	name string
	text []byte
	set  *token.FileSet
	tree *ast.File
}

// parse reads the files of a package, without its tests and what was generated.
func (p pkg) parse() ([]sourceFile, error) {
	var all []sourceFile
	for _, base := range p.GoFiles {
		f := sourceFile{name: filepath.Join(p.Dir, base), set: token.NewFileSet()}
		var err error
		if f.text, err = os.ReadFile(f.name); err != nil {
			return nil, err
		}
		if f.tree, err = parser.ParseFile(f.set, f.name, f.text, parser.SkipObjectResolution|parser.ParseComments); err != nil {
			return nil, err
		}
		if !ast.IsGenerated(f.tree) {
			all = append(all, f)
		}
	}
	return all, nil
}
