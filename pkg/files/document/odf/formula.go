package odf

import (
	"strings"

	"github.com/helve-dev/helve/pkg/files/document/markdown"
	"github.com/helve-dev/helve/pkg/files/document/xmlscan"
)

// formula returns the formula that just began (MathML) as code: as its author wrote it, if
// it says so, else its symbols.
func formula(s *xmlscan.Scanner) string {
	const most = 10_000 // bytes
	var symbols []string
	source, size := "", 0
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			break
		}
		switch {
		case k == xmlscan.Start && s.Local() == "annotation":
			source = oneLine(s.All(most))
		case k == xmlscan.Text && size < most:
			if t := strings.TrimSpace(string(s.Text())); t != "" {
				symbols = append(symbols, t)
				size += len(t)
			}
		}
	}
	if source == "" {
		source = strings.Join(symbols, " ")
	}
	var in markdown.Inline
	in.Text(source, markdown.Code, "")
	return in.String()
}
