// Package scope is the part of the workspace that a call goes through: below one
// path, past what ignore rules exclude and what the policy hides. It searches
// nothing itself.
package scope

import (
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Scope is what to search, open.
type Scope struct {
	search.Scope
	Root search.Root

	call  *tool.Call
	root  *workspace.Root
	given string // the path that the caller named
	close func()
}

// searchTime is how long a search may take before it returns what it has.
const searchTime = 30 * time.Second

// Open prepares to search below a path that the guard has confined. Links on the
// way to it are followed inside the workspace, links below it are not. The
// caller closes the scope.
func Open(call *tool.Call, path string) (*Scope, error) {
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	real, err := root.Resolve(path, schema.ReadPath)
	if err != nil {
		return nil, err
	}
	s := &Scope{call: call, root: root, given: path}
	if s.Root, s.close, err = descriptor(root); err != nil {
		return nil, err
	}
	s.Path, s.Time = real, searchTime
	if call.Hidden != nil {
		s.Deny = func(rel string, _ bool) bool { return call.Hidden(rel) }
	}
	return s, nil
}

// Close gives back what Open opened.
func (s *Scope) Close() { s.close() }

// HeedIgnores sets whether ignore rules hold, those that stand outside the
// workspace included.
func (s *Scope) HeedIgnores(heed bool) {
	if s.NoIgnore = !heed; s.NoIgnore {
		return
	}
	if s.call.Env.Excludes != nil {
		s.Excludes = s.call.Env.Excludes()
	}
	above, top := s.root.IgnoresAbove()
	s.Top = top
	for _, f := range above {
		s.Above = append(s.Above, walk.Above{Prefix: f.Prefix, Content: f.Content, Exclude: f.Exclude})
	}
}

// Renames reports whether paths are shown otherwise than they are; see [Scope.Shown].
func (s *Scope) Renames() bool { return s.given != s.Path }

// Shown is a path that was found, as it goes on from the one that the caller
// named, which may lead through a link.
func (s *Scope) Shown(rel string) string {
	if !s.Renames() {
		return rel
	}
	rest := strings.TrimPrefix(rel, s.Path)
	if s.Path == "." {
		rest = "/" + rel
	}
	if s.given == "." {
		return strings.TrimPrefix(rest, "/")
	}
	return s.given + rest
}

// Failure is the error of a search as the caller is told it.
func (s *Scope) Failure(err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	missing := s.root.NotFound(s.given)
	if s.Deny == nil {
		return missing
	}
	details, ok := fault.As(missing).Details.(workspace.Missing)
	if s.Deny(s.Path, false) || ok && slices.ContainsFunc(details.Similar, s.hides) {
		return err // which names no other path
	}
	return missing
}

// hides reports whether the policy hides a path in the form in which it is shown.
func (s *Scope) hides(shown string) bool {
	if s.Deny == nil {
		return false
	}
	rel, err := s.root.Clean(shown)
	return err != nil || s.Deny(rel, false)
}

// Similar lists paths of which the name is much like the given one, as they can be
// shown.
func (s *Scope) Similar(name string) []string {
	if name == "" {
		return nil
	}
	similar, _ := s.root.Similar(name)
	similar = slices.DeleteFunc(similar, s.hides)
	for i, p := range similar {
		similar[i] = screen.Name(p)
	}
	return similar
}

// Warn tells what could not be read.
func (s *Scope) Warn(problems []search.Problem) {
	for _, p := range problems {
		s.call.Warn(fault.T("not read: %s", "未能读取：%s", fault.As(fault.System(p.Err, screen.Name(s.Shown(p.Path)))).Message))
	}
}

// WarnLate tells that the time was over.
func (s *Scope) WarnLate() {
	s.call.Warn(fault.T("stopped after %v: this is what had been found by then; search a narrower path", "已在 %v 后停止：仅为此前的结果；请缩小 path 范围", s.Time))
}

// Decode turns content in another encoding into UTF-8 where it is certain
// enough which one it is; see [search.Decoder].
func Decode(content []byte) (utf8 []byte, ok bool) {
	d, err := text.Decode(content, "")
	if err != nil || d.Encoding == text.UTF8 || d.Encoding == text.Raw8Bit || len(d.Damaged) > 0 {
		return nil, false
	}
	return []byte(d.Text), true
}
