package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// artifactsDir is where helve itself puts what the caller has to read back.
const artifactsDir = ".helve/artifacts"

// Artifacts opens the directory of a session's artefacts as a root of its own,
// makes it if need be, and keeps it out of version control. It is the one part
// of .helve that helve writes to, and no path leads from it to another. The
// artefact p of it is dir + "/" + p in the workspace. The session must be a
// single plain name.
func (r *Root) Artifacts(session string) (root *Root, dir string, err error) {
	if session == "" || strings.HasPrefix(session, ".") || strings.ContainsAny(session, `/\:`) ||
		strings.IndexByte(session, 0) >= 0 || !filepath.IsLocal(session) {
		return nil, "", fault.New(fault.InvalidArguments, fault.T("%q cannot name a session", "%q 不能作为会话名", session)).
			WithHint(fault.T("use letters, digits, '-' and '_'", "请使用字母、数字、'-' 和 '_'"))
	}
	all, err := r.artifacts(artifactsDir)
	if err != nil {
		return nil, "", err
	}
	_, err = all.WriteFile(".gitignore", []byte("*\n"), WriteOptions{Create: true})
	if closeErr := all.Close(); closeErr != nil {
		return nil, "", closeErr
	}
	if err != nil && !fault.Is(err, fault.AlreadyExists) {
		return nil, "", err
	}
	dir = path.Join(artifactsDir, session)
	root, err = r.artifacts(dir)
	return root, dir, err
}

// artifacts opens rel, which is not the caller's choice, past the protection of
// .helve. It has no links, or else another directory would be written to.
func (r *Root) artifacts(rel string) (*Root, error) {
	d, _, err := r.handle.directory(rel, true)
	if unsettled(err) || isNotDir(err) {
		return nil, r.refused(linked, rel)
	}
	if err != nil {
		return nil, r.failure(err, rel)
	}
	d.close()
	h, err := r.handle.sub(rel)
	if err != nil {
		return nil, r.failure(err, rel)
	}
	dir := filepath.FromSlash(rel)
	return newRoot(h, filepath.Join(r.dir, dir), filepath.Join(r.spelled, dir), Options{Symlinks: Never})
}
