package service

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// awkward is a service whose words need every kind of quoting.
func awkward(t *testing.T) Spec {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, `it's 100% "my" $HOME\dir 目录`, "helve")
	if runtime.GOOS == "windows" {
		program = filepath.Join(dir, "it's 100% 目录", "helve")
	}
	if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" \"$HELVE_HOME\"\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return Spec{
		ID: "site-1a2b", What: `jobs of /srv/100% "site"`, Program: program,
		Args:  []string{"--root", `/srv/a b's "c" $x %h \n & <d>`, "cron", "run", ""},
		Env:   []string{`HELVE_HOME=/h/ä b" 100% $y \t`, "PATH=/usr/bin:/bin"},
		Files: filepath.Join(dir, "state"), Home: dir, Config: filepath.Join(dir, "config"),
	}
}

func described(t *testing.T, kind string, s Spec) *Service {
	t.Helper()
	out, err := Describe(kind, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// systemd itself finds nothing wrong with the units, and reads the words as they are.
func TestSystemd(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze")
	}
	s := awkward(t)
	plain := filepath.Join(s.Home, "a $HOME 100% 目录", "helve")
	if err := os.MkdirAll(filepath.Dir(plain), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(s.Program, plain); err != nil {
		t.Fatal(err)
	}
	for i, minutes := range []bool{false, true, false} {
		s.Minutes = minutes
		if i == 2 {
			s.Program = plain
		}
		out := described(t, Systemd, s)
		var paths []string
		for _, f := range out.Files {
			if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.Path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, f.Path)
		}
		if len(paths) != map[bool]int{false: 1, true: 2}[minutes] || !strings.HasPrefix(out.Name, "helve-cron-site-1a2b.") {
			t.Errorf("%s: %q", out.Name, paths)
		}
		cmd := exec.CommandContext(t.Context(), "systemd-analyze", append([]string{"verify", "--user", "--man=no"}, paths...)...)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
		said, err := cmd.CombinedOutput()
		for line := range strings.Lines(string(said)) {
			if strings.Contains(line, "helve-cron") {
				t.Errorf("minutes %v: %s", minutes, line)
			}
		}
		if err != nil && strings.Contains(string(said), "helve-cron") {
			t.Error(err)
		}
	}
}

// The words of a unit are those of the service, read back after the rules of
// systemd.syntax(7).
func TestSystemdQuoting(t *testing.T) {
	s := awkward(t)
	unit := string(described(t, Systemd, s).Files[0].Data)
	_, line, _ := strings.Cut(unit, "ExecStart=")
	line, _, _ = strings.Cut(line, "\n")
	line, viaEnv := strings.CutPrefix(line, "/usr/bin/env ")
	want := append([]string{s.Program}, s.Args...)
	if diff := cmp.Diff(want, systemdWords(strings.ReplaceAll(line, "$$", "$"))); !viaEnv || diff != "" {
		t.Error(diff)
	}
	var env []string
	for l := range strings.Lines(unit) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(l), "Environment="); ok {
			env = append(env, systemdWords(v)...)
		}
	}
	if diff := cmp.Diff(s.Env, env); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(unit, Mark) || !strings.Contains(unit, "Restart=always") || !strings.Contains(unit, `Description=jobs of /srv/100%% "site"`) {
		t.Error(unit)
	}
}

// systemdWords splits a line of quoted words.
func systemdWords(line string) (words []string) {
	var word strings.Builder
	in := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"' && in:
			words, in = append(words, strings.ReplaceAll(word.String(), "%%", "%")), false
		case c == '"':
			word.Reset()
			in = true
		case c == '\\':
			i++
			word.WriteByte(line[i])
		case in:
			word.WriteByte(c)
		}
	}
	return words
}

// Python reads the property list as it was meant.
func TestLaunchd(t *testing.T) {
	s := awkward(t)
	out := described(t, Launchd, s)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	for _, minutes := range []bool{false, true} {
		s.Minutes = minutes
		out = described(t, Launchd, s)
		cmd := exec.CommandContext(t.Context(), "python3", "-c", "import sys,plistlib,json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))")
		cmd.Stdin = bytes.NewReader(out.Files[0].Data)
		text, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		args := []any{s.Program}
		for _, a := range s.Args {
			args = append(args, a)
		}
		want := map[string]any{
			"Label": "dev.helve.cron.site-1a2b", "ProgramArguments": args, "RunAtLoad": true,
			"EnvironmentVariables": map[string]any{"HELVE_HOME": `/h/ä b" 100% $y \t`, "PATH": "/usr/bin:/bin"},
			"StandardErrorPath":    filepath.Join(s.Files, "cron.log"),
		}
		if minutes {
			want["StartInterval"] = 60.0
		} else {
			want["KeepAlive"] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if !bytes.Contains(out.Files[0].Data, []byte(Mark)) {
		t.Error("not marked")
	}
}

// A shell that gets the command as cron passes it on runs the program with its words.
func TestCrontab(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("cron of Unix")
	}
	s := awkward(t)
	out := described(t, Crontab, s)
	command := strings.ReplaceAll(strings.TrimPrefix(out.Line, "* * * * * "), `\%`, "%")
	command = strings.Replace(command, ">/dev/null 2>&1", "", 1)
	said, err := exec.CommandContext(t.Context(), "/bin/sh", "-c", command).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join(append(append([]string{}, s.Args...), `/h/ä b" 100% $y \t`), "\n") + "\n"
	if diff := cmp.Diff(want, string(said)); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(strings.ReplaceAll(out.Line, `\%`, ""), "%") || !strings.HasSuffix(out.Line, "# helve cron site-1a2b") {
		t.Error(out.Line)
	}
	s.Env = append(s.Env, "LONG="+strings.Repeat("x", maxLine))
	if _, err := Describe(Crontab, s); !fault.Is(err, fault.OutOfRange) {
		t.Error(err)
	}
}

func TestSchtasks(t *testing.T) {
	s := awkward(t)
	s.Program, s.Args = `C:\Program Files\helve\helve.exe`, []string{"--root", `D:\my "site"\`, "cron", "run"}
	out := described(t, Schtasks, s)
	data := out.Files[0].Data
	if !bytes.HasPrefix(data, []byte{0xff, 0xfe}) {
		t.Fatal("no byte order mark")
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, uint16(data[i])|uint16(data[i+1])<<8)
	}
	text := string(utf16.Decode(units))
	for _, want := range []string{
		`<Command>C:\Program Files\helve\helve.exe</Command>`, `<Arguments>--root &#34;D:\my \&#34;site\&#34;\\&#34; cron run</Arguments>`, Mark, "LogonTrigger", "RestartOnFailure",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in:\n%s", want, text)
		}
	}
	if len(out.Enable) != 3 || !strings.HasPrefix(out.Enable[0], `setx HELVE_HOME "/h/`) {
		t.Errorf("%q", out.Enable)
	}
	s.Minutes = true
	if data := described(t, Schtasks, s).Files[0].Data; !bytes.Contains(data, utf16LE("PT1M")[2:]) || bytes.Contains(data, utf16LE("LogonTrigger")[2:]) {
		t.Error("not every minute")
	}
}

// What no file can hold is refused, and so is another kind.
func TestRefused(t *testing.T) {
	s := awkward(t)
	for _, bad := range []string{"a\nb", "a\x00", "\xff"} {
		s := s
		s.Args = []string{bad}
		for _, kind := range Kinds() {
			if _, err := Describe(kind, s); !fault.Is(err, fault.InvalidArguments) {
				t.Errorf("%s %q: %v", kind, bad, err)
			}
		}
	}
	if _, err := Describe("upstart", s); !fault.Is(err, fault.InvalidArguments) {
		t.Error(err)
	}
}
