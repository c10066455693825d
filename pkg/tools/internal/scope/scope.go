// Package scope opens the part of the workspace that a call searches: what is below
// a path, except what ignore rules exclude or the policy hides. It does not search.
package scope

import (
	"context"
	"errors"
	"path/filepath"
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

// Scope is an open part of the workspace.
type Scope struct {
	search.Scope
	Root search.Root

	call  *tool.Call
	root  *workspace.Root
	given string         // the path that the caller named
	at    workspace.Path // the same
	real  string         // where it leads; Path is the same, as the system has it
	close func()
}

// searchTime limits a search: after it the search returns the matches so far.
const searchTime = 30 * time.Second

// Open opens what is below a path that the guard has confined. Links in the path
// itself are followed, links below it are not. The caller closes the scope.
func Open(call *tool.Call, path string) (*Scope, error) {
	root, given, err := call.Confined(path)
	if err != nil {
		return nil, err
	}
	real, err := root.Resolve(given, schema.ReadPath)
	if err != nil {
		return nil, err
	}
	s := &Scope{call: call, root: root, given: path, at: given}
	if s.Root, s.close, err = walk.Open(root); err != nil {
		return nil, err
	}
	s.real, s.Path, s.Time = real.String(), workspace.Unescape(real.String()), searchTime
	if call.Hidden != nil {
		s.Deny = func(rel string, _ bool) bool { return call.Hidden(workspace.Escape(rel)) }
	}
	return s, nil
}

// Close closes what Open opened.
func (s *Scope) Close() { s.close() }

// UseIgnores sets whether ignore rules apply, those outside the workspace included.
func (s *Scope) UseIgnores(use bool) {
	if s.NoIgnore = !use; s.NoIgnore {
		return
	}
	if s.call.Env.Excludes != nil {
		s.Excludes = s.call.Env.Excludes()
	}
	above, top := s.root.IgnoresAbove()
	s.Top, s.Repository = top, s.root.GitRules
	for _, f := range above {
		s.Above = append(s.Above, walk.Above{Prefix: f.Prefix, Content: f.Content, Exclude: f.Exclude})
	}
}

// Renames reports whether paths are shown under another name; see [Scope.Shown].
func (s *Scope) Renames() bool { return s.given != s.real }

// Shown returns a found path as a continuation of the path that the caller named,
// which may lead through a link.
func (s *Scope) Shown(rel string) string {
	if !s.Renames() {
		return rel
	}
	rest := strings.TrimPrefix(rel, s.real)
	if s.real == "." {
		rest = "/" + rel
	}
	if s.given == "." {
		return strings.TrimPrefix(rest, "/")
	}
	return s.given + rest
}

// Failure returns the error of a search as the caller may see it.
func (s *Scope) Failure(err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	missing := s.root.NotFound(s.at)
	if s.Deny == nil {
		return missing
	}
	details, ok := fault.As(missing).Details.(workspace.Missing)
	if s.Deny(s.Path, false) || ok && slices.ContainsFunc(details.Similar, s.hides) {
		return err // it names no other path
	}
	return missing
}

// hides reports whether the policy hides a path, as it is shown.
func (s *Scope) hides(shown string) bool {
	if s.Deny == nil {
		return false
	}
	p, err := s.root.Clean(shown)
	return err != nil || s.call.Hidden(p.String())
}

// Relative returns an absolute path inside the workspace as one relative to it, and any
// other text as it is. What follows the first wildcard is kept.
func (s *Scope) Relative(text string) string {
	path, rest := text, ""
	if at := strings.IndexAny(text, "*?[{"); at >= 0 {
		at = strings.LastIndexByte(text[:at], '/') + 1
		path, rest = text[:at], text[at:]
	}
	if !filepath.IsAbs(path) {
		return text
	}
	p, err := s.root.Clean(path)
	rel := p.String()
	switch {
	case err != nil:
		return text
	case rel == ".":
		return rest
	case rest != "":
		rel += "/"
	}
	return rel + rest
}

// mostNear limits the paths named that globs may have meant.
const mostNear = 3

// Near returns files that globs may have meant which select none, as they are shown.
func (s *Scope) Near(ctx context.Context, globs string) []string {
	if globs == "" {
		return nil
	}
	near, err := search.Near(ctx, s.Root, s.Scope, Globs(globs), mostNear)
	if err != nil {
		return nil // it would only have been a hint
	}
	for i, p := range near {
		near[i] = screen.Name(s.Shown(p))
	}
	return near
}

// Warn warns of what could not be read.
func (s *Scope) Warn(problems []search.Problem) {
	for _, p := range problems {
		path := screen.Name(s.Shown(p.Path))
		why := fault.As(fault.System(p.Err, path)).Message
		if _, own := errors.AsType[*fault.Error](p.Err); own { // which does not name the path
			why = fault.T("%s: %s", path, why)
		}
		s.call.Warn(fault.T("not read: %s", why))
	}
}

// WarnLate warns that the search ran out of time.
func (s *Scope) WarnLate() {
	s.call.Warn(fault.T("stopped after %v: these are the results so far; search a narrower path", s.Time))
}

// Decode recognises the encoding of a text that is not UTF-8 if it is certain enough;
// see [search.Decoder].
func Decode(sample []byte) (part search.Part, ok bool) {
	d, err := text.Decode(sample, "")
	switch {
	case err != nil || d.Encoding == text.Raw8Bit:
		return nil, false
	case d.Encoding == text.UTF8:
		return nil, true
	case len(d.Damaged) > 0:
		return nil, false
	}
	return d.Part()
}
