package classify

import (
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
	"github.com/helve-dev/helve/pkg/workspace"
)

// fileTools are the programs that create, change, copy, move and delete files.
// They change files whatever their options are, so unlisted ones are ignored.
func fileTools() []program {
	return []program{
		{names: "chattr chgrp setfacl", does: changesFiles, others: ignored, operands: outputRest},
		{names: "chmod", does: changesFiles, others: ignored, operands: outputRest, values: options{long: "reference="}},
		{names: "chown", does: changesFiles, others: ignored, operands: outputRest, values: options{long: "reference= from="}},
		{
			names: "cp ln", does: changesFiles, others: ignored, operands: outputLast, judge: (*analysis).copies,
			writes: options{"t:", "target-directory="}, values: options{"S:", "suffix="},
		},
		{names: "csplit", does: changesFiles, others: ignored, values: options{"b:n:", "suffix-format= digits="}, writes: options{"f:", "prefix="}},
		{names: "dd", does: changesFiles, judge: (*analysis).dd},
		{names: "dos2unix gofmt goimports unix2dos", does: changesFiles, others: ignored, operands: outputs},
		{
			names: "install", does: changesFiles, others: ignored, operands: outputLast, judge: (*analysis).copies,
			writes: options{"t:", "target-directory="}, values: options{"m:o:g:S:", "mode= owner= group= suffix="},
		},
		{names: "link", does: changesFiles, others: ignored, operands: outputLast, judge: (*analysis).copies},
		{names: "mkdir mkfifo", does: changesFiles, others: ignored, operands: outputs, values: options{"m:", "mode="}},
		{names: "mktemp", does: changesFiles, others: ignored, operands: outputs, writes: options{"p:", "tmpdir="}, values: options{long: "suffix="}},
		{
			names: "mv", does: changesFiles, others: ignored, operands: outputs, judge: (*analysis).moves,
			writes: options{"t:", "target-directory="}, values: options{"S:", "suffix="},
		},
		{
			names: "patch", does: changesFiles | hidden, others: ignored, operands: outputs,
			values: options{"p:F:V:B:z:D:Y:", "strip= fuzz= version-control= prefix= suffix= ifdef="},
			writes: options{"d:o:r:", "directory= output= reject-file="},
		},
		{names: "prettier rename", does: changesFiles | hidden, others: ignored, operands: outputs},
		{names: "rm rmdir unlink", judge: (*analysis).remove},
		{
			names: "truncate", does: changesFiles, others: ignored, judge: (*analysis).truncate,
			values: options{"s:r:", "size= reference="},
		},
		{names: "shred srm trash wipe wipefs fallocate", does: removes, judge: (*analysis).remove},
		{
			names: "split", does: changesFiles, others: ignored,
			values: options{"a:b:C:l:n:t:", "suffix-length= bytes= line-bytes= lines= number= separator= additional-suffix="},
			judge:  (*analysis).split,
		},
		{names: "tee", others: ignored, operands: outputs, judge: (*analysis).tee}, // /dev/null may be all that it writes to
		{names: "touch", does: changesFiles, others: ignored, operands: outputs, values: options{"d:r:t:", "date= reference= time="}},
	}
}

// tee judges tee, which overwrites its operands unless it appends to them.
func (a *analysis) tee(c call) {
	appends := slices.ContainsFunc(c.args, func(w word.Word) bool {
		return strings.HasPrefix(w.Text, "--a") || strings.HasPrefix(w.Text, "-a") || strings.HasPrefix(w.Text, "-ia") || strings.HasPrefix(w.Text, "-pa")
	})
	for _, w := range a.options(c).operands {
		if appends {
			a.writes(w)
		} else {
			a.overwrites(w)
		}
	}
}

func (a *analysis) truncate(c call) {
	for _, w := range a.options(c).operands {
		a.empties(c.name, w)
	}
}

// moves judges mv, whose sources are gone from where they were.
func (a *analysis) moves(c call) {
	a.buries(c)
	operands := a.arguments(c).operands
	if len(operands) == 0 {
		return
	}
	for _, from := range operands[:len(operands)-1] {
		a.puts("mv", path.Base(from.Prefix()), operands[len(operands)-1])
		a.touches(from, schema.RemovePath)
	}
	for _, p := range a.resolve(operands[len(operands)-1]) {
		if !a.within(p) {
			a.raise(Destructive, Outside, fault.T("mv takes files out of the workspace"))
		}
	}
}

// buries judges where mv puts what it moves: in the last operand, or with -t in another
// word, which may be any.
func (a *analysis) buries(c call) {
	if a.o.Buries == nil {
		return
	}
	var words []word.Word
	named := false
	for _, w := range c.args {
		if strings.HasPrefix(w.Text, "-") && w.Known() {
			named = named || strings.Contains(w.Text, "t")
			ends := "=" // --target-directory=DIR
			if !strings.HasPrefix(w.Text, "--") {
				ends = "t" // -tDIR
			}
			_, value, _ := strings.Cut(w.Text, ends)
			if value == "" {
				continue
			}
			w = word.Literal(value)
		}
		words = append(words, w)
	}
	for i, from := range words {
		for j, to := range words {
			if i != j && (named || j == len(words)-1) && a.buried(from, to) {
				a.raise(Destructive, "", fault.T("%s is moved among build output, which is deleted unasked, and undo may not restore it", from.Source))
			}
		}
	}
}

func (a *analysis) buried(from, to word.Word) bool {
	sources := a.entries(from)
	if len(sources) == 0 {
		sources = []string{""}
	}
	for _, into := range a.resolve(to) {
		for _, p := range sources {
			if p != into && a.within(into) && a.o.Buries(p, into) == Destructive {
				return true
			}
		}
	}
	return false
}

// copies judges programs that put a file, and so a program, under another name.
func (a *analysis) copies(c call) {
	args := a.arguments(c)
	for _, from := range args.read {
		for _, p := range a.resolve(from) {
			if dir, _ := path.Split(p); programDirectory(dir) {
				a.raise(Destructive, PathAlias, fault.T("%s is a program that would get another name", p))
			}
			for _, to := range args.written {
				for _, dir := range a.resolve(to) {
					a.written = append(a.written, path.Join(dir, path.Base(p)))
				}
				a.puts(c.name, path.Base(p), to)
			}
		}
	}
}

// puts judges that a program puts a file of a name at a path, which may be that of a
// directory. mv, unlike cp, replaces nothing in one that is there.
func (a *analysis) puts(by, name string, at word.Word) {
	if a.o.Loss == nil || !at.Known() {
		return
	}
	for _, dir := range a.resolve(at) {
		for _, p := range [...]string{dir, path.Join(dir, name)} {
			if a.within(p) && !(by == "mv" && a.directory(p)) && a.o.Loss(p, false) == Destructive {
				a.raise(Destructive, "", fault.T("%s is overwritten, and undo cannot restore it", p))
			}
		}
	}
}

// directory reports whether there surely is a directory at an absolute path.
func (a *analysis) directory(abs string) bool { return a.o.Directory != nil && a.o.Directory(abs) }

// dd judges dd, whose operands have the form of=file.
func (a *analysis) dd(c call) {
	for _, w := range c.args {
		key, value, _ := strings.Cut(w.Text, "=")
		v := word.Word{Text: value, Source: w.Source, Lit: w.Lit, Glob: w.Glob, Split: w.Split}
		switch {
		case w.MayBeOption():
			a.dynamic("dd", w)
		case key == "of":
			a.overwrites(v)
		case key == "if":
			a.reads(v)
		}
	}
}

// split finds the option by which split hands what it writes to a shell.
func (a *analysis) split(c call) {
	for _, w := range c.args {
		if strings.HasPrefix(w.Text, "--fi") {
			a.mayRun(c.name, w)
		}
	}
	for i, w := range a.arguments(c).operands {
		if i > 0 { // what the names of the parts begin with
			a.writes(w)
		}
	}
}

// remove judges what deletes data.
func (a *analysis) remove(c call) {
	recursive := c.name != "rm"
	if c.does&removes == 0 && !a.expendable(c) {
		a.effect(removes, c.name)
	}
	for _, w := range c.args {
		if strings.HasPrefix(w.Text, "--r") || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "rR") {
			recursive = true
		}
		if w.Text == "--no-preserve-root" {
			a.forbid(fault.T("rm %s wipes the whole system", w.Text))
		}
	}
	for _, w := range c.args {
		if strings.HasPrefix(w.Text, "-") && w.Known() {
			continue
		}
		a.writes(w)
		a.touches(w, schema.RemovePath)
		for _, p := range a.resolve(w) {
			if recursive && a.vital(p) {
				a.forbid(fault.T("%s %s wipes %s", c.name, w.Source, p))
			}
		}
	}
}

// expendable reports whether all that a command deletes is known, and may be lost.
// What the command line itself put there may not.
func (a *analysis) expendable(c call) bool {
	if c.appended || a.o.Loss == nil {
		return false
	}
	put := func(below string) bool {
		return slices.ContainsFunc(a.written, func(p string) bool { return workspace.Within(p, below) })
	}
	some, options := false, true
	for _, w := range c.args {
		if options && strings.HasPrefix(w.Text, "-") && w.Known() {
			options = w.Text != "--"
			continue
		}
		entries := a.entries(w)
		for _, p := range entries {
			if put(p) || a.o.Loss(p, true) == Destructive {
				return false
			}
		}
		if some = len(entries) > 0; !some {
			return false
		}
	}
	return some
}

// entries returns the absolute paths of the entries that a word names, without
// following a link at their end; of a pattern, the directory that all of them are
// below. None means that nothing is certain.
func (a *analysis) entries(w word.Word) []string {
	if !w.Known() {
		if !w.Lit || strings.HasSuffix(w.Text, "/") || w.MayBeOption() {
			return nil // anything, or a directory behind a link
		}
		return a.resolve(w)
	}
	dir, name := path.Split(strings.TrimRight(path.Clean(w.Text), "/"))
	if name == "" || name == "." || name == ".." {
		return nil
	}
	above := word.Literal(dir)
	if dir == "" {
		above = word.Literal(".")
	}
	entries := a.resolve(above)
	for i := range entries {
		entries[i] = path.Join(entries[i], name)
	}
	return entries
}
