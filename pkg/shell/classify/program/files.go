package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// fileTools are the programs that create, change, copy, move and delete files.
// They change files whatever their options are, so unlisted ones are ignored.
func fileTools() []Row {
	return []Row{
		{names: "chattr chgrp setfacl", does: changesFiles, others: ignored, operands: outputRest},
		{names: "chmod", does: changesFiles, others: ignored, operands: outputRest, values: options{long: "reference="}},
		{names: "chown", does: changesFiles, others: ignored, operands: outputRest, values: options{long: "reference= from="}},
		{
			names: "cp ln", does: changesFiles, others: ignored, operands: outputLast, judge: copies,
			writes: options{"t:", "target-directory="}, values: options{"S:", "suffix="},
		},
		{names: "csplit", does: changesFiles, others: ignored, values: options{"b:n:", "suffix-format= digits="}, writes: options{"f:", "prefix="}},
		{names: "dd", does: changesFiles, judge: dd},
		{names: "dos2unix gofmt goimports unix2dos", does: changesFiles, others: ignored, operands: outputs},
		{
			names: "install", does: changesFiles, others: ignored, operands: outputLast, judge: copies,
			writes: options{"t:", "target-directory="}, values: options{"m:o:g:S:", "mode= owner= group= suffix="},
		},
		{names: "link", does: changesFiles, others: ignored, operands: outputLast, judge: copies},
		{names: "mkdir mkfifo", does: changesFiles, others: ignored, operands: outputs, values: options{"m:", "mode="}},
		{names: "mktemp", does: changesFiles, others: ignored, operands: outputs, writes: options{"p:", "tmpdir="}, values: options{long: "suffix="}},
		{
			names: "mv", does: changesFiles, others: ignored, operands: outputs, judge: moves,
			writes: options{"t:", "target-directory="}, values: options{"S:", "suffix="},
		},
		{
			names: "patch", does: changesFiles | hidden, others: ignored, operands: outputs,
			values: options{"p:F:V:B:z:D:Y:", "strip= fuzz= version-control= prefix= suffix= ifdef="},
			writes: options{"d:o:r:", "directory= output= reject-file="},
		},
		{names: "prettier rename", does: changesFiles | hidden, others: ignored, operands: outputs},
		{names: "rm rmdir unlink", judge: remove},
		{names: "truncate", does: changesFiles, others: ignored, judge: truncate, values: options{"s:r:", "size= reference="}},
		{names: "shred srm trash wipe wipefs fallocate", does: removes, judge: remove},
		{
			names: "split", does: changesFiles, others: ignored,
			values: options{"a:b:C:l:n:t:", "suffix-length= bytes= line-bytes= lines= number= separator= additional-suffix="}, judge: split,
		},
		{names: "tee", others: ignored, operands: outputs, judge: tee}, // /dev/null may be all that it writes to
		{names: "touch", does: changesFiles, others: ignored, operands: outputs, values: options{"d:r:t:", "date= reference= time="}},
	}
}

// tee judges tee, which overwrites its operands unless it appends to them.
func tee(c Call) (f findings) {
	appends := slices.ContainsFunc(c.Args, func(w word.Word) bool {
		return strings.HasPrefix(w.Text, "--a") || strings.HasPrefix(w.Text, "-a") || strings.HasPrefix(w.Text, "-ia") || strings.HasPrefix(w.Text, "-pa")
	})
	for _, w := range f.options(c).operands {
		if appends {
			f.writes(w)
		} else {
			f.overwrites(w)
		}
	}
	return f
}

func truncate(c Call) (f findings) {
	for _, w := range f.options(c).operands {
		f.add(finding.Finding{Kind: finding.Empty, Name: c.Name, Word: w})
	}
	return f
}

// moves judges mv, whose sources are gone from where they were. It puts them in the last
// operand, or with -t in another word, which may be any.
func moves(c Call) (f findings) {
	into := finding.Finding{Kind: finding.MoveInto}
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "-") && w.Known() {
			if strings.Contains(w.Text, "t") {
				into.Kind = finding.MoveIntoAny
			}
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
		into.Words = append(into.Words, w)
	}
	f.add(into)
	if operands := f.arguments(c).operands; len(operands) > 0 {
		f.add(finding.Finding{Kind: finding.Move, Words: operands})
	}
	return f
}

// copies judges programs that put a file, and so a program, under another name.
func copies(c Call) (f findings) {
	args := f.arguments(c)
	for _, from := range args.read {
		f.add(finding.Finding{Kind: finding.Copy, Name: c.Name, Word: from, Words: args.written})
	}
	return f
}

// dd judges dd, whose operands have the form of=file.
func dd(c Call) (f findings) {
	for _, w := range c.Args {
		key, value, _ := strings.Cut(w.Text, "=")
		v := word.Word{Text: value, Source: w.Source, Lit: w.Lit, Glob: w.Glob, Split: w.Split}
		switch {
		case w.MayBeOption():
			f.dynamic("dd", w)
		case key == "of":
			f.overwrites(v)
		case key == "if":
			f.reads(v)
		}
	}
	return f
}

// split finds the option by which split hands what it writes to a shell.
func split(c Call) (f findings) {
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "--fi") {
			f.mayRun(c.Name, w)
		}
	}
	for i, w := range f.arguments(c).operands {
		if i > 0 { // what the names of the parts begin with
			f.writes(w)
		}
	}
	return f
}

// remove judges what deletes data.
func remove(c Call) (f findings) {
	switch {
	case c.does&removes != 0:
	case c.Appended:
		f.effect(removes, c.Name)
	default:
		f.add(finding.Finding{Kind: finding.Delete, Name: c.Name, Words: c.Args})
	}
	kind := finding.Remove
	if c.Name != "rm" {
		kind = finding.RemoveAll
	}
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "--r") || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "rR") {
			kind = finding.RemoveAll
		}
		if w.Text == "--no-preserve-root" {
			f.forbid(fault.T("rm %s wipes the whole system", w.Text))
		}
	}
	for _, w := range c.Args {
		if !strings.HasPrefix(w.Text, "-") || !w.Known() {
			f.add(finding.Finding{Kind: finding.Write, Word: w, General: c.does&removes == 0 && !c.Appended})
			f.add(finding.Finding{Kind: kind, Name: c.Name, Word: w})
		}
	}
	return f
}
