package policy

// Risk is the worst possible effect of a call. The risks have an order, which differs
// from that of the strings: compare them by [Risk.Worse] and [Worst].
type Risk string

// The risks, in rising order. A risk that is none of them counts as Destructive.
const (
	Read        Risk = "read"        // changes nothing
	Write       Risk = "write"       // changes files of the workspace, which undo takes back
	Destructive Risk = "destructive" // may lose or leak what cannot be got back
)

// Worse reports whether r is worse than other.
func (r Risk) Worse(other Risk) bool { return r.level() > other.level() }

// Worst returns the worst of the risks; Read when there are none.
func Worst(risks ...Risk) Risk {
	worst := Read
	for _, r := range risks {
		if r.Worse(worst) {
			worst = r
		}
	}
	return worst
}

func (r Risk) level() int {
	switch r {
	case Read:
		return 0
	case Write:
		return 1
	}
	return 2
}
