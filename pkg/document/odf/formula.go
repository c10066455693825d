package odf

import (
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/omml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// formula returns the formula that just began (MathML) as inline Markdown.
func formula(s *xmlscan.Scanner) string {
	var in markdown.Inline
	in.Math(omml.MathML(s))
	return in.String()
}
