package read

import (
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// targets returns those of a.Paths that the guard decides about. What leads out of the
// workspace, and what a rule denies, is left to run, which refuses it by itself: the
// other files are read all the same.
func targets(_ context.Context, call *tool.Call, a Args) ([]tool.Target, error) {
	if len(a.Paths) == 0 {
		return nil, nil
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	var all []tool.Target
	for _, path := range a.Paths {
		if _, _, named := call.Home.SplitProject(path); !named && !call.Foreign() {
			at, err := root.Clean(path)
			if err != nil {
				continue
			}
			real, err := root.Resolve(at, schema.ReadPath)
			if err != nil || call.Verdict(real.String(), schema.ReadPath) == policy.Deny {
				continue
			}
		}
		all = append(all, tool.Target{Use: schema.ReadPath, Path: path})
	}
	return all, nil
}

// permitted refuses one of several files that the guard did not decide about and that
// the policy does not simply allow to read.
func permitted(call *tool.Call, path string) error {
	root, at, err := call.Confined(path)
	if err != nil {
		return err
	}
	real, err := root.Resolve(at, schema.ReadPath)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(call.Paths, func(p tool.Path) bool { return p.Real == real }) || call.Hidden == nil || !call.Hidden(real.String()) {
		return nil
	}
	return fault.New(fault.Denied, fault.T("the policy does not allow to read %s", path)).
		WithHint(fault.T("go on without it, or ask the user"))
}
