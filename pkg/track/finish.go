package track

import (
	"context"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
)

// Finish does what helve did not come to when it was stopped while a command ran: what runs
// on is ended, what others would obey lies aside, and what the command changed is recorded.
// It returns what it did. Where there is nothing to do, that is one look at a directory.
// permits is for [sandbox.System.Abandoned].
func Finish(ctx context.Context, dir *state.Dir, history func() (*journal.Journal, error), permits func(rel string) bool) (said []fault.Text) {
	path, err := dir.Path()
	if err != nil {
		return nil // whatever needs the directory says so
	}
	all, err := native.Abandoned(path, permits)
	if err != nil {
		said = append(said, fault.T("helve was stopped while a command ran, and not all that it left could be finished: %s", fault.As(err).Message))
	}
	for _, one := range all {
		said = append(said, told(one)...)
	}
	if len(all) == 0 {
		return said
	}
	j, err := history()
	if err != nil {
		return append(said, fault.As(err).Message)
	}
	late, err := j.Recover(ctx)
	if err != nil {
		late = append(late, fault.As(err).Message)
	}
	return append(said, late...)
}

// told describes what was finished after a command.
func told(one sandbox.Abandoned) (said []fault.Text) {
	if len(one.Planted) > 0 {
		var names []string
		for _, m := range one.Planted[:min(len(one.Planted), mostNamed)] {
			names = append(names, fmt.Sprintf("%s -> %s", m.Path, m.To))
		}
		said = append(said, fault.T("helve was stopped while a command ran; %d of its files, which other programs would obey, lie aside: %s", len(one.Planted), strings.Join(names, ", ")))
	}
	if len(one.Restored) > 0 {
		said = append(said, fault.T("helve was stopped while a command ran; protected files that it had changed are as they were: %s", strings.Join(one.Restored[:min(len(one.Restored), mostNamed)], ", ")))
	}
	if len(one.Alive) > 0 {
		said = append(said, fault.T("helve was stopped while a command ran, and its process %d cannot be ended", one.Alive[0]))
	}
	return said
}
