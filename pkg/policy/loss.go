package policy

import "github.com/helve-dev/helve/pkg/fault"

// Loss is the loss that a call causes at a path.
type Loss struct {
	Deletes   bool // nothing is left at the path; otherwise it is overwritten or truncated
	IntoBuild bool // neither: it is moved into build output, which anyone may delete
	Kept      Kept
}

// Kept is the way to get lost content back.
type Kept string

// The ways.
const (
	Nowhere   Kept = ""          // it is gone
	ByUndo    Kept = "undo"      // undo restores it
	Generated Kept = "generated" // build output that git ignores: a program makes it anew
)

// RiskOfLoss returns the risk of a loss: the one rule about deleting and overwriting,
// whichever tool or command does it.
func (p *Policy) RiskOfLoss(l Loss) Risk {
	switch {
	case l.Kept == Generated, l.Kept == ByUndo && (!l.Deletes || p.opt.Undoable):
		return Write
	}
	return Destructive
}

// why returns the reason for asking about a loss.
func (l Loss) why(tool, path string) fault.Text {
	switch {
	case l.IntoBuild:
		return fault.T("%s puts %s among build output, which is deleted unasked, and undo may not restore it", tool, path)
	case l.Kept == ByUndo:
		return fault.T("%s deletes %s", tool, path)
	case l.Deletes:
		return fault.T("%s deletes %s, and undo cannot restore it", tool, path)
	}
	return fault.T("%s overwrites %s, and undo cannot restore it", tool, path)
}
