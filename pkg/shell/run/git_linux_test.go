package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hostile are settings of a repository each of which names a program that leaves a
// marker. TOUCH is the program.
const hostile = `[core]
	fsmonitor = TOUCH-fsmonitor
	hooksPath = hooks
	pager = TOUCH-pager
	sshCommand = TOUCH-ssh
	editor = TOUCH-editor
	gitProxy = TOUCH-proxy
	askPass = TOUCH-askpass
	alternateRefsCommand = TOUCH-alternate
[pager]
	log = TOUCH-pagerlog
[diff]
	external = TOUCH-external
	submodule = diff
[filter "f"]
	clean = TOUCH-clean
	smudge = TOUCH-smudge
[filter "p\"q"]
	process = TOUCH-process
[diff.Old]
	textconv = TOUCH-old
[diff "d"] command = TOUCH-command
[include]
	path = "in\
cluded"
[merge "m"]
	driver = TOUCH-merge
[credential]
	helper = !TOUCH-credential
[credential "https://example.com"]
	helper = !TOUCH-credentialhost
[alias]
	st = !TOUCH-alias
	status = !TOUCH-aliasstatus
[gpg]
	program = TOUCH-gpg
[gpg "openpgp"]
	program = TOUCH-openpgp
[log]
	showSignature = true
[submodule]
	recurse = true
[man]
	viewer = evil
[man "evil"]
	cmd = TOUCH-man
[man "man"]
	path = TOUCH-manpath
[help]
	browser = evil
[browser "evil"]
	cmd = TOUCH-browser
[interactive]
	diffFilter = TOUCH-difffilter
[extensions]
	partialClone = far
[remote "far"]
	url = .
	promisor = true
	uploadpack = TOUCH-uploadpack
`

// TestGitRunsNothing reads a hostile repository outside of a sandbox.
func TestGitRunsNothing(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	markers := filepath.Join(dir, "markers")
	work := filepath.Join(dir, "work")
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git := func(in string, args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"}, args...)...)
		c.Dir = filepath.Join(work, in)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v %s", args, err, out)
		}
	}
	for _, d := range []string{markers, filepath.Join(work, "sub")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range []string{"sub", ""} {
		git(in, "init", "-q")
		for _, name := range []string{"a.f", "a.p", "a.d", "a.o", "a.i", "a.txt"} {
			put(filepath.Join(in, name), "one\n")
		}
		git(in, "add", ".")
		git(in, "commit", "-q", "-m", "one")
	}
	git("", "checkout", "-q", "-b", "other")
	put("a.txt", "other\n")
	git("", "commit", "-q", "-a", "-m", "other")
	git("", "checkout", "-q", "-")
	put("a.txt", "mine\n")
	git("", "commit", "-q", "-a", "-m", "mine")
	sign := exec.Command("sh", "-c", `git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----' |
		git hash-object -t commit -w --stdin | xargs git update-ref HEAD`)
	sign.Dir = work
	if out, err := sign.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	attributes := "*.f filter=f\n*.p filter=p\"q\n*.d diff=d\n*.o diff=old\n*.i diff=i\n*.txt merge=m\n"
	text := strings.ReplaceAll(hostile, "TOUCH", filepath.Join(work, "touch"))
	for _, in := range []string{"sub", ""} {
		put(filepath.Join(in, ".gitattributes"), attributes)
		put(filepath.Join(in, ".git/included"), "[diff \"i\"]\ntextconv = "+filepath.Join(work, "touch-included")+"\n")
		put(filepath.Join(in, ".git/config"), "[core]\nrepositoryFormatVersion = 1\n"+text)
		for _, name := range []string{"a.f", "a.p", "a.d", "a.o", "a.i", "a.txt"} {
			put(filepath.Join(in, name), "two\n") // as long as before
		}
	}
	for line := range strings.FieldsSeq(text) {
		if name, ok := strings.CutPrefix(strings.TrimPrefix(line, "!"), work+"/touch-"); ok {
			put("touch-"+name, "#!/bin/sh\necho > "+markers+"/"+name+"\nexit 1\n")
		}
	}
	put("touch-included", "#!/bin/sh\necho > "+markers+"/included\nexit 1\n")
	for _, hook := range []string{"post-index-change", "pre-commit", "fsmonitor-watchman", "reference-transaction"} {
		put("hooks/"+hook, "#!/bin/sh\necho > "+markers+"/hook\n")
	}
	marks := func() string {
		entries, err := os.ReadDir(markers)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
			if err := os.Remove(filepath.Join(markers, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
		return strings.Join(names, " ")
	}
	lines := []string{
		"status", "status -s", "diff", "diff HEAD", "diff --stat", "diff other", "diff -- a.txt", "diff -- a.d", "diff -- a.o", "log -p", "log -p --all", "show", "show HEAD:a.o", "blame a.o",
		"log --show-signature", "log --help", "stash list -p", "grep one", "grep --recurse-submodules one", "ls-files --recurse-submodules",
		"diff-files -p", "diff-index -p HEAD", "merge-tree --write-tree HEAD other", "describe --always --dirty", "rev-list --all --alternate-refs",
		"cat-file -p 0123456789012345678901234567890123456789", "verify-commit HEAD", "branch -a", "tag -l", "var GIT_EDITOR", "remote -v",
	}
	// Without the variables most of the programs run, or this test shows nothing.
	ran := map[string]bool{}
	run := func(env []string, line string) (string, error) {
		c := exec.Command("git", strings.Fields(line)...)
		c.Dir, c.Env = work, env
		out, err := c.CombinedOutput()
		return string(out), err
	}
	plain, _ := Environment{Parent: os.Environ(), Workspace: work}.Build()
	for _, line := range lines {
		_, _ = run(plain, line)
		for name := range strings.FieldsSeq(marks()) {
			ran[name] = true
		}
	}
	t.Logf("ran without: %v", ran)
	for _, name := range []string{"fsmonitor", "external", "command", "clean", "process", "old", "included", "merge", "man", "uploadpack", "openpgp"} {
		if !ran[name] {
			t.Errorf("%s does not run without the variables", name)
		}
	}
	env, _ := Environment{Parent: os.Environ(), Workspace: work, Dir: work, ReadOnly: true}.Build()
	for _, line := range lines {
		out, _ := run(env, line)
		if got := marks(); got != "" {
			t.Errorf("git %s ran %s\n%s", line, got, out)
		}
	}
	for line, want := range map[string]string{"diff -- a.d": "-one\n+two\n", "diff -- a.o": "-one\n+two\n", "diff -- a.f": "-one\n+two\n", "status -s": " M a.f\n"} {
		if out, err := run(env, line); err != nil || !strings.Contains(out, want) {
			t.Errorf("git %s: %v\n%s", line, err, out)
		}
	}
}

// TestGitReads has a repository that names nothing.
func TestGitReads(t *testing.T) {
	dir := t.TempDir()
	env, _ := Environment{Parent: os.Environ(), Workspace: dir, Dir: dir, ReadOnly: true}.Build()
	c := exec.Command("sh", "-c", `git init -q . && printf '1\n2\n' > f && git add f && echo 3 >> f &&
		git diff && git -c core.abbrev=7 diff --word-diff && git status -s`)
	c.Dir, c.Env = dir, env
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "+3\n") || !strings.Contains(string(out), "{+3+}") || !strings.Contains(string(out), "AM f\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestGitSettings(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/config": "[Filter \"a b\"]\r\nclean=x\n[include]path=more ; why\n[includeIf \"gitdir:/\"] Path = \"with\\\"quote\"\n",
		".git/more":   "[merge.UP]\ndriver=x\n[include]\npath=more\n", ".git/with\"quote": "[diff \"\\\\\"]textconv=x", ".gitmodules": "[submodule \"s\"]\npath=s\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g := gitSettings{}
	g.repository(filepath.Join(dir, "below"))
	for _, want := range []gitSection{{"filter", "a b"}, {"merge", "up"}, {"diff", `\`}, {"submodule", "s"}} {
		found := false
		for _, s := range g.sections {
			found = found || s == want
		}
		if !found {
			t.Errorf("%v is not among %v", want, g.sections)
		}
	}
	if g.Unclear || !g.Has("diff", "textconv") || g.Has("diff", "external") {
		t.Errorf("%+v", g)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git/more"), make([]byte, 1<<20+1), 0o644); err != nil {
		t.Fatal(err)
	}
	env := gitForReading("", true, dir)
	if Value(env, "GIT_DIR") != "/dev/null" {
		t.Error("git runs although the settings are too long")
	}
}
