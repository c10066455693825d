// Package ls is the tool that lists directories. It searches for nothing.
package ls

import (
	"context"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/listing"
)

// Args are the arguments.
type Args struct {
	Path  string `json:"path,omitzero" doc:"Directory to list, relative to the workspace root." path:"read" default:"." alias:"dir,directory,dir_path"`
	Depth int    `json:"depth,omitzero" doc:"How many levels to list: 1 is the directory alone." default:"1" min:"1" max:"32"`
	All   bool   `json:"all,omitzero" doc:"Also list names that start with a dot."`
	Limit int    `json:"limit,omitzero" doc:"Most entries to return." default:"500" min:"1" max:"10000"`
}

// Result is a listing: each directory's entries stand together, directories
// first, then by name, and below a directory what it holds.
type Result struct {
	Path string `json:"path"`
	listing.Listing
}

// Tool lists a directory.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:    "ls",
	Aliases: []string{"list_dir", "list_directory", "file-list", "list_files"},
	Risk:    policy.Read,
	Doc: "List a directory: names, types, sizes, times, and lines of text files. depth lists what is below, too, but not what ignored directories such as build output hold; " +
		"all includes names that start with a dot. To look for a file by name use find.",
	Bare: "path",
	Examples: []tool.Example{
		{Doc: "the workspace root", Args: `{}`},
		{Doc: "two levels of a directory", Args: `{"path":"src","depth":2}`},
	},
	Run:    run,
	Styled: func(r Result, paint screen.Paint) string { return r.Text(r.Path, paint) },
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	l, err := listing.List(ctx, call, a.Path, listing.Options{Depth: a.Depth, All: a.All, Limit: a.Limit})
	if err != nil {
		return Result{}, err
	}
	return Result{a.Path, l}, nil
}
