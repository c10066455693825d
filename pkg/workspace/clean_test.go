package workspace

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestClean(t *testing.T) {
	ws, above := workspaceDir(t)
	tree(t, above, "ws-evil/", "w/")
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tests := []struct {
		name, want string
		code       fault.Code
	}{
		{".", ".", ""},
		{"a", "a", ""},
		{"./a//b/", "a/b", ""},
		{"a/../b", "b", ""},
		{"a/..", ".", ""},
		{"..foo", "..foo", ""},
		{"a/..foo/...", "a/..foo/...", ""},
		{"~/x", "~/x", ""},
		{"%2e%2e/x", "%2e%2e/x", ""},
		{"$HOME/x", "$HOME/x", ""},
		{ws, ".", ""},
		{ws + "/a/b", "a/b", ""},
		{ws + "/a/../../ws/b", "b", ""},
		{"", "", fault.InvalidArguments},
		{"a\x00b", "", fault.InvalidArguments},
		{strings.Repeat("a", 4095), strings.Repeat("a", 4095), ""},
		{strings.Repeat("a", 4096), "", fault.InvalidArguments},
		{"..", "", fault.OutsideWorkspace},
		{"../ws/a", "a", ""},
		{"../ws", ".", ""},
		{"a/../../ws/b/../c", "c", ""},
		{"../ws-evil/a", "", fault.OutsideWorkspace},
		{"../../" + filepath.Base(above) + "/ws/a", "a", ""},
		{"a/../../ws-evil", "", fault.OutsideWorkspace},
		{"./..", "", fault.OutsideWorkspace},
		{ws + "-evil/x", "", fault.OutsideWorkspace},
		{ws + "/../ws-evil/x", "", fault.OutsideWorkspace},
		{above, "", fault.OutsideWorkspace},
		{filepath.Join(above, "w"), "", fault.OutsideWorkspace},
		{filepath.Join(above, "x", "ws", "a"), "", fault.OutsideWorkspace},
		{filepath.VolumeName(ws) + "/", "", fault.OutsideWorkspace},
	}
	for _, tt := range tests {
		got, err := r.Clean(tt.name)
		if tt.code == "" && (err != nil || got != tt.want) || tt.code != "" && !fault.Is(err, tt.code) {
			t.Errorf("Clean(%.60q) = %q, %v; want %q %s", tt.name, got, err, tt.want, tt.code)
		}
	}
}

func TestCleanMessages(t *testing.T) {
	ws, _ := workspaceDir(t)
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = r.Clean("a/../../x")
	e := fault.As(err)
	if got, want := e.Message.In(fault.English), "the path is outside the workspace: a/../../x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := e.Message.In(fault.Chinese), "不允许访问工作区外的文件: a/../../x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWindowsPathFault(t *testing.T) {
	for _, name := range []string{
		`\\server\share\x`, `//server/share`, `\\?\C:\x`, `\\.\pipe\x`, `C:x`, `C:`, `\x`, `/x`,
		`a:b`, `a.txt::$DATA`, `.git::$INDEX_ALLOCATION/config`, `C:\a:b`, `dir\a.txt:s`,
		`con`, `CON.txt`, `a\nul`, `nul .txt`, `aux.tar.gz`, `COM1`, `com9.log`, `LPT0`, `COM¹`, `conin$`, `CONOUT$`,
		`a.`, `a `, `a.\b`, `a \b`, `...`, `a<b`, `a?`, `a*`, `a|b`, `a"b`, "a\x01b",
	} {
		if windowsPathFault(name).IsZero() {
			t.Errorf("%q is let through", name)
		}
	}
	for _, name := range []string{
		`a\b`, `a/b`, `C:\a\b`, `c:/a`, `.`, `..\a`, `.git`, `console`, `com`, `com10`, `lpt`, `nul_`, `a.nul`, `名字.txt`, `a b`, ``,
	} {
		if why := windowsPathFault(name); !why.IsZero() {
			t.Errorf("%q: %s", name, why)
		}
	}
}
