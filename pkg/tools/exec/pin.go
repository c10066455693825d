package exec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/workspace"
)

// pin returns what a decision about the command is bound to: the programs that it
// runs, the directory it runs in, and the files that it names or that its programs
// are known to read.
func (r *request) pin(ctx context.Context) (programs string, files []approval.Target, err error) {
	p := pinner{request: r, targets: r.moves.pinned()}
	return p.collect(ctx)
}

// pinPrograms is pin without what the programs work on. Of the files that a command
// names, only those count that can be executed, and the first that an interpreter is
// given.
func (r *request) pinPrograms(ctx context.Context) (programs string, files []approval.Target, err error) {
	p := pinner{request: r, onlyPrograms: true}
	return p.collect(ctx)
}

func (p *pinner) collect(ctx context.Context) (programs string, files []approval.Target, err error) {
	if p.shell.Path != "" {
		p.program(p.shell.Path)
	}
	if dir, err := workspace.Open(p.dir, workspace.Options{}); err == nil {
		p.add(p.args.Cwd+"/", dir.ID()) // the slash tells it from a file
		if err := dir.Close(); err != nil {
			return "", nil, err
		}
	}
	for _, c := range p.verdict.Commands {
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		if len(c.Argv) == 0 {
			continue
		}
		p.program(c.Argv[0])
		program := path.Base(filepath.ToSlash(c.Argv[0]))
		words := c.Argv
		if p.onlyPrograms {
			words = p.instructions(program, c.Argv[1:])
		}
		for _, word := range slices.Concat(words, governing(program)) {
			if err := p.operand(ctx, word); err != nil {
				return "", nil, err
			}
		}
	}
	return strings.Join(p.programs, "; "), p.targets, nil
}

// instructions returns those of the words after a program that name files which it may
// execute, or take its instructions from.
func (p *pinner) instructions(program string, words []string) (files []string) {
	script := interprets(program)
	for _, word := range words {
		abs := filepath.FromSlash(word)
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(p.dir, abs)
		}
		info, err := os.Stat(p.OnHost(abs, p.temp))
		if err != nil || !info.Mode().IsRegular() || !script && info.Mode()&0o111 == 0 {
			continue
		}
		files = append(files, word)
		script = false
	}
	return files
}

// interprets reports whether a program runs the first file that it is given.
func interprets(program string) bool {
	switch strings.TrimRight(strings.TrimSuffix(program, ".exe"), "0123456789.") {
	case "sh", "bash", "dash", "zsh", "ksh", "fish", "source", "", "python", "pypy", "perl", "ruby", "node", "bun", "deno", "php", "lua", "tclsh", "Rscript",
		"pwsh", "powershell", "cmd", "osascript", "java":
		return true
	}
	return false
}

// governing returns the files that a program takes its instructions from by default.
func governing(program string) []string {
	switch program {
	case "make", "gmake":
		return []string{"GNUmakefile", "makefile", "Makefile"}
	case "npm", "npx", "yarn", "pnpm", "bun", "node":
		return []string{"package.json"}
	case "just":
		return []string{"justfile", "Justfile", ".justfile"}
	case "cargo":
		return []string{"Cargo.toml", "build.rs"}
	case "rake":
		return []string{"Rakefile"}
	case "pytest", "python", "python3":
		return []string{"conftest.py", "pyproject.toml", "setup.py"}
	case "gradle", "gradlew":
		return []string{"build.gradle", "build.gradle.kts"}
	case "terraform", "tofu":
		return []string{"main.tf"}
	case "docker", "docker-compose", "podman":
		return []string{"Dockerfile", "compose.yaml", "docker-compose.yml"}
	}
	return nil
}

// What a decision is bound to at most.
const (
	maxPins       = 200      // files and directories
	maxPinBytes   = 64 << 20 // of files that are read; of others, the time and size count
	maxPinEntries = 20_000   // of one directory
)

type pinner struct {
	*request
	programs []string
	targets  []approval.Target
	// onlyPrograms leaves out what the programs work on.
	onlyPrograms bool
	bytes        int64 // read so far
}

func (p *pinner) add(path, sha string) {
	if !slices.ContainsFunc(p.targets, func(t approval.Target) bool { return t.Path == path }) {
		p.targets = append(p.targets, approval.Target{Path: path, SHA: sha})
	}
}

// program adds the file that a name leads to, with its size and time.
func (p *pinner) program(name string) {
	file := name
	if !strings.ContainsRune(filepath.ToSlash(name), '/') {
		if file = run.Look(name, p.env); file == "" {
			return // a builtin, or it will not start
		}
	} else if !filepath.IsAbs(file) {
		file = filepath.Join(p.dir, file)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	identity := file + " missing"
	if info, err := os.Stat(file); err == nil {
		identity = fmt.Sprintf("%s %d %d", file, info.Size(), info.ModTime().UnixNano())
	}
	if !slices.Contains(p.programs, identity) && len(p.programs) < classify.MaxCommands {
		p.programs = append(p.programs, identity)
	}
}

// operand adds the file or directory of that name, if there is one. An option may
// contain a name, too.
func (p *pinner) operand(ctx context.Context, word string) error {
	if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
		word = value
	}
	if word == "" || len(word) > workspace.MaxPath || len(p.targets) >= maxPins || strings.HasPrefix(word, "-") {
		return nil
	}
	abs := filepath.FromSlash(word)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(p.dir, abs)
	}
	info, err := os.Lstat(p.OnHost(abs, p.temp))
	if err != nil {
		return nil //nolint:nilerr // not a file, or one that the command cannot reach either
	}
	name := filepath.ToSlash(abs)
	if rel, ok := p.Root.Rel(abs); ok {
		name = rel
	}
	switch {
	case info.IsDir():
		if workspace.WithinOS(abs, p.Root.Dir()) {
			return p.directory(ctx, name)
		}
		p.add(name, stamp(info))
	case !info.Mode().IsRegular() || !workspace.WithinOS(abs, p.Root.Dir()):
		p.add(name, stamp(info))
	default:
		return p.file(name, info)
	}
	return nil
}

// stamp identifies a file without reading it.
func stamp(info fs.FileInfo) string {
	return fmt.Sprintf("%v %d %d", info.Mode(), info.Size(), info.ModTime().UnixNano())
}

func (p *pinner) file(name string, info fs.FileInfo) error {
	if p.bytes += info.Size(); p.bytes > maxPinBytes {
		p.add(name, stamp(info))
		return nil
	}
	f, err := p.Root.Open(p.Root.At(name))
	if fault.Is(err, fault.PermissionDenied) || fault.Is(err, fault.OutsideWorkspace) || fault.Is(err, fault.NotAFile) {
		p.add(name, stamp(info))
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return fault.System(err, name)
	}
	p.add(name, hex.EncodeToString(sum.Sum(nil)))
	return nil
}

// directory binds the decision to what is in a directory: names, sizes and times of
// up to maxPinEntries entries. It skips the workspace itself, which changes all the
// time.
func (p *pinner) directory(ctx context.Context, name string) error {
	if name == "." || name == "" {
		return nil
	}
	sum := sha256.New()
	left := maxPinEntries
	var visit func(dir string) error
	visit = func(dir string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := p.Root.ReadDir(p.Root.At(dir))
		if err != nil {
			return nil //nolint:nilerr // what cannot be listed is left out
		}
		for _, e := range entries {
			if left--; left < 0 || e.Info == nil {
				continue
			}
			below := path.Join(dir, e.Name)
			if e.Info.IsDir() {
				sum.Write(fmt.Appendf(nil, "%q %v\n", below, e.Info.Mode()))
				if err := visit(below); err != nil {
					return err
				}
				continue
			}
			sum.Write(fmt.Appendf(nil, "%q %s\n", below, stamp(e.Info)))
		}
		return nil
	}
	if err := visit(name); err != nil {
		return err
	}
	p.add(name, hex.EncodeToString(sum.Sum(nil)))
	return nil
}
