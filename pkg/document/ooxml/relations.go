package ooxml

import (
	"net/url"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Relation is a link from one part to another part or to an address.
type Relation struct {
	ID       string
	Type     string // the last word of its URI, such as "image"
	Target   string // the name of a part, or an address if External
	External bool
}

// Relations are those of one part.
type Relations []Relation

// Relations returns the relations of a part; those of the package for "". A part without
// any, or with damaged ones, has those that could be read.
func (p *Package) Relations(part string) Relations {
	if known, ok := p.rels[part]; ok {
		return known
	}
	dir, file := path.Split(part)
	var all Relations
	if s, err := p.ScanAll(dir + "_rels/" + file + ".rels"); err == nil {
		for kind := s.Next(); kind != xmlscan.EOF && len(all) < maxTypes; kind = s.Next() {
			if kind != xmlscan.Start || s.Local() != "Relationship" {
				continue
			}
			r := Relation{ID: s.String("Id"), Type: path.Base(s.String("Type")), Target: s.String("Target")}
			if r.External = strings.EqualFold(s.String("TargetMode"), "External"); !r.External {
				r.Target = resolve(dir, r.Target)
			}
			all = append(all, r)
		}
	}
	p.rels[part] = all
	return all
}

// Get returns the relation of an ID.
func (r Relations) Get(id string) (Relation, bool) {
	for _, one := range r {
		if one.ID == id {
			return one, true
		}
	}
	return Relation{}, false
}

// Of returns the first relation of a type.
func (r Relations) Of(kind string) (Relation, bool) {
	for _, one := range r {
		if one.Type == kind {
			return one, true
		}
	}
	return Relation{}, false
}

// resolve returns the name of the part that a target names, seen from a directory. It
// does not leave the package: there is nothing above its root.
func resolve(dir, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if i := strings.IndexByte(target, '#'); i >= 0 {
		target = target[:i]
	}
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if !strings.HasPrefix(target, "/") {
		target = "/" + dir + target
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}
