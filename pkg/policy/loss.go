package policy

import "github.com/helve-dev/helve/pkg/fault"

// Loss is what a call takes away from a path.
type Loss struct {
	Deletes bool // nothing is left at the path; otherwise it is overwritten or truncated
	Buries  bool // neither: it is moved into build output, which anyone may delete
	Kept    Kept
}

// Kept says how what is lost can be got back.
type Kept string

// How content can be got back.
const (
	Nowhere   Kept = ""          // it is gone
	ByUndo    Kept = "undo"      // undo restores it
	Generated Kept = "generated" // build output that git ignores: a program makes it anew
)

// Losing returns the risk of a loss: the one rule about deleting and overwriting,
// whichever tool or command does it.
func (p *Policy) Losing(l Loss) Risk {
	switch {
	case l.Kept == Generated, l.Kept == ByUndo && (!l.Deletes || p.opt.Undoable):
		return Write
	}
	return Destructive
}

// why says why a loss is asked about.
func (l Loss) why(tool, path string) fault.Text {
	switch {
	case l.Buries:
		return fault.T("%s puts %s among build output, which is deleted unasked, and undo may not restore it", tool, path)
	case l.Kept == ByUndo:
		return fault.T("%s deletes %s", tool, path)
	case l.Deletes:
		return fault.T("%s deletes %s, and undo cannot restore it", tool, path)
	}
	return fault.T("%s overwrites %s, and undo cannot restore it", tool, path)
}
