package search

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/search/walk"
)

// ListOptions say what to list.
type ListOptions struct {
	Scope
	Limit int // most entries; nearer levels come first. 0 is the default
}

// Listed is an entry of a tree.
type Listed struct {
	Path     string    `json:"path"`
	Type     Type      `json:"type"`
	Size     int64     `json:"size"` // bytes
	Modified time.Time `json:"modified,omitzero"`
}

// ListResult is a tree: in each directory its directories come first, then the
// rest, by name, and below each directory what it holds.
type ListResult struct {
	Entries             []Listed
	Total               int // with TotalExact; otherwise what had been seen
	TotalExact          bool
	Truncated, TimedOut bool
	Skipped             Skipped
	Problems            []Problem
}

// List lists the tree below a directory down to Depth levels.
func List(ctx context.Context, root Root, o ListOptions) (ListResult, error) {
	if o.Limit <= 0 {
		o.Limit = limit.SearchMatches
	}
	at, err := o.begin(root)
	if err != nil {
		return ListResult{}, err
	}
	w := o.walker(root, &names{})
	result := ListResult{TotalExact: true}
	var taken []walk.Entry
	end := o.bounded(ctx, w)
	if at.kind == walk.Dir {
		walk.Levels{
			MaxDepth: o.Depth,
			Take:     func(int, *walk.Handle, walk.Entry) bool { return true },
			Level: func(found []walk.Entry) bool {
				result.Total += len(found)
				taken = append(taken, found[:min(len(found), o.Limit-len(taken))]...)
				return result.Total <= o.Limit
			},
		}.Run(w, w.Start(at.rel))
	} else {
		result.Total, taken = 1, []walk.Entry{walk.EntryAt(at.rel, at.kind)}
	}
	late, err := end()
	if err != nil {
		return ListResult{}, err
	}
	result.TimedOut, result.Truncated = late, late || result.Total > len(taken)
	result.TotalExact = !result.Truncated
	infos := root.StatAll(taken)
	for i, e := range taken {
		result.Entries = append(result.Entries, Listed{validPath(e.Path()), typeOf(e.Type), infos[i].Size, infos[i].Modified})
	}
	slices.SortStableFunc(result.Entries, asTree)
	result.Skipped, result.Problems = skippedOf(w)
	return result, nil
}

// asTree orders entries as a tree is written down.
func asTree(a, b Listed) int {
	x, y := a.Path, b.Path
	for {
		first, restX, deeperX := strings.Cut(x, "/")
		second, restY, deeperY := strings.Cut(y, "/")
		if first == second {
			if !deeperX || !deeperY {
				return len(x) - len(y) // a directory stands before what it holds
			}
			x, y = restX, restY
			continue
		}
		dirX, dirY := deeperX || a.Type == Dir, deeperY || b.Type == Dir
		if dirX != dirY {
			if dirX {
				return -1
			}
			return 1
		}
		return strings.Compare(first, second)
	}
}
