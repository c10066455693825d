package read

import (
	"context"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/listing"
)

// Listing is the content of a directory.
type Listing struct {
	Entries []search.Listed `json:"entries"`
	Total   int             `json:"total"` // of all entries
}

// maxEntries limits the entries of directories in a result; ls lists more.
const maxEntries = 500

func directory(ctx context.Context, call *tool.Call, a Args, limit int) (Result, error) {
	l, err := listing.List(ctx, call, a.Path, listing.Options{Depth: 1, All: true, Limit: limit})
	if err != nil {
		return Result{}, err
	}
	return Result{Path: a.Path, Kind: "directory", Truncated: l.Truncated, Listing: &Listing{l.Entries, l.Total}}, nil
}
