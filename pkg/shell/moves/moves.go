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
	Pull    *Pull // nil for every other command
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
	if o.Pull != nil {
		f.Pull = o.Pull
	}
}
