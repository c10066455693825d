package exec

import (
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/workspace"
)

// The names of files with whole outputs: the prefix, an id that sorts by time,
// the suffix.
const (
	outputPrefix = "exec-"
	outputSuffix = ".log"
)

func newID(now time.Time) string { return state.NewID(now) }

// clearOutputs removes what is old, and the oldest of what takes too much room.
// It is housekeeping: what cannot be removed is tried again by the next.
func clearOutputs(artifacts *workspace.Root, now time.Time) {
	entries, err := artifacts.ReadDir(".")
	if err != nil {
		return
	}
	var bytes int64
	kept := 0
	for _, e := range slices.Backward(entries) { // the newest first
		if !strings.HasPrefix(e.Name, outputPrefix) || !strings.HasSuffix(e.Name, outputSuffix) || e.Info == nil {
			continue
		}
		bytes += e.Info.Size()
		if kept++; kept >= limit.ExecOutputs || bytes > limit.ExecOutputBytes || now.Sub(e.Info.ModTime()) > limit.ExecOutputAge {
			_ = artifacts.Remove(e.Name) // see above
		}
	}
}
