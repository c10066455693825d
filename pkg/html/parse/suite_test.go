package parse

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// module returns the directory of a module that this one depends on.
func module(t testing.TB, path string) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(dir))
}

// cases returns the inputs of html5lib's cases of tree construction.
func cases(t testing.TB) []string {
	t.Helper()
	dir := filepath.Join(module(t, "golang.org/x/net"), "html", "testdata")
	var texts []string
	for _, pattern := range []string{"html5lib-tests/tree-construction/*.dat", "go/*.dat"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			source, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for part := range strings.SplitSeq("\n"+string(source), "\n#data\n") {
				if text, _, ok := strings.Cut(part, "\n#errors\n"); ok {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

func TestSuite(t *testing.T) {
	texts := cases(t)
	if len(texts) < 1500 {
		t.Fatal(len(texts))
	}
	for _, text := range texts {
		agrees(t, text)
	}
}

// inputs returns the inputs of html5lib's cases of tokens.
func inputs(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(module(t, "golang.org/x/net"), "html", "testdata", "html5lib-tests", "tokenizer", "*.test"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var suite struct{ Tests []struct{ Input string } }
		if err := json.Unmarshal(source, &suite); err != nil {
			t.Fatal(err)
		}
		for _, c := range suite.Tests {
			texts = append(texts, c.Input)
		}
	}
	return texts
}

// Each input is read between elements, in attributes, and in elements that contain
// text.
func TestTokenSuite(t *testing.T) {
	texts := inputs(t)
	if len(texts) < 5000 {
		t.Fatal(len(texts))
	}
	for i, text := range texts {
		if raceDetector && i%8 != 0 {
			continue
		}
		for _, around := range []string{"%s", "<a b='%s'>", "<a b=%s>", "<title>%s", "<style>%s</style>x", "<script><!--%s</script>x", "<svg>%s"} {
			agrees(t, strings.Replace(around, "%s", text, 1))
		}
	}
}

// pages returns the test pages of go-readability.
func pages(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(module(t, "github.com/go-shiori/go-readability"), "test-pages", "*", "source.html"))
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	if raceDetector {
		files = files[:len(files)/8]
	}
	var texts []string
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(source))
	}
	return texts
}

func TestPages(t *testing.T) {
	for _, text := range pages(t) {
		agrees(t, text)
	}
}
