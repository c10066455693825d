package moves

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// plan is a forecast that is being made.
type plan struct {
	World
	ctx  context.Context
	call Call
	dir  string // where the command runs
	top  string // of the working tree
	git  gitdir.Dir
	f    *Forecast
	err  error
}

// run has git answer, "" if it cannot.
func (p *plan) run(args ...string) (string, bool) { return p.ask("", args...) }

func (p *plan) ask(input string, args ...string) (string, bool) {
	if p.err != nil {
		return "", false
	}
	// A list of commits that only speeds git up may say anything.
	out, ok, err := p.Git(p.ctx, p.dir, input, append([]string{"-c", "core.commitGraph=false"}, args...)...)
	p.err = err
	return out, ok && err == nil
}

// commit returns the id of the commit that a word names, "" if it names none.
func (p *plan) commit(name string) string {
	switch name = p.moved(name); {
	case name == "" || strings.HasPrefix(name, "-"):
		return ""
	case name == p.call.Head:
		return name
	}
	out, ok := p.run("rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if !ok {
		return ""
	}
	id := strings.TrimSpace(out)
	return id[strings.LastIndexByte(id, '\n')+1:] // old versions print the option as well
}

// moved returns a name for commits with the commit that HEAD leads to by then.
func (p *plan) moved(name string) string {
	if p.call.Head == "" {
		return name
	}
	ends := strings.SplitN(name, "..", 2)
	for i, end := range ends {
		for _, head := range [...]string{"HEAD", "@"} {
			if rest, ok := strings.CutPrefix(end, head); ok && (rest == "" || strings.ContainsAny(rest[:1], "~^.")) {
				ends[i] = p.call.Head + rest
			}
		}
	}
	return strings.Join(ends, "..")
}

// entry is one line of git's list of changes.
type entry struct {
	commit           string // of a log
	newMode          string
	oldBlob, newBlob string // "" for no file
	status           string
	path, to         string // relative to the top; to is the new one of a rename
}

// parse reads the lists that git prints with --raw -z, or those of a log with the id of each
// commit before its changes.
func parse(out string) (all []entry) {
	words := strings.Split(out, "\x00")
	commit := ""
	for i := 0; i < len(words); i++ {
		word := strings.TrimLeft(words[i], "\n")
		meta := strings.TrimLeft(word, ":")
		parents := len(word) - len(meta)
		if parents == 0 {
			if word != "" {
				commit = word
			}
			continue
		}
		fields := strings.Fields(meta)
		if len(fields) != 2*parents+3 || i+1 >= len(words) {
			continue
		}
		e := entry{commit: commit, newMode: fields[parents], newBlob: blob(fields[2*parents+1]), status: fields[len(fields)-1]}
		if parents == 1 {
			e.oldBlob = blob(fields[2])
		}
		if e.newMode == "000000" {
			e.newBlob = ""
		}
		i++
		e.path = words[i]
		if parents == 1 && (e.status[0] == 'R' || e.status[0] == 'C') && i+1 < len(words) {
			i++
			e.to = words[i]
		}
		all = append(all, e)
	}
	return all
}

// blob returns an id, "" for that of nothing.
func blob(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// change adds a change of a file of the working tree below a directory.
func (p *plan) change(top, rel string, brought, merged bool, blobs ...string) {
	abs := filepath.Join(top, filepath.FromSlash(rel))
	if rel == "" || !p.Wants(abs) {
		return
	}
	if brought && !merged && !p.Doubts && p.Had != nil && len(blobs) == 1 && p.Had(abs, blobs[0]) {
		brought = false
	}
	i := slices.IndexFunc(p.f.Changes, func(c Change) bool { return c.Path == abs })
	if i < 0 {
		i = len(p.f.Changes)
		p.f.Changes = append(p.f.Changes, Change{Path: abs})
	}
	c := &p.f.Changes[i]
	c.Merged, c.Brought = c.Merged || merged, c.Brought || brought
	for _, b := range blobs {
		if !slices.Contains(c.Blobs, b) {
			c.Blobs = append(c.Blobs, b)
		}
	}
}

// wanted reports whether any of some entries is looked for.
func (p *plan) wanted(all []entry) bool {
	return slices.ContainsFunc(all, func(e entry) bool {
		return p.Wants(filepath.Join(p.top, filepath.FromSlash(e.path))) || e.to != "" && p.Wants(filepath.Join(p.top, filepath.FromSlash(e.to)))
	})
}

// origin says of files whether commits that are not known changed them.
type origin struct {
	all   bool
	blobs map[string][]string // by path, the contents that such commits gave them
}

// brings reports whether a content of a file, or with merged any, comes from such a commit.
func (o origin) brings(rel, blob string, merged bool) bool {
	if o.all {
		return true
	}
	blobs, ok := o.blobs[rel]
	return ok && (merged || slices.Contains(blobs, blob))
}

// origin looks at the commits that lead to some, but for the known ones.
func (p *plan) origin(ids ...string) origin {
	if p.Doubts {
		return origin{all: true}
	}
	out, ok := p.ask(p.but(ids...), "--no-replace-objects", "log", "--format=%H", "--raw", "--no-abbrev", "-z", "-c", "--no-renames", "--no-show-signature",
		"--ignore-missing", "--stdin", "--")
	if !ok {
		return origin{all: true}
	}
	o := origin{blobs: map[string][]string{}}
	for _, e := range parse(out) {
		o.blobs[e.path] = append(o.blobs[e.path], e.newBlob)
	}
	return o
}

// but returns the input for git by which it walks from some commits, but for the known
// ones.
func (p *plan) but(ids ...string) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(id + "\n")
	}
	for _, id := range p.Tips {
		b.WriteString("^" + id + "\n")
	}
	return b.String()
}

var rawOptions = []string{"-r", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"}

// words joins lists of words.
func words(lists ...[]string) []string { return slices.Concat(lists...) }

// becomes adds that the working tree turns from one commit to another; with by, merged by
// git with what else is there.
func (p *plan) becomes(from, to string, merged bool) {
	out, ok := p.run(words([]string{"diff-tree"}, rawOptions, []string{from, to, "--"})...)
	if all := parse(out); ok && p.wanted(all) {
		p.addAll(all, p.origin(to), merged)
		p.shows(p.dir, "diff-tree", "-p", "--no-ext-diff", "--no-textconv", from, to)
	}
}

// overwrites adds that files of the working tree get what they have in a commit.
func (p *plan) overwrites(commit string, paths []string) {
	out, ok := p.run(words([]string{"diff-index", "-R"}, rawOptions, []string{commit, "--"}, paths)...)
	if all := parse(out); ok && p.wanted(all) {
		p.addAll(all, p.origin(commit), false)
		p.shows(p.dir, "diff-index", "-p", "-R", "--no-ext-diff", "--no-textconv", commit)
	}
}

// overwritesByIndex adds that files of the working tree get what the index has. That may
// be what no commit has.
func (p *plan) overwritesByIndex(paths []string) {
	out, ok := p.run(words([]string{"diff-files", "-R"}, rawOptions, []string{"--"}, paths)...)
	all := parse(out)
	if !ok || !p.wanted(all) {
		return
	}
	o := p.origin("HEAD")
	staged, _ := p.run(words([]string{"diff-index", "--cached"}, rawOptions, []string{"HEAD", "--"})...)
	for _, e := range parse(staged) {
		if o.blobs != nil {
			o.blobs[e.path] = append(o.blobs[e.path], e.newBlob)
		}
	}
	p.addAll(all, o, false)
	p.shows(p.dir, "diff-files", "-p", "-R", "--no-ext-diff", "--no-textconv")
}

func (p *plan) addAll(all []entry, o origin, merged bool) {
	for _, e := range all {
		p.change(p.top, e.path, o.brings(e.path, e.newBlob, merged), merged, e.newBlob)
	}
}

// shows remembers how to show a change.
func (p *plan) shows(dir string, args ...string) {
	p.f.shows = append(p.f.shows, show{dir: dir, args: args})
}

// maxShown limits the bytes of a diff that is shown.
const maxShown = 64 << 10
