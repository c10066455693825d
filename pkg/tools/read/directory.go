package read

import (
	"context"

	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/listing"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Listing is what a directory holds.
type Listing struct {
	Entries []listing.Entry `json:"entries"`
	Total   int             `json:"total"` // entries there are
}

func directory(ctx context.Context, env *tool.Env, root *workspace.Root, a Args) (Result, error) {
	l, err := listing.List(ctx, root, a.Path, listing.Options{Depth: 1, All: true, Limit: limit.Entries})
	if err != nil {
		return Result{}, err
	}
	for _, w := range l.Warnings() {
		env.Warn(w)
	}
	entries := l.Entries
	if entries == nil {
		entries = []listing.Entry{}
	}
	return Result{Path: a.Path, Kind: "directory", Truncated: l.Total > len(entries), Listing: &Listing{entries, l.Total}}, nil
}
