package moves

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// Git runs git in a directory with a text as its input, and returns what it prints. ok is
// false if it ends with an error of its own.
type Git func(ctx context.Context, dir, input string, args ...string) (out string, ok bool, err error)

// World is the world that commands of git change.
type World struct {
	Git Git
	// List runs a program that lists an archive, in a directory, as Git does.
	List func(ctx context.Context, dir string, argv ...string) (out string, ok bool, err error)
	// Wants reports whether a file, absolute, is looked for.
	Wants func(abs string) bool
	// Tips are ids of known commits. With Doubts nothing is known.
	Tips   []string
	Doubts bool
	// Had reports whether a file, absolute, once had the content of a blob, so that it is
	// known.
	Had func(abs, blob string) bool
}

// Call is one command of git.
type Call struct {
	Dir  string   // absolute
	Args []string // behind the name of the program
	// Input is the name, absolute, of a file that it reads as its standard input, and Text
	// what it reads instead.
	Input, Text string
	// Head is the commit that HEAD leads to by then, "" for where it leads now.
	Head string
}

// Change is a change of one file.
type Change struct {
	Path string // absolute
	// Blobs are the ids of the contents that the file may have, "" for none: it is
	// deleted.
	Blobs []string
	// Merged says that it may get any content, as git merges what is in several files.
	Merged bool
	// Brought says that a commit which is not known changes it, or a patch.
	Brought bool
}

// Forecast lists the changes of a command, each file once.
type Forecast struct {
	Changes []Change
	// Fetch is the first half of a pull, which says what the second half will do: the
	// words of a command of git. Nil for every other command.
	Fetch []string
	// Rest is the second half.
	Rest []string
	// Head is the commit that HEAD leads to afterwards, "" where it stays or is not known.
	Head string
	// Takes are files whose content the command keeps elsewhere and may bring back.
	Takes []string
	shows []show
}

// show is a question to git whose answer is a diff. Paths follow it.
type show struct {
	dir  string
	args []string
	text string // the answer itself, of a patch
}

// Foresee returns what a command will change.
func (w World) Foresee(ctx context.Context, c Call) (f Forecast, err error) {
	dir, sub, args, ok := globals(c.Dir, c.Args)
	if !ok {
		return f, nil
	}
	read := commands[sub]
	d, inside := gitdir.Above(dir)
	if read == nil || !inside || d.Top == "" {
		return f, nil
	}
	top, err := filepath.EvalSymlinks(d.Top)
	if err != nil {
		return f, nil //nolint:nilerr // git will say why
	}
	w.Doubts = w.Doubts || d.Rewrites()
	p := &plan{ctx: ctx, World: w, call: c, dir: dir, top: top, git: d, f: &f}
	read(p, args)
	return f, p.err
}

// Understands reports whether a command of git is one that is foreseen.
func Understands(args []string) bool {
	_, sub, _, ok := globals("/", args)
	return ok && commands[sub] != nil
}

// Merges reports whether a command of git merges contents, so that a file may get one that
// no commit has.
func Merges(args []string) bool {
	_, sub, _, _ := globals("/", args)
	return slices.Contains([]string{"merge", "rebase", "cherry-pick", "revert", "stash", "pull", "am", "apply"}, sub)
}

// Pulls reports whether a command of git is a pull.
func Pulls(args []string) bool {
	_, sub, _, ok := globals("/", args)
	return ok && sub == "pull"
}

// Dir returns the directory in which a command of git works that runs in another one.
func Dir(dir string, args []string) string {
	at, _, _, _ := globals(dir, args)
	return at
}

// globals reads the options before the subcommand. With those that lead to another
// repository it is not ok.
func globals(dir string, args []string) (at, sub string, rest []string, ok bool) {
	for len(args) > 0 {
		switch word := args[0]; {
		case !strings.HasPrefix(word, "-"):
			return dir, word, args[1:], dir != ""
		case word == "-C" && len(args) > 1:
			if dir = join(dir, args[1]); dir == "" {
				return "", "", nil, false
			}
			args = args[2:]
		case word == "-c" && len(args) > 1:
			args = args[2:]
		case slices.Contains([]string{"-P", "--no-pager", "--no-optional-locks"}, word):
			args = args[1:]
		default:
			return "", "", nil, false
		}
	}
	return "", "", nil, false
}

func join(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

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

// Diff returns what the changes of files are that are brought in.
func (f Forecast) Diff(ctx context.Context, w World) (string, error) {
	var b strings.Builder
	for _, s := range f.shows {
		if s.text != "" {
			b.WriteString(s.text)
			continue
		}
		d, ok := gitdir.Above(s.dir)
		if !ok {
			continue
		}
		args := append(slices.Clone(s.args), "--")
		for _, c := range f.Changes {
			if rel, err := filepath.Rel(realOf(d.Top), c.Path); err == nil && c.Brought {
				args = append(args, ":(top,literal)"+filepath.ToSlash(rel))
			}
		}
		out, _, err := w.Git(ctx, s.dir, "", args...)
		if err != nil {
			return "", err
		}
		b.WriteString(out)
	}
	text := b.String()
	if len(text) > maxShown {
		text = text[:strings.LastIndexByte(text[:maxShown], '\n')+1] + "…\n"
	}
	return text, nil
}

func realOf(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// Brought returns the paths of the changes that commits bring in which are not known.
func (f Forecast) Brought() (paths []string) {
	for _, c := range f.Changes {
		if c.Brought {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// Join adds the changes of another command.
func (f *Forecast) Join(o Forecast) {
	for _, c := range o.Changes {
		i := slices.IndexFunc(f.Changes, func(x Change) bool { return x.Path == c.Path })
		if i < 0 {
			f.Changes = append(f.Changes, c)
			continue
		}
		x := &f.Changes[i]
		x.Merged, x.Brought = x.Merged || c.Merged, x.Brought || c.Brought
		x.Blobs = slices.Compact(slices.Sorted(slices.Values(append(x.Blobs, c.Blobs...))))
	}
	f.Takes, f.shows = append(f.Takes, o.Takes...), append(f.shows, o.shows...)
	if o.Fetch != nil {
		f.Fetch, f.Rest = o.Fetch, o.Rest
	}
}
