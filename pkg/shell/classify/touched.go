package classify

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Touch is a path that a command names, and what it does there.
type Touch struct {
	Path string // absolute, links resolved
	Use  schema.PathUse
}

// maxTouched limits the number of paths that a verdict lists.
const maxTouched = 1000

// touches notes what a command does to a path, if the word says exactly which.
func (a *analysis) touches(w word.Word, use schema.PathUse) {
	if !w.Known() {
		return
	}
	for _, p := range a.files.Resolve(w) {
		if t := (Touch{p, use}); len(a.v.Touched) < maxTouched && !slices.Contains(a.v.Touched, t) {
			a.v.Touched = append(a.v.Touched, t)
		}
	}
}

// denies applies the patterns of Options.Deny to a line.
func (a *analysis) denies(line string) {
	for _, re := range a.o.Deny {
		if re.MatchString(line) {
			a.forbid(fault.T("the policy's pattern %s forbids %s", re.String(), line))
		}
	}
}

// named notes a redirection: the patterns of Options.Deny see it behind the words of
// its command, and its target may lie outside.
func (a *analysis) named(s *syntax.Stmt, r *syntax.Redirect, target word.Word) {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return
	}
	a.names(target)
	a.stray(target)
	if len(a.o.Deny) == 0 {
		return
	}
	var words []string
	if c, ok := s.Cmd.(*syntax.CallExpr); ok {
		for _, w := range c.Args {
			words = append(words, shown(a.reader().Word(w)))
		}
	}
	a.denies(strings.Join(append(words, r.Op.String(), shown(target)), " "))
}

// shown returns a word as verdicts list it.
func shown(w word.Word) string {
	if w.Lit {
		return w.Text
	}
	return w.Source
}

// names passes on a word that may name a path.
func (a *analysis) names(w word.Word) {
	if a.o.Names == nil || strings.Contains(w.Text, "://") {
		return
	}
	for _, v := range values(w) {
		a.o.Names(v.Text, a.files.cwds)
	}
}

// stray notes a word that names a path outside the workspace, by itself or behind the
// name of an option, as in --file=/etc/hosts, if=/dev/sda and -I/usr/include. A first
// name that does not exist, as in the pattern /api/v1, names no path.
func (a *analysis) stray(w word.Word) {
	if a.o.Stray == nil || strings.Contains(w.Text, "://") {
		return
	}
	for _, v := range values(w) {
		for _, p := range a.files.Resolve(v) {
			if a.files.Within(p) || harmlessDevice(p) || !a.o.Stray(p) {
				continue
			}
			top, _, _ := strings.Cut(strings.TrimPrefix(p, "/"), "/")
			if strings.HasPrefix(v.Text, "/") && a.o.Exists != nil && top != "" && !a.o.Exists("/"+top) {
				continue
			}
			a.strays(shown(w))
		}
	}
}

func (a *analysis) strays(what string) {
	if !slices.Contains(a.v.Strays, what) && len(a.v.Strays) < maxTouched {
		a.v.Strays = append(a.v.Strays, what)
	}
}

// values returns what of an argument may be a path.
func values(w word.Word) []word.Word {
	part := func(at int) word.Word {
		v := w
		v.Text = w.Text[at:]
		return v
	}
	var all []word.Word
	if !strings.HasPrefix(w.Text, "-") {
		all = append(all, w)
	} else if len(w.Text) > 2 && w.Text[1] != '-' {
		all = append(all, part(2))
	}
	if at := strings.IndexByte(w.Text, '='); at >= 0 {
		all = append(all, part(at+1))
	}
	return all
}

// harmlessDevice reports whether a path is a device that every sandbox has.
func harmlessDevice(p string) bool {
	return terminal(p) || strings.HasPrefix(p, "/dev/fd/") || word.Listed("/dev/stdin /dev/stdout /dev/stderr", p)
}
