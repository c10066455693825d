package line

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/read"
)

// TextOfFile returns the text of a file that stands for an argument. It is a call of
// the tool that reads, so that the policy decides about it.
func TextOfFile(ctx context.Context, env *tool.Env, catalog *tools.Catalog, path string) (string, error) {
	t, err := catalog.Ours().Find(read.Tool.Name)
	if err != nil {
		return "", err
	}
	input, err := schema.Marshal(read.Args{Path: path, Limit: 1_000_000, MaxBytes: 16 << 20})
	if err != nil {
		return "", err
	}
	o := guard.Run(ctx, env, t, input)
	instead := fault.T("write the text to standard input instead: helve … < FILE")
	r, _ := o.Result.(read.Result)
	switch {
	case o.Err != nil && o.Err.Code == fault.OutsideWorkspace:
		return "", o.Err.WithHint(instead)
	case o.Err != nil:
		return "", o.Err
	case r.Content == nil:
		return "", fault.New(fault.InvalidArguments, fault.T("%s is not a text file", path)).WithHint(instead)
	case r.Truncated:
		return "", fault.New(fault.TooLarge, fault.T("%s is too large for an argument", path)).WithHint(instead)
	}
	return r.Content.Content, nil
}
