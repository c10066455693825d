package change_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/docx"
	"github.com/helve-dev/helve/pkg/document/docx/change"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// apply makes edits of a document.
func apply(raw []byte, author string, edits ...change.Edit) ([]byte, error) {
	d, err := change.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = d.Apply(edits, change.Options{Author: author, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}, &out)
	return out.Bytes(), err
}

// read returns a document in Markdown.
func read(t testing.TB, raw []byte, changes document.Changes) string {
	t.Helper()
	d, err := docx.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	w := markdown.NewWriter(markdown.Window{})
	if err := d.Render(context.Background(), &document.Request{Changes: changes}, w); err != nil {
		t.Fatal(err)
	}
	return string(w.Bytes())
}

func contract(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile("../../../../testdata/documents/contract.docx")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// An edit changes what read shows as the same edit would change Markdown; tracked, the
// change accepted is the new text and rejected the old one.
func TestEdit(t *testing.T) {
	raw := contract(t)
	before := read(t, raw, document.Accept)
	for _, c := range []struct{ old, next, was, is string }{
		{"made between", "agreed by", "made between", "agreed by"},
		{"between Ann Miller and", "between Bea Miller and", "**Ann Miller**", "**Bea Miller**"},
		{"Ann Miller", "Ann & <Bea> Miller", "**Ann Miller**", "**Ann & \\<Bea> Miller**"},
		{"Parties", "Who", "# Parties", "# Who"},
		{"# Parties", "# Who", "# Parties", "# Who"},
		{"2. Send an invoice.", "2. Send two invoices.", "Send an invoice.", "Send two invoices."},
		{"| Training | 99.50 € |", "| Training | 100 € |", "| Training | 99.50 € |", "| Training | 100 € |"},
		{"| Training | 99.50 € |", "| Training | 99.50 € |\n| Travel | 5 € |", "| Training | 99.50 € |\n", "| Training | 99.50 € |\n| Travel | 5 € |\n"},
		{"2. Send an invoice.", "2. Send an invoice.\n3. Wait.", "2. Send an invoice.\n3. ", "2. Send an invoice.\n3. Wait.\n4. "},
		{"2. Send an invoice.", "2. Send an invoice.\nThat is all.", "2. Send an invoice.\n3. ", "2. Send an invoice.\n\nThat is all.\n\n3. "},
	} {
		want := strings.Replace(before, c.was, c.is, 1)
		if want == before {
			t.Fatalf("%s is not in\n%s", c.was, before)
		}
		out, err := apply(raw, "", change.Edit{Old: c.old, New: c.next})
		if err != nil {
			t.Errorf("%s: %v", c.old, err)
			continue
		}
		if got := read(t, out, document.Accept); got != want {
			t.Errorf("%s: got\n%s", c.old, got)
		}
		kept(t, raw, out)
		out, err = apply(raw, "Ann", change.Edit{Old: c.old, New: c.next})
		if err != nil {
			t.Errorf("tracked %s: %v", c.old, err)
			continue
		}
		if got := read(t, out, document.Accept); got != want {
			t.Errorf("tracked %s, accepted: got\n%s", c.old, got)
		}
		if got := read(t, out, document.Reject); got != before {
			t.Errorf("tracked %s, rejected: got\n%s", c.old, got)
		}
		back, err := apply(out, "", change.Edit{Old: "nowhere", New: "x"})
		if err == nil {
			t.Error(len(back))
		}
	}
}

// A paragraph with another mark than the one before it is of a kind whose format is not known.
func TestOtherMark(t *testing.T) {
	for _, line := range []string{"# New", "- new", "> new"} {
		_, err := apply(contract(t), "", change.Edit{Old: "2. Send an invoice.", New: "2. Send an invoice.\n" + line})
		if !fault.Is(err, fault.InvalidArguments) || fault.As(err).Hint.IsZero() {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// kept holds that nothing but the main part has changed.
func kept(t testing.TB, before, after []byte) {
	t.Helper()
	a, b := entries(t, before), entries(t, after)
	for name, content := range a {
		if b[name] != content && name != "word/document.xml" {
			t.Errorf("%s has changed", name)
		}
	}
}

func entries(t testing.TB, raw []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(b)
	}
	return all
}

const body = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>%</w:body></w:document>`

// document packs paragraphs.
func paragraphs(t testing.TB, content string, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	all := append([]string{
		"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/document.xml", strings.Replace(body, "%", content, 1),
	}, parts...)
	for i := 0; i < len(all); i += 2 {
		f, err := w.Create(all[i])
		if err == nil {
			_, err = io.WriteString(f, all[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func main(t testing.TB, raw []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(body, "%")
	return strings.TrimSuffix(strings.TrimPrefix(string(b), before), after)
}

// Only the texts of the runs concerned are written.
func TestRuns(t *testing.T) {
	const text = `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>one </w:t></w:r><w:r><w:t>two</w:t><w:tab/><w:t>three three</w:t></w:r></w:p>`
	for _, c := range []struct {
		edits []change.Edit
		want  string
	}{
		{[]change.Edit{{Old: "e tw", New: "e pat"}}, `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>one </w:t></w:r><w:r><w:t xml:space="preserve">pato</w:t><w:tab/><w:t>three three</w:t></w:r></w:p>`},
		{[]change.Edit{{Old: "ne two", New: "X"}}, `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">oX</w:t></w:r><w:r><w:tab/><w:t>three three</w:t></w:r></w:p>`},
		{[]change.Edit{{Old: "three", New: "3", All: true}}, `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>one </w:t></w:r><w:r><w:t>two</w:t><w:tab/><w:t xml:space="preserve">3 3</w:t></w:r></w:p>`},
		{[]change.Edit{{Old: "one", New: "1"}, {Old: "o\tth", New: "-"}}, `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">1 </w:t></w:r><w:r><w:t xml:space="preserve">tw-</w:t><w:t xml:space="preserve">ree three</w:t></w:r></w:p>`},
	} {
		out, err := apply(paragraphs(t, text), "", c.edits...)
		if err != nil {
			t.Error(c.edits, err)
		} else if got := main(t, out); got != c.want {
			t.Errorf("%v: %s", c.edits, got)
		}
	}
}

// What cannot be changed as text is refused.
func TestRefused(t *testing.T) {
	const field = `<w:p><w:r><w:t>see </w:t></w:r><w:fldSimple w:instr="REF x"><w:r><w:t>chapter</w:t></w:r></w:fldSimple></w:p>`
	const drawing = `<w:p><w:r><w:t>one</w:t></w:r></w:p><w:p><w:r><w:t>two</w:t><w:drawing/></w:r></w:p>`
	protection := []string{"word/_rels/document.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/settings" Target="settings.xml"/></Relationships>`,
		"word/settings.xml", `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:documentProtection w:edit="readOnly" w:enforcement="1"/></w:settings>`}
	for _, c := range []struct {
		raw  []byte
		edit change.Edit
		why  string
	}{
		{paragraphs(t, field), change.Edit{Old: "chapter", New: "x"}, "comes from a field"},
		{paragraphs(t, drawing), change.Edit{Old: "one\n\ntwo", New: "one"}, "more in it than text"},
		{paragraphs(t, drawing), change.Edit{Old: "o", New: "x"}, "2 places"},
		{paragraphs(t, drawing), change.Edit{Old: "three", New: "x"}, "no paragraph"},
		{paragraphs(t, drawing, protection...), change.Edit{Old: "one", New: "x"}, "protected"},
		{paragraphs(t, drawing, "_xmlsignatures/sig1.xml", "<x/>"), change.Edit{Old: "one", New: "x"}, "signed"},
		{paragraphs(t, `<w:p><w:r><w:t>one</w:r></w:p>`), change.Edit{Old: "one", New: "x"}, "tags do not match"},
	} {
		if _, err := apply(c.raw, "", c.edit); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%v: %v", c.edit, err)
		}
	}
}

// FuzzEdit changes a text of any document: what is not refused can be read, and is well formed.
func FuzzEdit(f *testing.F) {
	f.Add(`<w:p><w:r><w:t>one two</w:t></w:r><w:r><w:tab/><w:t>three</w:t></w:r></w:p>`, "e t", "x", true)
	f.Add(`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p/>`, "| a |", "| a |\n| b |", false)
	f.Add(`<w:p><w:r><w:t>one</w:t></w:r></w:p><w:p><w:pPr/><w:r><w:t>two</w:t></w:r></w:p>`, "one\ntwo", "one", true)
	f.Fuzz(func(t *testing.T, content, old, next string, track bool) {
		author := ""
		if track {
			author = "A"
		}
		raw := paragraphs(t, content)
		out, err := apply(raw, author, change.Edit{Old: old, New: next})
		if err != nil {
			return
		}
		if _, err := change.Open(bytes.NewReader(out), int64(len(out))); err != nil {
			t.Fatal(err, main(t, out))
		}
		if track && read(t, out, document.Reject) != read(t, raw, document.Reject) {
			t.Fatal(main(t, out))
		}
	})
}
