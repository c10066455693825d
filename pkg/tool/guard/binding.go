package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// requestOf returns the call as the policy sees it.
func requestOf(c *tool.Call) (policy.Request, error) {
	q := policy.Request{Tool: c.Tool.Name, Risk: c.Tool.Risk, Project: c.Project(), Web: c.Tool.Web, Hosts: c.Tool.Hosts(c)}
	for _, p := range c.Paths {
		path := policy.Path{Path: p.Real.String(), Use: p.Use, Loss: p.Loss}
		if path.Use != schema.ReadPath {
			root, err := c.Env.Root()
			if err != nil {
				return q, err
			}
			info, err := root.Lstat(p.Real)
			path.Tree = err == nil && info.IsDir()
			path.Obeyed = !p.Whole && root.Asks(p.Clean, p.Use)
		}
		q.Paths = append(q.Paths, path)
	}
	if c.Judgement != nil {
		judged(&q, c.Judgement)
	}
	return q, nil
}

// requestsOf returns the call as the policy sees it, and what it has done later.
func requestsOf(c *tool.Call) ([]policy.Request, error) {
	q, err := requestOf(c)
	if err != nil {
		return nil, err
	}
	all := []policy.Request{q}
	if c.Tool.PresetOf != "" { // rules about a tool apply to its presets, too
		q.Tool = c.Tool.PresetOf
		all = append(all, q)
	}
	if c.Judgement != nil {
		all = append(all, c.Judgement.Further...)
	}
	return all, nil
}

// identify returns what tells a call from every other.
func identify(c *tool.Call) (approval.Call, error) {
	args, err := schema.Marshal(c.Tool.Schema().Values(c.Args)) // without those of a preset: the caller passes these again
	if err != nil {
		return approval.Call{}, err
	}
	root, err := c.Env.Root()
	if err != nil {
		return approval.Call{}, err
	}
	return approval.Call{
		Tool: c.Tool.Name, Args: args, Risk: c.Risk(), Session: c.Env.Session, Binding: approval.Binding{Dir: root.Dir(), DirID: root.ID()},
	}, nil
}

// describe returns the call as a person decides about it, without its preview, and
// what the decision is bound to.
func (a *Approver) describe(ctx context.Context, c *tool.Call, d policy.Decision) (approval.Call, error) {
	call, err := identify(c)
	if err != nil {
		return approval.Call{}, err
	}
	call.Binding.Program = c.Tool.Digest
	if call.Binding.Policy, err = a.Policy.Revision(); err != nil {
		return approval.Call{}, err
	}
	why := d.Why()
	if c.Judgement != nil && len(c.Judgement.Reasons) > 0 {
		why = d.Reasons
	}
	for _, r := range why {
		call.Reasons = append(call.Reasons, approval.WordsOf(r))
	}
	if j := c.Judgement; j != nil {
		for _, r := range j.Reasons {
			if !j.Granted && slices.ContainsFunc(j.Commands, func(c policy.Command) bool { // the policy says so, with the arguments
				return c.Network && !c.Shared && len(c.Argv) > 0 && r.String() == fault.T("%s reaches other machines", path.Base(c.Argv[0])).String()
			}) {
				continue
			}
			call.Reasons = append(call.Reasons, approval.WordsOf(r))
		}
		if call.Rule, err = a.rule(c); err != nil {
			return approval.Call{}, err
		}
		if j.Pin != nil {
			if call.Binding.Program, call.Binding.Targets, err = j.Pin(ctx); err != nil {
				return approval.Call{}, err
			}
		}
	}
	for _, p := range c.Paths {
		if p.Use == schema.ReadPath {
			continue
		}
		sha, err := preimage(c.Env, p.Real)
		if err != nil {
			return approval.Call{}, err
		}
		call.Binding.Targets = append(call.Binding.Targets, approval.Target{Path: p.Real.String(), SHA: sha})
	}
	return call, nil
}

// preimage returns the SHA-256 of the bytes of a file, "" if there is no file.
func preimage(env *tool.Env, real workspace.Path) (string, error) {
	root, err := env.Root()
	if err != nil {
		return "", err
	}
	info, err := root.Lstat(real)
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	f, err := root.Open(real)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fault.System(err, real.String())
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
