package classify

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
	"github.com/helve-dev/helve/pkg/workspace"
)

// writer is a program that changes the files it names.
type writer struct {
	name string
	// values are the options that have a value, as getopt takes them; of paths
	// the value is a path that is written.
	values, paths options
	// sources are the operands that are only read: all but the last one of cp,
	// the first one of sed-like programs.
	sources source
	opaque  bool
}

type source int

const (
	noSource  source = iota // every operand is written
	allButEnd               // every operand but the last is read
	firstText               // the first operand is a mode, an owner or the like
	allRead                 // the operands are only read; the output goes elsewhere
)

// writers is sorted by name.
var writers = [...]writer{
	{name: "7z", sources: firstText, opaque: true},
	{name: "bunzip2"},
	{name: "bzip2"},
	{name: "chattr", sources: firstText},
	{name: "chgrp", sources: firstText},
	{name: "chmod", sources: firstText, values: options{"", "reference="}},
	{name: "chown", sources: firstText, values: options{"", "reference= from="}},
	{name: "cp", sources: allButEnd, paths: options{"t:", "target-directory="}, values: options{"S:", "suffix="}},
	{name: "csplit", sources: allRead, values: options{"b:n:", "suffix-format= digits="}, paths: options{"f:", "prefix="}},
	{name: "dos2unix"},
	{name: "gofmt"},
	{name: "goimports"},
	{name: "gunzip"},
	{name: "gzip"},
	{name: "install", sources: allButEnd, paths: options{"t:", "target-directory="}, values: options{"m:o:g:S:", "mode= owner= group= suffix="}},
	{name: "link", sources: allButEnd},
	{name: "ln", sources: allButEnd, paths: options{"t:", "target-directory="}, values: options{"S:", "suffix="}},
	{name: "lz4"},
	{name: "mkdir", values: options{"m:", "mode="}},
	{name: "mkfifo", values: options{"m:", "mode="}},
	{name: "mktemp", paths: options{"p:", "tmpdir="}, values: options{"", "suffix="}},
	{name: "mv", paths: options{"t:", "target-directory="}, values: options{"S:", "suffix="}},
	{name: "patch", values: options{"p:F:V:B:z:D:Y:", "strip= fuzz= version-control= prefix= suffix= ifdef="}, paths: options{"d:o:r:", "directory= output= reject-file="}, opaque: true},
	{name: "prettier", opaque: true},
	{name: "rename", opaque: true},
	{name: "setfacl", sources: firstText},
	{name: "split", sources: allRead, values: options{"a:b:C:l:n:t:", "suffix-length= bytes= line-bytes= lines= number= separator= additional-suffix="}},
	{name: "tee"},
	{name: "touch", values: options{"d:r:t:", "date= reference= time="}},
	{name: "uncompress"},
	{name: "unix2dos"},
	{name: "unlzma"},
	{name: "unxz"},
	{name: "unzip", sources: allRead, values: options{"x:P:", ""}, paths: options{"d:", ""}},
	{name: "unzstd"},
	{name: "xz"},
	{name: "zip", sources: firstOutput},
	{name: "zstd"},
}

// firstOutput: the first operand is written, the others are read.
const firstOutput source = 10

// writing judges the programs that change files, and those that run code of
// the workspace or reach other machines.
func (a *analysis) writing(name string, argv []word.Word, c context) bool {
	args := argv[1:]
	if i, ok := slices.BinarySearchFunc(writers[:], name, func(w writer, name string) int { return strings.Compare(w.name, name) }); ok {
		a.write(writers[i], args)
		return true
	}
	switch name {
	case "truncate", "shred", "rm", "rmdir", "unlink", "srm", "trash", "wipefs", "wipe", "fallocate":
		a.remove(name, args)
	default:
		return a.runner(name, args, c)
	}
	return true
}

func (a *analysis) write(s writer, args []word.Word) {
	if s.name != "tee" { // which may have nothing but /dev/null to write to
		a.raise(Write, "", fault.T("%s changes files", "%s 会修改文件", s.name))
	}
	if s.opaque {
		a.opaque(s.name)
	}
	if s.name == "zip" || s.name == "split" {
		a.zipOptions(s.name, args)
	}
	rest, targeted := a.writerOperands(s, args)
	read, written := rest, []word.Word(nil)
	switch {
	case s.sources == noSource:
		read, written = nil, rest
	case s.sources == firstText && len(rest) > 0:
		read, written = nil, rest[1:]
	case s.sources == firstOutput && len(rest) > 0:
		read, written = rest[1:], rest[:1]
	case s.sources == allButEnd && !targeted && len(rest) == 1:
		read, written = rest, []word.Word{word.Literal(path.Base(rest[0].Prefix() + "x"))}
	case s.sources == allButEnd && !targeted && len(rest) > 1:
		read, written = rest[:len(rest)-1], rest[len(rest)-1:]
	}
	for _, w := range read {
		a.reads(w)
	}
	for _, w := range written {
		a.writes(w)
	}
	switch s.name {
	case "mv":
		a.moves(rest)
	case "cp", "install", "ln", "link":
		a.copies(read, written)
	}
}

// writerOperands gives the operands, and whether an option named the target.
func (a *analysis) writerOperands(s writer, args []word.Word) (rest []word.Word, targeted bool) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.MayBeOption():
			a.dynamic(s.name, w)
			rest = append(rest, w)
		case w.Text == "--":
			return append(rest, args[i+1:]...), targeted
		case len(w.Text) < 2 || w.Text[0] != '-':
			rest = append(rest, w)
		default:
			value, isPath, next := s.value(w.Text)
			if next && i+1 < len(args) {
				i++
				value = args[i].Text
				if !args[i].Known() {
					a.dynamic(s.name, args[i])
				}
			}
			if isPath {
				targeted = true
				a.writes(word.Literal(strings.ReplaceAll(value, string(word.Hole), "x")))
			}
		}
	}
	return rest, targeted
}

// value gives the value of an option, whether it is a path that is written, and
// whether it is in the next word.
func (s writer) value(w string) (value string, isPath, next bool) {
	if strings.HasPrefix(w, "--") {
		name, value, joined := strings.Cut(w[2:], "=")
		if found, _ := s.paths.find(name, true); found {
			return value, true, !joined
		}
		_, takes := s.values.find(name, true)
		return value, false, takes && !joined
	}
	for j := 1; j < len(w); j++ {
		if _, takes := s.paths.has(w[j]); takes {
			return w[j+1:], true, j+1 == len(w)
		}
		if _, takes := s.values.has(w[j]); takes {
			return w[j+1:], false, j+1 == len(w)
		}
	}
	return "", false, false
}

// moves judges what mv takes away: its sources are gone from where they were.
func (a *analysis) moves(operands []word.Word) {
	if len(operands) == 0 {
		return
	}
	for _, p := range a.resolve(operands[len(operands)-1]) {
		if !a.within(p) {
			a.raise(Destructive, Outside, fault.T("mv takes files out of the workspace", "mv 会把文件移出工作区"))
		}
	}
}

// copies notes programs that are put under another name.
func (a *analysis) copies(from, to []word.Word) {
	for _, w := range from {
		for _, p := range a.resolve(w) {
			if dir, _ := path.Split(p); programDirectory(dir) {
				a.raise(Destructive, PathAlias, fault.T("%s is a program that would get another name", "%s 是系统程序，会因此获得另一个名字", p))
			}
			for _, t := range to {
				for _, dir := range a.resolve(t) {
					a.written = append(a.written, path.Join(dir, path.Base(p)))
				}
			}
		}
	}
}

// zipOptions finds the options by which archivers run programs.
func (a *analysis) zipOptions(name string, args []word.Word) {
	for _, w := range args {
		if name == "zip" && strings.HasPrefix(w.Text, "-") &&
			(strings.Contains(w.Text, "T") || strings.HasPrefix(w.Text, "--unz") || strings.HasPrefix(w.Text, "--te")) ||
			name == "split" && strings.HasPrefix(w.Text, "--fi") {
			a.raise(Destructive, Obfuscated, fault.T("%s %s may run another program", "%s %s 可能会运行其他程序", name, w.Source))
		}
	}
}

// remove judges what takes data away.
func (a *analysis) remove(name string, args []word.Word) {
	a.raise(Destructive, "", fault.T("%s takes data away", "%s 会删除数据", name))
	recursive := name != "rm"
	for _, w := range args {
		if strings.HasPrefix(w.Text, "--r") || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "rR") {
			recursive = true
		}
		if w.Text == "--no-preserve-root" {
			a.forbid(fault.T("rm %s wipes the whole system", "rm %s 会清空整个系统", w.Text))
		}
	}
	for _, w := range args {
		if strings.HasPrefix(w.Text, "-") && w.Known() {
			continue
		}
		a.writes(w)
		for _, p := range a.resolve(w) {
			if recursive && a.vital(p) {
				a.forbid(fault.T("%s %s wipes %s", "%s %s 会清空 %s", name, w.Source, p))
			}
		}
	}
}

// vital reports whether abs is the system, a home directory, or one of the
// directories that they live by.
func (a *analysis) vital(abs string) bool {
	if a.within(abs) && a.o.Root != "/" {
		return false
	}
	home := cmp.Or(a.o.Home, word.UnnamedHome)
	if workspace.Within(a.o.Root, abs) || workspace.Within(home, abs) || abs == home { // above or at
		return true
	}
	dir, base := path.Split(abs)
	switch dir {
	case "/":
		switch base {
		case "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "opt", "proc", "root", "run", "sbin", "srv", "sys",
			"usr", "var", "Applications", "Library", "System", "Users", "private", "Windows":
			return true
		}
	case "/home/", "/Users/", "/usr/", "/var/":
		return true
	}
	return false
}
