package odf

import (
	"github.com/helve-dev/helve/pkg/files/document/markdown"
	"github.com/helve-dev/helve/pkg/files/document/omml"
	"github.com/helve-dev/helve/pkg/files/document/xmlscan"
)

// formula returns the formula that just began (MathML) as inline Markdown.
func formula(s *xmlscan.Scanner) string {
	var in markdown.Inline
	in.Math(omml.MathML(s))
	return in.String()
}
