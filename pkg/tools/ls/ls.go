// Package ls is the tool that lists directories. It knows no patterns; see find.
package ls

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/listing"
)

// Args are the arguments.
type Args struct {
	Path  string `json:"path,omitzero" doc:"Directory to list." path:"read" default:"." alias:"dir,directory,dir_path"`
	Depth int    `json:"depth,omitzero" doc:"Levels to list: 1 is the directory itself." default:"1" min:"1" max:"32"`
	All   bool   `json:"all,omitzero" doc:"Include names that start with a dot."`
	Limit int    `json:"limit,omitzero" doc:"Maximum number of entries." default:"500" min:"1" max:"10000" unlisted:"true"`
	// DirectoryOnly is for names whose owners list no files.
	DirectoryOnly bool `json:"directory_only,omitzero" doc:"Fail with not_a_directory for a file." unlisted:"true"`
	Itself        bool `json:"itself,omitzero" doc:"List the directory itself, with its permissions, not what is in it." unlisted:"true"`
	MaxTokens     int  `json:"max_tokens,omitzero" doc:"Maximum number of tokens of text to return, estimated." unlisted:"true" min:"1" max:"10000000"`
}

// Result is a listing as a tree: directories first, then by name, each followed by
// its own entries.
type Result struct {
	Path string `json:"path"`
	listing.Listing
}

// Tool lists a directory.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "ls", Title: "List a directory",
	Risk: policy.Read,
	Doc: "List a directory: names, types, sizes and the line counts of text files. What is inside ignored directories is left out. To find " +
		"files by name use find.",
	DefaultArg: "path",
	Examples: []tool.Example{
		{Doc: "the workspace root", Args: `{}`},
		{Doc: "two levels of a directory", Args: `{"path":"src","depth":2}`},
	},
	Run:  run,
	Text: func(r Result, v screen.View) string { return r.Text(r.Path, v) },
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	if a.DirectoryOnly || a.Itself {
		root, path, err := call.Confined(a.Path)
		if err != nil {
			return Result{}, err
		}
		info, err := root.Stat(path)
		switch {
		case err == nil && a.Itself:
			return Result{a.Path, listing.Of(a.Path, info)}, nil
		case err == nil && !info.IsDir():
			return Result{}, fault.New(fault.NotADirectory, fault.T("%s is a file", a.Path)).
				WithHint(fault.T("read reads it"))
		}
	}
	l, err := listing.List(ctx, call, a.Path, listing.Options{Depth: a.Depth, All: a.All, Limit: a.Limit, Tokens: a.MaxTokens})
	if err != nil {
		return Result{}, err
	}
	return Result{a.Path, l}, nil
}
