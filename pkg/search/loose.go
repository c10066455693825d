package search

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/search/glob"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace/rank"
)

// loose finds files that globs without a match may have meant: the same below another
// directory or in another case, or a name with a typing error.
type loose struct {
	globs   []*glob.Glob // match paths in lower case
	rankers []*rank.Ranker
	kept    *best
}

// newLoose returns nil if the find has no globs.
func newLoose(f *find, start string) *loose {
	if len(f.names.include) == 0 {
		return nil
	}
	l := &loose{kept: newBest(f.Limit, f.Offset)}
	var texts []string
	for _, text := range f.Globs {
		if strings.HasPrefix(text, "!") {
			continue
		}
		for _, from := range []string{start + "/", "./", "/"} {
			text = strings.TrimPrefix(text, from)
		}
		// A pattern of a name alone matches at any depth already.
		if g, err := glob.Compile("**/" + strings.TrimPrefix(strings.ToLower(text), "**/")); err == nil {
			l.globs = append(l.globs, g)
		}
		if text = literal(text); text != "" {
			texts = append(texts, text)
		}
	}
	if q := rank.Compile(strings.Join(texts, "|")); q != nil {
		for range walk.Workers() {
			l.rankers = append(l.rankers, q.Ranker())
		}
	}
	return l
}

// literal returns the name in a glob, if it names one file, whatever is around it.
func literal(text string) string {
	name := strings.Trim(text[strings.LastIndexByte(text, '/')+1:], "*")
	if strings.ContainsAny(name, `*?[{\`) || strings.HasPrefix(name, ".") {
		return ""
	}
	return name
}

// look keeps an entry that the globs do not select if they may have meant it.
func (l *loose) look(worker int, e walk.Entry) {
	lower := strings.ToLower(e.Path())
	for _, g := range l.globs {
		if g.Match(lower) {
			l.kept.add(worker, rank.Score{Tier: rank.Near, Points: 1000}, e)
			return
		}
	}
	if l.rankers == nil {
		return
	}
	r := l.rankers[worker]
	r.Enter(e.Prefix())
	if s := r.Rank(e.Name(), rank.Near); s.Tier < rank.None {
		s.Tier = rank.Some // a guess, and worse than the glob elsewhere
		l.kept.add(worker, s, e)
	}
}

// Near returns at most so many files that globs without a match may have meant.
func Near(ctx context.Context, root Root, s Scope, globs []string, most int) ([]string, error) {
	r, err := Find(ctx, root, FindOptions{Scope: s, Globs: globs, Type: File, Limit: most, NamesOnly: true})
	if err != nil || !r.Guessed {
		return nil, err
	}
	var paths []string
	for m := range r.Matches {
		paths = append(paths, m.Path())
	}
	return paths, nil
}
