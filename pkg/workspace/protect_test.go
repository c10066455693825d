package workspace

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// gitLike are spellings of ".git" that some file system takes for it; git's own
// checks know the first group.
var (
	gitLike = []string{
		".git", ".GIT", ".Git", ".git.", ".git ", ".git. . ", "GIT~1", "git~1", ".git::$INDEX_ALLOCATION", ".git:x", ".git . :y",
		".g\u200cit", "\u200d.git", ".gi\ufefft", ".gIt\u206f", "\u202a.GI\u200fT",
	}
	gitLikeToo = []string{"GIT~2", "gi7eba~1", ".gi\u200ct.", ".git\u200c "}
)

func TestProtectedNames(t *testing.T) {
	ws, _ := workspaceDir(t)
	r, err := opened(ws, Options{Protected: []string{"SOUL.md", "ops/keys", "ÅNGSTRÖM", "very long name.text"}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	protected := []string{
		".helve", ".helve/config.json", ".HELVE/x", "sub/.helve/x", ".helve./x", "HELVE~1/x", ".hel\u200cve/x",
		".git/hooks", ".git/hooks/pre-commit", ".GIT/Hooks/x", ".git/config", ".git/CONFIG", ".git./config ", "sub/.git/config",
		".git/hooks::$INDEX_ALLOCATION/x", ".git/config:x", ".git/ho\u200cok\u017f/x", ".git/hoo\u212as/x",
		".git/modules/m/hooks/x", ".git/modules/m/config", ".git/worktrees/w/config.worktree", ".git/CONFIG~1.WOR",
		".git/HEAD", ".git/refs/heads/main", ".git/objects/ab/x", ".git/index", ".git/packed-refs", ".git/info/exclude", ".git/COMMIT_EDITMSG",
		".git/x", "sub/.GIT/refs/x", ".git/commondir", ".git/COMMON~1", ".git/worktrees/w/commondir", `.git\hooks\x`, `sub\.git\config`,
		"SOUL.md", "soul.MD", "docs/Soul.md", "SOUL.md/x", "soul.md.", "ops/keys", "OPS/Keys/x", "a/ops/keys/b/c",
		"ångström", "a\u030angstro\u0308m/x", "A\u030aNGSTRO\u0308M", "\u212bngström", "VERYLO~1.TEX",
	}
	for _, name := range append(gitLike, gitLikeToo...) {
		protected = append(protected, name, "sub/"+name, name+"/config", name+"/hooks/post-checkout")
	}
	for _, name := range protected {
		for _, use := range []schema.PathUse{schema.WritePath, schema.CreatePath, schema.RemovePath} {
			_, err := r.Resolve(name, use)
			if !fault.Is(err, fault.ProtectedPath) {
				t.Errorf("Resolve(%q, %s): %v", name, use, err)
			}
		}
		if _, err := r.Resolve(name, schema.ReadPath); err != nil {
			t.Errorf("reading %q: %v", name, err)
		}
	}
	for _, name := range []string{
		".", "x", ".github/workflows/x", ".gitignore", ".gitattributes", ".gitmodules", "hooks/x", "config", "git/config", "git~1x", "helve", ".helve-x", ".helverc", "SOUL.mdx", "MY-SOUL.md",
		"ops/key", "ops", "keys", "ops/x/keys", "ångstrom", "git~x", "~", "a~1",
	} {
		if _, err := r.Resolve(name, schema.WritePath); err != nil {
			t.Errorf("Resolve(%q): %v", name, err)
		}
	}
	// The directory above a protected path must stay where it is.
	for _, name := range []string{"ops", "a/OPS"} {
		if _, err := r.Resolve(name, schema.RemovePath); !fault.Is(err, fault.ProtectedPath) {
			t.Errorf("Resolve(%q, remove): %v", name, err)
		}
	}
}

// TestGitAgrees has git judge which names it would take for ".git" somewhere.
func TestGitAgrees(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	run := func(args ...string) (string, error) {
		cmd := exec.Command(git, append([]string{"-C", dir, "-c", "core.protectHFS=true", "-c", "core.protectNTFS=true"}, args...)...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("init", "-q"); err != nil {
		t.Fatal(out)
	}
	const blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
	for _, name := range append([]string{".gitignore", "git", ".gi", "git~x", ".g\u0131t"}, gitLike...) {
		out, err := run("update-index", "--add", "--cacheinfo", "100644,"+blob+","+name+"/x")
		refused := strings.Contains(out, "Invalid path")
		if err != nil && !refused {
			t.Fatal(out)
		}
		if ours := isGits(foldPath(name+"/config"), nil); ours != refused {
			t.Errorf("%q: protected = %v, git refuses = %v", name, ours, refused)
		}
	}
}

func TestProtectedThroughLinks(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		tree(t, ws, ".git/hooks/", ".git/config = old", ".git/info/exclude = old",
			"g -> .git", "h -> .git/hooks", "c -> .git/config", "abs -> "+filepath.Join(ws, ".git/config"), "new -> .git/hooks/new",
			"head -> .git/info/exclude", "fine")
		before := snapshot(t, ws)
		r := open(ws, Options{})
		for _, name := range []string{"g/config", "g/hooks/x", "h/x", "c", "abs", "new", "head", "g/HEAD", "g/../c"} {
			_, err := r.WriteFile(name, []byte("x"), WriteOptions{Parents: true})
			wantCode(t, err, fault.ProtectedPath)
			wantCode(t, r.Chmod(name, 0o755), fault.ProtectedPath)
		}
		for _, name := range []string{"g/config", "h/x", "g/hooks"} {
			wantCode(t, r.Remove(name), fault.ProtectedPath)
			wantCode(t, r.Rename(name, "away", true), fault.ProtectedPath)
			wantCode(t, r.Rename("fine", name, true), fault.ProtectedPath)
		}
		wantCode(t, r.Mkdir("h/d"), fault.ProtectedPath)
		_, err := r.MkdirAll("h/d/e")
		wantCode(t, err, fault.ProtectedPath)
		if now := snapshot(t, ws); len(now) != len(before) {
			t.Errorf("from %v to %v", before, now)
		}
		wantText(t, filepath.Join(ws, ".git/config"), "old")
		if err := r.Remove("c"); err != nil { // the link, not the configuration
			t.Error(err)
		}
		wantText(t, filepath.Join(ws, ".git/config"), "old")
	})
}

// TestNothingComesInUnderAnotherName moves whole directories.
func TestNothingComesInUnderAnotherName(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, ".git/config", ".git/modules/m/config", "evil/hooks/pre-commit", "evil/config", "file", "ops/keys/k", "with/.git/config")
	r, err := opened(ws, Options{Protected: []string{"ops/keys"}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, move := range [][2]string{
		{".git", "old"}, {"evil", ".git"}, {"evil", ".GIT"}, {"evil", ".git/modules/n"}, {"evil/hooks", ".git/hooks"},
		{".git/modules/m", "m"}, {".git/modules", "m"}, {"file", ".git"}, {"ops", "x"}, {"evil", "ops"}, {"ops/keys", "x"},
	} {
		wantCode(t, r.Rename(move[0], move[1], true), fault.ProtectedPath)
	}
	wantCode(t, r.Mkdir("sub.git/../evil/.git"), fault.ProtectedPath)
	_, err = r.WriteFile("evil/.git", []byte("gitdir: ../evil"), WriteOptions{})
	wantCode(t, err, fault.ProtectedPath)
	if err := r.Rename("with", "moved", false); err != nil { // its .git is as protected there
		t.Error(err)
	}
	_, err = r.WriteFile("moved/.git/config", nil, WriteOptions{})
	wantCode(t, err, fault.ProtectedPath)
}

func TestGitDirectoryElsewhere(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		never, _ := workspaceDir(t)
		tree(t, never, "gd/hooks/", ".git -> gd")
		_, err := open(never, Options{Symlinks: Never}).WriteFile("gd/hooks/x", nil, WriteOptions{})
		wantCode(t, err, fault.ProtectedPath)

		tests := []struct {
			name    string
			entries []string
			dir     string // which stands for .git, or ""
		}{
			{"file", []string{"meta/gd/config", "meta/gd/hooks/", ".git = gitdir: meta/gd\n"}, "meta/gd"},
			{"link", []string{"gd/config", "gd/hooks/", ".git -> gd"}, "gd"},
			{"link to file", []string{"gd/config", "gd/hooks/", "p/dotgit = gitdir: ../gd", ".git -> p/dotgit"}, "gd"},
			{"through link", []string{"gd/config", "gd/hooks/", "via -> gd", ".git = gitdir: via"}, "gd"},
			{"outside", []string{"gd/config", ".git = gitdir: ../../elsewhere/.git/worktrees/w"}, ""},
			{"nonsense", []string{"gd/config", ".git = nothing"}, ""},
			{"the workspace", []string{"gd/config", ".git = gitdir: ."}, ""},
			{"a directory", []string{"gd/config", ".git/HEAD"}, ""},
			{"by its whole path", []string{"gd/config", "gd/hooks/", ".git = gitdir: ABS/gd"}, "gd"},
			{"a long file", []string{"gd/config", ".git = gitdir: gd" + strings.Repeat(" ", gitPointer) + "x"}, "gd"},
			{"dangling", []string{"gd/config", ".git -> nowhere"}, ""},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				ws, _ := workspaceDir(t)
				for _, e := range tt.entries {
					tree(t, ws, strings.ReplaceAll(e, "ABS", ws))
				}
				r := open(ws, Options{})
				if tt.dir == "" {
					if _, err := r.WriteFile("gd/config", []byte("x"), WriteOptions{}); err != nil {
						t.Error(err)
					}
				} else {
					for _, name := range []string{"", "/HEAD", "/config", "/hooks/x", "/Hooks"} {
						_, err := r.WriteFile(tt.dir+name, []byte("x"), WriteOptions{})
						wantCode(t, err, fault.ProtectedPath)
					}
					wantCode(t, r.Rename(tt.dir, "x", true), fault.ProtectedPath)
					wantCode(t, r.Rename(strings.Split(tt.dir, "/")[0], "x", true), fault.ProtectedPath)
				}
				_, err := r.WriteFile(".git", []byte("gitdir: mine"), WriteOptions{})
				wantCode(t, err, fault.ProtectedPath)
				wantCode(t, r.Remove(".git"), fault.ProtectedPath)
			})
		}
	})
}

func TestListedSpelling(t *testing.T) {
	files := map[string]int{"Foo.go": 1, "bar": 2, "a\u030a": 3, "foo.go.": 4, "Program Files": 5}
	names := []string{"bar", "Foo.go", "foo.go.", "a\u030a", "Program Files"}
	for _, tt := range []struct {
		name string
		file int
		want string
	}{
		{"bar", 2, "bar"},
		{"BAR", 2, "bar"},
		{"foo.GO", 1, "Foo.go"},
		{"FOO.GO.", 4, "foo.go."},
		{"\u00e5", 3, "a\u030a"},
		{"PROGRA~1", 5, "Program Files"},
		{"gone", 9, "gone"},
	} {
		got := listedSpelling(names, tt.name, func(listed string) bool { return files[listed] == tt.file })
		if got != tt.want {
			t.Errorf("%q is listed as %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestPermittedThroughLinks has rules that allow a path by one of its names alone: both
// must be allowed.
func TestPermittedThroughLinks(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, ".git/HEAD", ".git/config", "link -> .git/config")
	for _, c := range []struct {
		allowed string
		link    bool // whether it may be written through the link
		plain   bool
	}{
		{"link", false, false}, {".git/config", false, true}, {"link .git/config", true, true}, {"", false, false},
	} {
		r, err := opened(ws, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r.Permit(func(rel string) bool { return slices.Contains(strings.Fields(c.allowed), rel) })
		for name, want := range map[string]bool{"link": c.link, ".git/config": c.plain} {
			if _, err := r.Resolve(name, schema.WritePath); (err == nil) != want {
				t.Errorf("%q allowed, %s: %v", c.allowed, name, err)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestReservedPaths has paths that helve itself uses: neither they nor what is above
// them may be taken away or replaced, under any of their names.
func TestReservedPaths(t *testing.T) {
	ws, above := workspaceDir(t)
	tree(t, ws, "real/own/x", "link -> real/own", "other/")
	tree(t, above, "out/")
	r, err := opened(ws, Options{Reserved: []string{filepath.Join(ws, "link"), filepath.Join(above, "out"), ws}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct {
		name    string
		use     schema.PathUse
		refused bool
	}{
		{"real/own", schema.WritePath, true}, {"real/own/x", schema.WritePath, true}, {"link/x", schema.WritePath, true}, {"REAL/Own/x", schema.CreatePath, true},
		{"real/own", schema.RemovePath, true}, {"real", schema.RemovePath, true}, {"real", replaceEntry, true}, {"link", schema.RemovePath, true},
		{"real/other", schema.WritePath, false}, {"real/ownx", schema.WritePath, false}, {"other", schema.RemovePath, false}, {"other", replaceEntry, false},
		{"real/x", schema.CreatePath, false},
	} {
		if _, err := r.Resolve(c.name, c.use); fault.Is(err, fault.ProtectedPath) != c.refused {
			t.Errorf("%s of %s: %v", c.use, c.name, err)
		}
	}
}
