package ooxml

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/files/kind"
)

// Image reads the image that a relation leads to. What it is, its bytes say; failing
// that, the package. One that is not in the package has only a link.
func (p *Package) Image(r Relation, alt string) (document.Image, error) {
	i := document.Image{Alt: alt}
	if r.External {
		i.Link = r.Target
		return i, nil
	}
	data, err := p.Read(r.Target)
	if err != nil {
		return i, err
	}
	i.Data = data
	if k := kind.Of(data[:min(len(data), 8192)], path.Base(r.Target), nil, int64(len(data))); k.Class == kind.Image || k.MIME == "image/svg+xml" {
		i.MIME = k.MIME
		return i, nil
	}
	switch strings.ToLower(path.Ext(r.Target)) {
	case ".emf":
		i.MIME = "image/emf"
	case ".wmf":
		i.MIME = "image/wmf"
	default:
		i.MIME = p.ContentType(r.Target)
	}
	return i, nil
}
