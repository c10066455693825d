package tool

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
)

// Profile is a name of a tool under which some arguments are fixed.
type Profile struct {
	Name  string
	Fixed string // a JSON object
}

// Judgement is what one call may do at worst.
type Judgement struct {
	Risk    Risk
	Flags   []string     // stable words about why
	Reasons []fault.Text // the same for people
	// Commands are the simple commands that would run, and Rest what is done
	// outside of them, by redirections for example.
	Commands []Command
	Rest     Command
	Network  bool // reaches other machines
	// Granted says that the settings let it reach them, Unconfined that nothing
	// holds it to the workspace.
	Granted, Unconfined bool
	// OnlyRead says that the caller wants nothing but reading.
	OnlyRead bool
	// Forbidden says why nobody may allow it; empty when somebody may.
	Forbidden fault.Text
	// Pin gives what a decision about the call is bound to beside its arguments;
	// nil for nothing. It is asked when somebody must decide.
	Pin func(context.Context) (Pins, error)
	// Effect names what the call did in a preview. Preview sets it, and Run finds
	// the one that somebody allowed; "" is none.
	Effect string
	// Note is what Run needs to know of it again.
	Note any
}

// Command is one simple command with its own risk.
type Command struct {
	Argv    []string
	Risk    Risk
	Network bool
}

// Pins are what must be the same when a call is carried out as when it was
// decided about.
type Pins struct {
	Program string // the programs, with what tells them from others of their names
	Targets []Pinned
}

// Pinned is a file as it was when a call was judged.
type Pinned struct {
	Path string
	SHA  string // of its bytes, or another word for its content; "" when there is no file
}

// Risk is what the call may do: as it was judged, or else what its tool may.
func (c *Call) Risk() Risk {
	if c.Env != nil && c.Env.Judged != nil {
		return c.Env.Judged.Risk
	}
	return c.Tool.Risk
}
