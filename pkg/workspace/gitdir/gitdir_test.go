package gitdir

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// git runs git in a directory, with no settings but those there, and returns what it
// prints.
func git(t testing.TB, dir string, args ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	c := exec.Command(path, append([]string{"-c", "protocol.file.allow=always", "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
	out, err := c.Output()
	return string(out), err
}

func must(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := git(t, dir, args...)
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return out
}

func put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func realTemp(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// listed writes settings as "git config --list -z" does.
func listed(all []Setting) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.Section)
		if s.Name != "" {
			b.WriteString("." + s.Name)
		}
		b.WriteString("." + s.Key + "\n" + strings.ReplaceAll(s.Value, "\t", " ") + "\x00")
	}
	return b.String()
}

// TestParse lets git read the same texts: those that somebody thought of, and
// mixtures of pieces.
func TestParse(t *testing.T) {
	dir := realTemp(t)
	texts := []string{
		"", "[a]\nb=c", "\xef\xbb\xbf[a]\nb=c\n", "[A.B]\nC", "[a \"B\\\"c\\\\\"]\nd = \" x # y \" ; z", "[a]b=c\n[d]e", "[a]\nb = c \\\n  d\n",
		"[a]\r\nb=c\r\n", "[a] b = \"x\" \"y\"  \n", "[a]\nb=x\\ty\\nz\\\\\\\"\n", "[a\nb]=c", "[a \"x]\nb=c", "[a]\nb=\"open\n", "[a]\nb=\\q\n", "[a]\n1=2\n",
		"[a.b \"c\"]\nd=e\n", "[a]\nb c\n", "# x\n; y\n[a]b", "[a]\nb=\n", "[a]\nb=c\\", "[a]\n\tb = c # \"\n", "[a  \"b\"]\nc=d", "[a]\nb=x \\\n",
	}
	pieces := []string{"[a]", "[a \"b\"]", "[", "]", "\n", "\n", " ", "\t", "=", "=", "\"", "\\", "#", ";", "key", "K-1", "x", ".", "\r\n", "\\\n", "\\t", "é", "[core]\n\tbare = no\n"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 250 {
		text := "[s]\n"
		for range 1 + random.IntN(12) {
			text += pieces[random.IntN(len(pieces))]
		}
		texts = append(texts, text)
	}
	good := 0
	for _, text := range texts {
		put(t, filepath.Join(dir, "f"), text)
		want, wantErr := git(t, dir, "config", "--file", "f", "--list", "-z")
		got, err := Parse([]byte(text))
		if (err != nil) != (wantErr != nil) {
			t.Errorf("%q: %v, git: %v", text, err, wantErr)
			continue
		}
		// A key alone has no value there, which is not an empty one.
		var lines []string
		for line := range strings.SplitSeq(strings.TrimSuffix(want, "\x00"), "\x00") {
			if line != "" && !strings.Contains(line, "\n") {
				line += "\n"
			}
			lines = append(lines, strings.ReplaceAll(line, "\t", " "))
		}
		if err == nil {
			good++
			if mine := strings.TrimSuffix(listed(got), "\x00"); mine != strings.Join(lines, "\x00") {
				t.Errorf("%q:\n%q, git:\n%q", text, mine, lines)
			}
		}
	}
	if good < 60 {
		t.Errorf("git reads only %d of these texts", good)
	}
}

// TestDirs lets git say where the directories of repositories of all kinds are.
func TestDirs(t *testing.T) {
	base := realTemp(t)
	main := filepath.Join(base, "main")
	must(t, base, "init", "-q", "lib")
	must(t, base, "-C", "lib", "commit", "-q", "--allow-empty", "-m", "x")
	must(t, base, "init", "-q", "main")
	must(t, main, "commit", "-q", "--allow-empty", "-m", "x")
	must(t, main, "submodule", "--quiet", "add", "../lib", "deep/sub")
	must(t, main, "worktree", "add", "-q", "../tree")
	must(t, base, "init", "-q", "--separate-git-dir", filepath.Join(base, "elsewhere"), "apart")
	must(t, base, "init", "-q", "--bare", "bare.git")
	if err := os.Mkdir(filepath.Join(base, "linked"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../lib/.git", filepath.Join(base, "linked/.git")); err != nil {
		t.Fatal(err)
	}
	for _, top := range []string{"main", "lib", "main/deep/sub", "tree", "apart", "linked"} {
		top = filepath.Join(base, top)
		d, ok := At(top)
		asked := strings.Fields(must(t, top, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"))
		path, err := filepath.EvalSymlinks(d.Path)
		if err != nil {
			t.Fatal(err)
		}
		common, err := filepath.EvalSymlinks(d.Common)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || path != asked[0] || common != asked[1] || !Is(d.Path) {
			t.Errorf("%s: %+v, git: %q", top, d, asked)
		}
	}
	if !Is(filepath.Join(base, "bare.git")) || Is(base) || Is(main) {
		t.Error("a bare repository is not known, or something else is")
	}
	d, _ := Above(filepath.Join(main, "deep"))
	all, complete := d.Inner()
	var paths []string
	for _, one := range all {
		rel, _ := filepath.Rel(base, one.Path)
		paths = append(paths, rel)
	}
	if want := []string{"main/.git/worktrees/tree", "main/.git/modules/deep/sub"}; !complete || !slices.Equal(paths, want) || all[0].Top != filepath.Join(base, "tree") {
		t.Errorf("%q, want %q; %+v", paths, want, all)
	}
}

// TestSettings lets git list a repository's settings with all that they include.
func TestSettings(t *testing.T) {
	base := realTemp(t)
	must(t, base, "init", "-q")
	config := filepath.Join(base, ".git/config")
	put(t, config, "[core]\nbare=false\nhooksPath=my/hooks\nattributesFile=attrs\nfsmonitor=tools/watch --fast\n[include]path=more\n[includeIf \"gitdir:/nowhere/\"]path=~/cond\n"+
		"[filter \"f\"]\nclean=sh 'tools/clean.sh' %f\n[extensions]worktreeConfig=true\n")
	put(t, filepath.Join(base, ".git/more"), "[user]\nname=Me\n[include]\npath=../top.cfg\n")
	put(t, filepath.Join(base, "top.cfg"), "[diff \"D\"]textconv=cat\n")
	put(t, filepath.Join(base, ".git/config.worktree"), "[pager]\nlog=less\n")
	put(t, filepath.Join(base, "tools/watch"), "")
	put(t, filepath.Join(base, "tools/clean.sh"), "")
	d, _ := At(base)
	s := d.Settings(Reader{Home: "/nobody"})
	if want := must(t, base, "config", "--local", "--includes", "--list", "-z") + must(t, base, "config", "--file", ".git/config.worktree", "--list", "-z"); listed(s.All) != want || s.Unclear {
		t.Errorf("%q, git: %q", listed(s.All), want)
	}
	every := Reader{Home: "/nobody", Every: true}
	s = d.Settings(every)
	n := d.Named(every, s)
	want := Named{
		Files:    []string{filepath.Join(base, ".git/more"), filepath.Join(base, "top.cfg"), "/nobody/cond", filepath.Join(base, "attrs")},
		Hooks:    []string{filepath.Join(base, "my/hooks")},
		Programs: []string{filepath.Join(base, "tools/watch"), filepath.Join(base, "tools/clean.sh")},
	}
	if !slices.Equal(n.Files, want.Files) || !slices.Equal(n.Hooks, want.Hooks) || !slices.Equal(n.Programs, want.Programs) {
		t.Errorf("%+v, want %+v", n, want)
	}
	put(t, filepath.Join(base, ".git/more"), "[include]path=more\n[include]path=config\n")
	if s = d.Settings(every); s.Unclear || len(s.Files) != 4 {
		t.Errorf("files that include each other: %+v", s)
	}
	put(t, filepath.Join(base, ".git/more"), "[broken\n")
	if s = d.Settings(every); !s.Unclear {
		t.Error("what git refuses counts as read")
	}
}

// TestHarmless takes every setting that git writes by itself for harmless, and none
// by which it runs a program.
func TestHarmless(t *testing.T) {
	base := realTemp(t)
	must(t, base, "init", "-q", "lib")
	must(t, base, "-C", "lib", "commit", "-q", "--allow-empty", "-m", "x")
	must(t, base, "clone", "-q", "lib", "main")
	main := filepath.Join(base, "main")
	must(t, main, "submodule", "--quiet", "add", "-b", "master", "../lib", "sub")
	must(t, main, "branch", "-q", "--set-upstream-to=origin/HEAD", "master")
	must(t, main, "sparse-checkout", "set", "x")
	must(t, base, "clone", "-q", "--bare", "lib", "bare.git")
	must(t, base, "clone", "-q", "--depth=1", "--filter=blob:none", "file://"+filepath.Join(base, "lib"), "part")
	for _, path := range []string{"lib/.git", "main/.git", "main/.git/modules/sub", "bare.git", "part/.git"} {
		s := Of(filepath.Join(base, path), "").Settings(Reader{})
		if len(s.All) == 0 {
			t.Errorf("%s has no settings", path)
		}
		for _, one := range s.All {
			if !one.Harmless() || one.Runs() {
				t.Errorf("%s: %+v", path, one)
			}
		}
	}
	for _, text := range []string{
		"[core]fsmonitor=x", "[core]hooksPath=x", "[core]pager=x", "[core]editor=x", "[core]sshCommand=x", "[core]gitProxy=x", "[core]askPass=x",
		"[core]alternateRefsCommand=x", "[core]attributesFile=x", "[include]path=x", "[includeIf \"a\"]path=x", "[filter \"a\"]clean=x",
		"[filter \"a\"]smudge=x", "[filter \"a\"]process=x", "[diff]external=x", "[diff \"a\"]textconv=x", "[diff \"a\"]command=x", "[merge \"a\"]driver=x",
		"[alias]st=!x", "[credential]helper=!x", "[gpg]program=x", "[pager]log=x", "[remote \"o\"]url=ext::sh", "[remote \"o\"]uploadpack=x", "[remote \"o\"]receivepack=x",
		"[remote \"o\"]vcs=x", "[submodule \"s\"]update=!x", "[interactive]diffFilter=x", "[sequence]editor=x", "[uploadpack]packObjectsHook=x",
		"[difftool \"a\"]cmd=x", "[mergetool \"a\"]path=x", "[browser \"a\"]cmd=x", "[man \"a\"]cmd=x", "[trailer \"a\"]command=x", "[tar \"a\"]command=x",
		"[gpg \"ssh\"]defaultKeyCommand=x", "[sendemail]toCmd=x", "[unheard]of=x", "[core \"x\"]worktree=y",
	} {
		all, err := Parse([]byte(text))
		if err != nil || len(all) != 1 || all[0].Harmless() {
			t.Errorf("%s: %+v, %v", text, all, err)
		}
	}
}

// TestRecorded accepts what git writes about branches and submodules beside what was
// there, and nothing else.
func TestRecorded(t *testing.T) {
	const old = "[core]\n\tbare = false\n\tfsmonitor = mine\n[branch \"a\"]\n\tremote = origin\n"
	for text, want := range map[string]bool{
		old: true,
		old + "[submodule \"s\"]\n\turl = ../s\n\tactive = true\n": true,
		"[core]\n\tbare = false\n\tfsmonitor = mine\n":             true,
		"[branch \"b\"]\nmerge=x\n" + old:                          true,
		"[core]\n\tbare = false\n":                                 false,
		old + "[core]\nbare=true\n":                                false,
		old + "[user]\nname=x\n":                                   false,
		old + "[alias]\nx=!y\n":                                    false,
		old + "[submodule \"s\"]\n\tupdate = !x\n":                 false,
		old + "[submodule \"s\"]\n\turl = ext::x\n":                false,
		old + "[broken\n":                                          false,
		"":                                                         false,
	} {
		if got := Recorded([]byte(old), []byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("[core]\nexcludesfile = \"~/a\\\\b\" # c\n[include] path = x\n[a \"B\"]\nc\\\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := Parse(text)
		for _, s := range all {
			if strings.ToLower(s.Section+s.Key) != s.Section+s.Key || len(s.Value) > len(text) || err != nil {
				t.Errorf("%+v, %v", s, err)
			}
		}
		// What follows a whole line does not change what is before it.
		if more, err2 := Parse(append(bytes.Clone(text), "\n[z]z=z\n"...)); err == nil && !bytes.HasSuffix(text, []byte(`\`)) && (err2 != nil || len(more) != len(all)+1) {
			t.Errorf("%d settings, then %d, %v", len(all), len(more), err2)
		}
	})
}

// TestTodoRuns has git stop a rebase, and shows that the lines that are found run when
// it is continued, and no others.
func TestTodoRuns(t *testing.T) {
	dir := realTemp(t)
	must(t, dir, "init", "-q")
	for _, name := range []string{"a", "b", "c"} {
		put(t, filepath.Join(dir, name), name)
		must(t, dir, "add", name)
		must(t, dir, "commit", "-q", "-m", name)
	}
	must(t, dir, "-c", "sequence.editor=sed -i -e '1i break'", "rebase", "-q", "-i", "--root")
	d, ok := At(dir)
	if lines := d.TodoRuns(); !ok || len(lines) > 0 {
		t.Fatalf("git's own steps run %q", lines)
	}
	todo := filepath.Join(d.Path, filepath.FromSlash(Todo))
	text, err := os.ReadFile(todo)
	if err != nil {
		t.Fatal(err)
	}
	put(t, todo, "# exec touch no\nexec touch one\n  x\ttouch two\r\n"+string(text))
	if lines := d.TodoRuns(); !slices.Equal(lines, []string{"exec touch one", "x\ttouch two"}) {
		t.Errorf("%q", lines)
	}
	must(t, dir, "rebase", "--continue")
	for name, want := range map[string]bool{"one": true, "two": true, "no": false} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if lines := d.TodoRuns(); len(lines) > 0 {
		t.Errorf("without a rebase %q", lines)
	}
	if err := os.MkdirAll(filepath.Dir(todo), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "a"), todo); err != nil {
		t.Skip(err)
	}
	if len(d.TodoRuns()) == 0 {
		t.Error("the steps may be anywhere")
	}
}

// TestIsAsGitAccepts asks git whether it accepts directories whose parts are of all kinds.
func TestIsAsGitAccepts(t *testing.T) {
	for name, part := range map[string]func(path string) error{
		"directory": func(path string) error { return os.Mkdir(path, 0o755) },
		"program":   func(path string) error { return os.WriteFile(path, nil, 0o755) },
		"text":      func(path string) error { return os.WriteFile(path, nil, 0o644) },
		"socket": func(path string) error {
			l, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { _ = l.Close() })
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("git for Windows asks for something else")
			}
			dir := realTemp(t)
			put(t, filepath.Join(dir, "HEAD"), "ref: refs/heads/x\n")
			if err := errors.Join(part(filepath.Join(dir, "objects")), part(filepath.Join(dir, "refs"))); err != nil {
				t.Skip(err) // the path of a socket may be too long
			}
			_, err := git(t, dir, "--git-dir=.", "rev-parse", "--git-dir")
			if got := Is(dir); got != (err == nil) {
				t.Errorf("%t, and git says %v", got, err)
			}
		})
	}
}
