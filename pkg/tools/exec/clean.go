package exec

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/moves"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// mostCleaned limits the paths that a preview of a clean names.
const mostCleaned = 100

// cleaned shows what git clean will delete, as git says itself, and what of it undo will not
// restore. Where a copy has shown the first, only the second.
func (r *request) cleaned(ctx context.Context, call *tool.Call) (string, error) {
	var goes []string
	for _, c := range r.verdict.Git {
		if len(c.Dirs) != 1 || !r.mayFind(c) {
			continue
		}
		dir, words, ok := moves.Clean(filepath.FromSlash(c.Dirs[0]), c.Args)
		if !ok {
			continue
		}
		said, _, err := r.askGit(ctx, call, dir, "", words)
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(said) {
			if name, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "Would remove "); ok {
				if plain, err := strconv.Unquote(name); err == nil {
					name = plain
				}
				goes = append(goes, filepath.Join(dir, name)+name[len(strings.TrimRight(name, "/")):])
			}
		}
	}
	if len(goes) == 0 {
		return "", nil
	}
	view, err := track.Workspace{Root: r.Root, Excludes: excludes(call)}.Look(ctx)
	if err != nil {
		return "", err
	}
	var lost []string
	for _, path := range goes {
		if rel, ok := workspace.RelOS(filepath.Clean(path), r.Root.Dir()); !ok || !view.Restores(filepath.ToSlash(rel)) {
			lost = append(lost, path)
		}
	}
	var b strings.Builder
	list := func(title fault.Text, paths []string) {
		if len(paths) == 0 {
			return
		}
		b.WriteString("\n" + title.In(call.Env.Lang) + "\n")
		for _, path := range paths[:min(len(paths), mostCleaned)] {
			b.WriteString("  " + r.Shown(filepath.Clean(path)) + path[len(strings.TrimRight(path, "/")):] + "\n")
		}
		if more := len(paths) - mostCleaned; more > 0 {
			b.WriteString("  " + fault.T("and %d more", more).In(call.Env.Lang) + "\n")
		}
	}
	if call.ChangeSet == "" {
		list(fault.T("it deletes what git does not track:"), goes)
	}
	list(fault.T("undo may not restore all of:"), lost)
	return b.String(), nil
}
