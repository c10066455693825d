package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
)

// pages writes all pages and returns their directory.
func pages(t *testing.T) string {
	t.Helper()
	t.Setenv("HELVE_HOME", t.TempDir())
	t.Setenv("HELVE_ROOT", t.TempDir())
	t.Setenv("HELVE_LANG", "")
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	date, err := day()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeMan(cmd.Tree(), date, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPages(t *testing.T) {
	dir := pages(t)
	for name, parts := range map[string][]string{
		"helve.1":            {`.TH "HELVE" 1 "2023-11-14" helve`, `.BR helve\-read (1)`, `\fB\-\-readonly\fR`, `\fB\-V\fR, \fB\-\-version\fR`, `\fBnot_found\fR`, ".SS Exit status 4\n", `\fBHELVE_HOME\fR`, `\fB/etc/helve/config.json\fR`, `.BR helve\-recipes (7)`},
		"helve-read.1":       {`.TH "HELVE-READ" 1 "2023-11-14"`, `helve\-read \- `, `\fB\-\-limit\fR \fIN\fR`, ".SH EXAMPLES", ".BR helve (1)"},
		"helve-config.5":     {`.TH "HELVE-CONFIG" 5`, ".SS files\n", `\fBfiles.require_read\fR`, "Values: off, warn, on\n", `\fBprojects[].id\fR`, `\fBspawn.max_jobs\fR`},
		"helve-recipes.7":    {`.TH "HELVE-RECIPES" 7`, ".SH A CODING AGENT\n", ".SH CI\n", `\fBagent.py\fR`, `\fBhelve approvals watch\fR`},
		"helve-config-set.1": {`helve\-config\-set \- `, `.BR helve\-config (1)`, `\[u0027][\[u0022]git`},
	} {
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(string(page), part) {
				t.Errorf("%s is without %s:\n%s", name, part, page)
			}
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if date, err := day(); err == nil {
		t.Errorf("the date is %s", date)
	}
}

// all returns the files of all pages.
func all(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.[157]"))
	if err != nil || len(files) < 90 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	return files
}

// mandoc finds nothing to warn about. The length of lines is a matter of style.
func TestMandoc(t *testing.T) {
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("no mandoc")
	}
	out, err := exec.Command(mandoc, append([]string{"-T", "lint", "-W", "warning"}, all(t, pages(t))...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// groff finds nothing to warn about, and shows what the help says.
func TestGroff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	dir := pages(t)
	out, err := exec.Command(groff, append([]string{"-man", "-Tutf8", "-ww", "-z"}, all(t, dir)...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	shown, err := exec.Command(groff, "-man", "-Tascii", "-P-cbou", filepath.Join(dir, "helve-edit.1")).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"path":"main.go","old_text":"func old() {\n","new_text":"func renamed() {\n"}'`, "--old-text TEXT", "2023-11-14"} {
		if !strings.Contains(string(shown), want) {
			t.Errorf("no %s in\n%s", want, shown)
		}
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{`.x`: `\&.x`, `a-b\n`: `a\-b\en`, `'q…'`: `\[u0027]q\[u2026]\[u0027]`, "plain": "plain"} {
		if got := escape(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
	if regexp.MustCompile(`(?m)^[.']`).MatchString(escape("'")) {
		t.Error("a line that starts with a quote is a request")
	}
}
