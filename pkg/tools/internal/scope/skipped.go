package scope

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search"
)

// Skipped says what a search skipped and how to include it; it is empty if there is
// nothing to say.
func Skipped(s *search.Skipped) fault.Text {
	var said []fault.Text
	if s.Ignored > 0 {
		said = append(said, fault.T("%d ignored (no_ignore=true includes them)", s.Ignored))
	}
	if s.Hidden > 0 {
		said = append(said, fault.T("%d hidden (hidden=true includes them)", s.Hidden))
	}
	if s.Deeper > 0 {
		said = append(said, fault.T("%d directories below depth", s.Deeper))
	}
	if s.Binary > 0 {
		said = append(said, fault.T("%d binary (pass one as path to search it)", s.Binary))
	}
	if s.Documents > 0 {
		said = append(said, fault.T("the text of %d documents (documents=true searches it)", s.Documents))
	}
	if s.Undecoded > 0 {
		said = append(said, fault.T("%d in an unknown encoding, where only ASCII can be found", s.Undecoded))
	}
	if s.Denied > 0 {
		said = append(said, fault.T("%d denied by the policy", s.Denied))
	}
	if len(said) == 0 {
		return fault.Text{}
	}
	return fault.T("skipped: %s", fault.Join(said, ", "))
}
