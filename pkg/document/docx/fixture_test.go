package docx

import (
	"archive/zip"
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/testing/documenttest"
)

var update = flag.Bool("update", false, "renew the Markdown in testdata")

// fixtures returns the documents in testdata: their names, and what is made of them.
func fixtures(t *testing.T, images func(document.Image)) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.docx")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	all := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = documenttest.Render(t, d, &document.Request{Image: func(i document.Image) string {
			if images != nil {
				images(i)
			}
			return "image." + i.MIME[strings.IndexByte(i.MIME, '/')+1:]
		}})
	}
	return all
}

// Documents of several programs become the Markdown in testdata, with the words that
// pandoc reads in them.
func TestGoldenMarkdown(t *testing.T) {
	label := regexp.MustCompile(`(?m)^ *(- )?\(?\w{1,3}[.)] |</?su[bp]>|!\[.*?\)|\]\(.*?\)|\[\^\w+\]`)
	for name, got := range fixtures(t, nil) {
		base := strings.TrimSuffix(name, ".docx")
		if *update {
			if err := os.WriteFile(base+".md", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(base + ".md")
		if err != nil {
			t.Fatal(err)
		}
		if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
		judged, err := os.ReadFile(base + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(got, "$") {
			continue // pandoc's words are those outside of formulas
		}
		if f1 := documenttest.WordsF1(label.ReplaceAllString(strings.ReplaceAll(got, "<br>", " "), ""), string(judged)); f1 < 0.9 {
			t.Errorf("%s: words F1 %.3f", name, f1)
		}
	}
}

// Images are the parts that they came from.
func TestImages(t *testing.T) {
	var images []document.Image
	fixtures(t, func(i document.Image) { images = append(images, i) })
	data, err := os.ReadFile("testdata/loodt-article.docx")
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, "word/media/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var part bytes.Buffer
		if _, err := part.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		for _, i := range images {
			found = found || bytes.Equal(i.Data, part.Bytes()) && i.MIME == "image/png"
		}
	}
	if !found {
		t.Errorf("%d images, and not that of the document", len(images))
	}
}

// The structure is the one that pandoc reads: a file mean of the scores of at least .92.
func TestPandoc(t *testing.T) {
	if _, err := exec.LookPath("pandoc"); err != nil {
		t.Skip("no pandoc")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	dir := t.TempDir()
	for name, got := range fixtures(t, nil) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(to, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+".md", []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(python, "testdata/judge.py", dir, "-min=.92", "-v").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
