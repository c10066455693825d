package cmd

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// TestPrinter prints one report in every format and language.
func TestPrinter(t *testing.T) {
	r := report{
		data:     schema.Document{{Name: "a", Value: 1}},
		text:     "a is \x1b[31m1\n",
		warnings: []fault.Text{fault.T("look")},
		failure:  fault.New(fault.NotFound, fault.T("nothing")).WithHint(fault.T("search")),
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
		p := newPrinter(&b, &errw)
		p.Format, p.Lang = c.format, c.lang
		if err := p.Report(r); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, b.String()); diff != "" {
			t.Errorf("%s, %s:\n%s", c.format, c.lang, diff)
		}
		if p.status != 1 || errw.Len() > 0 {
			t.Errorf("%s, %s: status %d, stderr %q", c.format, c.lang, p.status, errw.String())
		}
	}
}

// TestOneDocument fails after a document was written: only a printer of lines
// writes a second one.
func TestOneDocument(t *testing.T) {
	for _, lines := range []bool{false, true} {
		var b bytes.Buffer
		p := newPrinter(&b, io.Discard)
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
	p := newPrinter(fullDisk{}, &errw)
	if err := p.Data(schema.Document{}); err != nil {
		t.Fatal(err)
	}
	if p.status != fault.IOError.Exit() || !strings.Contains(errw.String(), "no space") {
		t.Errorf("status %d, stderr %q", p.status, errw.String())
	}
}

// TestLogMasksSecrets logs the cause of an error without the password in it.
func TestLogMasksSecrets(t *testing.T) {
	var errw bytes.Buffer
	p := newPrinter(io.Discard, &errw)
	p.Verbose = true
	p.Fail(fault.New(fault.IOError, fault.T("no way")).Because(errors.New("dial https://me:hunter2hunter2@example.com")))
	if !strings.Contains(errw.String(), "example.com") || strings.Contains(errw.String(), "hunter2") {
		t.Errorf("stderr %q", errw.String())
	}
}

// TestStream cuts characters in two: they are printed once they are complete.
func TestStream(t *testing.T) {
	var b bytes.Buffer
	s := &stream{out: newPrinter(&b, io.Discard)}
	text := []byte("aé上😀z")
	for i := range text {
		s.write(text[i:i+1], false)
	}
	s.write([]byte("!"), true)
	want := `{"t":"out","d":"a"}
{"t":"out","d":"é"}
{"t":"out","d":"上"}
{"t":"out","d":"😀"}
{"t":"out","d":"z"}
{"t":"err","d":"!"}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
