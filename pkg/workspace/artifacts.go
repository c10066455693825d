package workspace

import (
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// ArtifactsDir is the default directory of files that helve writes for the caller to read:
// a path from the root, in which {session} stands for the session.
const ArtifactsDir = ".helve/artifacts/{session}"

// Artifacts opens the directory of a session's artifacts as a root of its own. The
// pattern is a path as [ArtifactsDir], or "" for that one. Artifacts makes the
// directory and keeps the one that all sessions share out of version control. It is the
// only part of .helve that helve writes to. The artifact p is dir + "/" + p in the
// workspace. The session must be a single plain name.
func (r *Root) Artifacts(pattern, session string) (root *Root, dir string, err error) {
	if session == "" || strings.HasPrefix(session, ".") || strings.ContainsAny(session, `/\:`) ||
		strings.IndexByte(session, 0) >= 0 || !filepath.IsLocal(session) {
		return nil, "", fault.New(fault.InvalidArguments, fault.T("%q cannot name a session", session)).
			WithHint(fault.T("use letters, digits, '-' and '_'"))
	}
	pattern = cmp.Or(pattern, ArtifactsDir)
	dir = path.Clean(strings.ReplaceAll(pattern, "{session}", session))
	if pattern != ArtifactsDir { // of the settings, and as protected as other paths
		p, err := r.Clean(dir)
		if err != nil {
			return nil, "", err
		}
		if p, err = r.Resolve(p, schema.CreatePath); err != nil {
			return nil, "", err
		}
		dir = p.rel
	}
	shared := dir
	if before, _, several := strings.Cut(pattern, "{session}"); several {
		shared = path.Dir(path.Join(before, "x"))
	}
	all, err := r.artifacts(shared)
	if err != nil {
		return nil, "", err
	}
	if shared != "." {
		_, err = all.WriteFile(pathAt(".gitignore"), []byte("*\n"), WriteOptions{Create: true})
	}
	if closeErr := all.Close(); closeErr != nil {
		return nil, "", closeErr
	}
	if err != nil && !fault.Is(err, fault.AlreadyExists) {
		return nil, "", err
	}
	root, err = r.artifacts(dir)
	return root, dir, err
}

// ArtifactSessions returns the names of the sessions that have artifacts in [ArtifactsDir].
// A directory by the settings may hold others' files.
func (r *Root) ArtifactSessions() ([]string, error) {
	all, err := r.artifacts(path.Dir(ArtifactsDir))
	if err != nil {
		return nil, err
	}
	entries, err := all.ReadDir(pathAt("."))
	var names []string
	for _, e := range entries {
		if e.Info != nil && e.Info.IsDir() {
			names = append(names, e.Name)
		}
	}
	return names, errors.Join(err, all.Close())
}

// artifacts opens rel, which callers cannot choose, past the protection of .helve.
// It follows no link, which could lead to another directory.
func (r *Root) artifacts(rel string) (*Root, error) {
	d, _, err := r.handle.directory(rel, true)
	if unsettled(err) || isNotDir(err) {
		return nil, r.refused(linked, rel)
	}
	if err != nil {
		return nil, r.failure(err, pathAt(rel))
	}
	d.close()
	h, err := r.handle.sub(rel)
	if err != nil {
		return nil, r.failure(err, pathAt(rel))
	}
	dir := filepath.FromSlash(rel)
	return newRoot(h, filepath.Join(r.dir, dir), filepath.Join(r.spelled, dir), Options{Symlinks: Never})
}
