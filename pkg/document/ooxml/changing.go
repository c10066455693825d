package ooxml

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// Changeable returns why a package must not be changed: it is signed, which a change would
// break.
func (p *Package) Changeable() error {
	for _, r := range p.Relations("") {
		if strings.HasPrefix(r.Type, "origin") && strings.Contains(strings.ToLower(r.Target), "signature") {
			return signed()
		}
	}
	for _, name := range p.Names() {
		if strings.HasPrefix(strings.ToLower(name), "_xmlsignatures/") {
			return signed()
		}
	}
	return nil
}

func signed() error {
	return fault.New(fault.UnsupportedContent, fault.T("the document is signed, and a change would make its signature invalid")).
		WithHint(fault.T("ask the person to take the signature off, or work on a copy without it"))
}

// Without returns the parts, by their names, that no longer name another part: the relations of
// the main part and the content types.
func (p *Package) Without(part string) (map[string][]byte, error) {
	dir, file := path.Split(p.main)
	all := map[string][]byte{}
	for name, names := range map[string]func(t *xmlscan.Tree, n *xmlscan.Node) bool{
		dir + "_rels/" + file + ".rels": func(t *xmlscan.Tree, n *xmlscan.Node) bool {
			target, _ := t.Attr(n, "Target")
			return strings.EqualFold(resolve(dir, target), part)
		},
		"[Content_Types].xml": func(t *xmlscan.Tree, n *xmlscan.Node) bool {
			v, _ := t.Attr(n, "PartName")
			return strings.EqualFold(strings.TrimPrefix(v, "/"), part)
		},
	} {
		data, err := p.Read(name)
		if err != nil {
			return nil, err
		}
		t, err := xmlscan.Parse(data)
		if err != nil {
			return nil, err
		}
		var splices []xmlscan.Splice
		for _, n := range t.Root.Children {
			if names(t, n) {
				splices = append(splices, xmlscan.Splice{Start: int64(n.Start), End: int64(n.End)})
			}
		}
		if all[name], err = t.Spliced(splices); err != nil {
			return nil, err
		}
	}
	return all, nil
}
