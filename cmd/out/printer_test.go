package out

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// TestPrinter prints one report in every format and language.
func TestPrinter(t *testing.T) {
	r := Report{
		Data:     schema.Document{{Name: "a", Value: 1}},
		Text:     "a is \x1b[31m1\n",
		Warnings: []fault.Text{fault.Verbatim("look", "看")},
		Failure:  fault.New(fault.NotFound, fault.Verbatim("nothing", "没有")).WithHint(fault.Verbatim("search", "查找")),
	}
	for _, c := range []struct {
		format string
		lang   fault.Lang
		want   string
	}{
		{"", fault.English, `{"ok":false,"data":{"a":1},"error":{"code":"not_found","message":"nothing","hint":"search","retryable":false},"warnings":["look"]}` + "\n"},
		{"json", fault.Chinese, `{"ok":false,"data":{"a":1},"error":{"code":"not_found","message":"没有","hint":"查找","retryable":false},"warnings":["看"]}` + "\n"},
		{"pretty", fault.English, "{\n  \"ok\": false,\n  \"data\": {\n    \"a\": 1\n  },\n  \"error\": {\n    \"code\": \"not_found\",\n    \"message\": \"nothing\",\n    \"hint\": \"search\",\n    \"retryable\": false\n  },\n  \"warnings\": [\n    \"look\"\n  ]\n}\n"},
		{"text", fault.English, "warning: look\nerror: nothing (not_found)\nhint: search\na is \\u{1b}[31m1\n"},
		{"text", fault.Chinese, "警告：看\n错误：没有（not_found）\n提示：查找\na is \\u{1b}[31m1\n"},
	} {
		var b, errw bytes.Buffer
		p := New(&b, &errw)
		p.Format, p.Lang = c.format, c.lang
		if err := p.Report(r); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, b.String()); diff != "" {
			t.Errorf("%s, %s:\n%s", c.format, c.lang, diff)
		}
		if p.Status != 1 || errw.Len() > 0 {
			t.Errorf("%s, %s: status %d, stderr %q", c.format, c.lang, p.Status, errw.String())
		}
	}
}

// TestOneDocument fails after a document was written: only a printer of lines
// writes a second one.
func TestOneDocument(t *testing.T) {
	for _, lines := range []bool{false, true} {
		var b bytes.Buffer
		p := New(&b, io.Discard)
		if lines {
			p.Lines()
		}
		if err := p.Data(schema.Document{}); err != nil {
			t.Fatal(err)
		}
		status := p.Fail(fault.New(fault.Canceled, fault.T("stopped")))
		if n := strings.Count(b.String(), "\n"); n != 1 && !lines || n != 2 && lines || status != fault.Canceled.Exit() {
			t.Errorf("lines %v: status %d\n%s", lines, status, b.String())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

// TestUnwritten says on standard error that the document could not be written.
func TestUnwritten(t *testing.T) {
	var errw bytes.Buffer
	p := New(fullDisk{}, &errw)
	if err := p.Data(schema.Document{}); err != nil {
		t.Fatal(err)
	}
	if p.Status != fault.IOError.Exit() || !strings.Contains(errw.String(), "no space") {
		t.Errorf("status %d, stderr %q", p.Status, errw.String())
	}
}

// TestLogMasksSecrets logs the cause of an error without the password in it.
func TestLogMasksSecrets(t *testing.T) {
	var errw bytes.Buffer
	p := New(io.Discard, &errw)
	p.Verbose = true
	p.Fail(fault.New(fault.IOError, fault.T("no way")).Because(errors.New("dial https://me:hunter2hunter2@example.com")))
	if !strings.Contains(errw.String(), "example.com") || strings.Contains(errw.String(), "hunter2") {
		t.Errorf("stderr %q", errw.String())
	}
}

// TestWarn prints a warning of the run once: with the result if there is one that can carry
// it, else for a person.
func TestWarn(t *testing.T) {
	look := fault.Verbatim("look", "看")
	for name, c := range map[string]struct {
		print          func(p *Printer) error
		format         string
		stdout, stderr string
	}{
		"data": {func(p *Printer) error { return p.Data(schema.Document{}) }, "json", `{"ok":true,"data":{},"warnings":["look"]}` + "\n", ""},
		"report": {func(p *Printer) error {
			return p.Report(Report{Data: 1, Warnings: []fault.Text{fault.Verbatim("own", "")}})
		}, "json", `{"ok":true,"data":1,"warnings":["look","own"]}` + "\n", ""},
		"text": {func(p *Printer) error { return p.Report(Report{Text: "all"}) }, "text", "warning: look\nall\n", ""},
		"failure": {func(p *Printer) error { p.Fail(fault.New(fault.NotFound, fault.Verbatim("nothing", ""))); return nil }, "json",
			`{"ok":false,"error":{"code":"not_found","message":"nothing","retryable":false},"warnings":["look"]}` + "\n", ""},
		"result":  {func(p *Printer) error { p.Result(nil, guard.Outcome{JSON: []byte("1")}); return nil }, "json", `{"ok":true,"data":1,"warnings":["look"]}` + "\n", ""},
		"lines":   {func(p *Printer) error { p.Lines(); return p.Data(1) }, "json", `{"ok":true,"data":1}` + "\n", " look\n"},
		"nothing": {func(*Printer) error { return nil }, "json", "", " look\n"},
	} {
		var out, errw bytes.Buffer
		p := New(&out, &errw)
		p.Format = c.format
		p.Warn(look)
		if err := c.print(p); err != nil {
			t.Fatal(err)
		}
		p.Unsaid()
		if out.String() != c.stdout || !strings.HasSuffix(errw.String(), c.stderr) || (errw.Len() > 0) != (c.stderr != "") {
			t.Errorf("%s: %q, for a person %q", name, out.String(), errw.String())
		}
	}
}
