package config

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// layer is a source of settings without problems.
type layer struct {
	source  Source
	file    File
	name    string // of a variable or flag
	text    []byte
	tree    *jsonc.Node // normalized, as [Config] is decoded from
	sha     string      // of the bytes, 64 hex digits
	trusted bool
}

// origin returns where a node of the layer comes from.
func (l *layer) origin(n *jsonc.Node) Origin {
	if l.name != "" {
		return Origin{Source: l.source, Name: l.name}
	}
	line, _ := jsonc.Position(l.text, n.Start)
	return Origin{Source: l.source, File: l.file.Path, Line: line}
}

// parse reads and checks the text of a file. With problems, the layer has its digest
// alone.
func parse(f File, text []byte) (*layer, Problems) {
	l := &layer{source: f.Source, file: f, text: text}
	sum := sha256.Sum256(text)
	l.sha = hex.EncodeToString(sum[:])
	if empty(text) {
		l.tree = &jsonc.Node{Kind: jsonc.Object}
		return l, nil
	}
	tree, syntax := jsonc.Parse(text)
	problems := Problems{}
	for _, p := range syntax {
		line, column := jsonc.Position(text, p.Offset)
		problems = append(problems, Problem{f.Path, line, column, "", p.Message})
	}
	if tree == nil {
		return l, problems
	}
	for _, p := range check(tree, l) {
		line, column := jsonc.Position(text, tree.Offset(p.Pointer))
		problems = append(problems, Problem{f.Path, line, column, p.Pointer, p.Message})
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return l, problems[:min(len(problems), jsonc.MaxProblems)]
	}
	return l, nil
}

// leaveOut makes the layer that of its file without the bound tools that problems are
// about, and reports whether they are about nothing else. A tool that is missing allows
// and forbids nothing.
func (l *layer) leaveOut(problems Problems) bool {
	tree, _ := jsonc.Parse(l.text)
	bound := tree.Path("tools", "bound")
	if bound == nil {
		return false
	}
	wrong := map[string]bool{}
	for _, p := range problems {
		at, ok := strings.CutPrefix(p.Key, "/tools/bound/")
		if !ok {
			return false
		}
		number, _, _ := strings.Cut(at, "/")
		wrong[number] = true
	}
	var right []*jsonc.Node
	for i, item := range bound.Items {
		if !wrong[strconv.Itoa(i)] {
			right = append(right, item)
		}
	}
	bound.Items = right
	return len(check(tree, l)) == 0
}

// empty reports whether a text is nothing but white space.
func empty(text []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))) == 0
}

// check normalizes a tree, puts it into the layer, and returns what is wrong with it.
func check(tree *jsonc.Node, l *layer) schema.Problems {
	var problems schema.Problems
	normal := normalize(tree, &problems)
	config, faults := decode(normal)
	problems = append(problems, faults...)
	if len(faults) > 0 {
		return problems
	}
	l.tree = normal
	return append(problems, checkValues(config)...)
}

// decode decodes a normalized tree.
func decode(tree *jsonc.Node) (*Config, schema.Problems) {
	config := &Config{}
	err := object().Decode(tree.JSON(), config)
	if err == nil {
		return config, nil
	}
	if problems, ok := fault.As(err).Details.(schema.Problems); ok {
		return nil, problems
	}
	return nil, schema.Problems{{Message: fault.As(err).Message}}
}
