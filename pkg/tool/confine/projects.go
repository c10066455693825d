package confine

import (
	"path"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// visitProjects finds the files of other projects that rules keep from being read.
func (p *Sandboxed) visitProjects(call *tool.Call, left *int, found *policyPaths) error {
	for id, dir := range p.Machine.Projects {
		if id == call.Env.Project {
			continue
		}
		root, err := workspace.Open(dir, workspace.Options{})
		if err != nil {
			continue // there is nothing to read
		}
		if !workspace.WithinOS(root.Dir(), p.Root.Dir()) && !workspace.WithinOS(p.Root.Dir(), root.Dir()) {
			err = hideIn(call.Env.Policy, policy.Project{ID: id, Foreign: true}, root, ".", left, found)
		}
		if closing := root.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hideIn finds what of a directory of a project must not be read.
func hideIn(rules *policy.Policy, in policy.Project, root *workspace.Root, dir string, left *int, found *policyPaths) error {
	entries, err := root.ReadDir(root.At(dir))
	if fault.Is(err, fault.PermissionDenied) || fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if *left--; *left < 0 {
			return tooMany()
		}
		name := path.Join(dir, e.Name)
		if rules.Path(in, name, schema.ReadPath) != policy.Allow {
			found.hidden = append(found.hidden, root.Path(name))
			continue
		}
		if e.Info != nil && e.Info.IsDir() {
			if err := hideIn(rules, in, root, name, left, found); err != nil {
				return err
			}
		}
	}
	return nil
}

func tooMany() error {
	return fault.New(fault.TooLarge, fault.T("the workspace has more than %d entries to compare with the rules", visits)).
		WithHint(fault.T("use a subdirectory as root, or rules about argv"))
}
