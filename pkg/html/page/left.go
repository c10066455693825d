package page

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/extract"
)

// partial says that text was left out which may be content, and names its parts.
func partial(c *extract.Content) fault.Text {
	if len(c.Left) == 0 {
		return fault.T("%d%% of the text that the page shows is left out, and it may belong to the content; main=false shows all of it", leftOut(c.Kept))
	}
	names := make([]fault.Text, 0, len(c.Left))
	for _, one := range c.Left {
		names = append(names, counted(one))
	}
	return fault.T("%d%% of the text that the page shows is left out, among it %s, and it may belong to the content; main=false shows all of it", leftOut(c.Kept), fault.Join(names, ", "))
}

// counted says how many parts of a kind are left out.
func counted(l extract.Left) fault.Text {
	switch l.Of {
	case extract.Cards:
		return fault.T("%d cards", l.Count)
	case extract.Questions:
		return fault.T("%d questions", l.Count)
	case extract.Answers:
		return fault.T("%d answers", l.Count)
	case extract.Comments:
		return fault.T("%d comments", l.Count)
	case extract.Reviews:
		return fault.T("%d reviews", l.Count)
	}
	return fault.T("%d posts", l.Count)
}
