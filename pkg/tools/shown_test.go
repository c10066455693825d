package tools_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// formats are files of the formats that read shows otherwise than as their bytes, and of
// some that it shows as they are.
func formats(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{
		"plain.txt": []byte("one\ntwo \"quoted\"\nthree\n"), "page.html": []byte("<html><body>\n<p>one</p>\n<p>two</p>\n</body></html>\n"),
		"data.json": []byte("{\n \"a\": \"one\",\n \"b\": 2\n}\n"), "picture.svg": []byte("<svg>\n<text>one</text>\n</svg>\n"),
		"sheet.xls":    []byte("<table>\n<tr><td>one</td></tr>\n</table>\n"),
		"link.xls":     []byte("ID;PWXL;N;E\nC;Y1;X1;K\"one\"\nE\n"),
		"windows.txt":  []byte("caf\xe9 one\r\ntwo\r\n"),
		"spread.xls":   []byte("<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n<Workbook><Worksheet><Table><Row><Cell><Data>one</Data></Cell></Row></Table></Worksheet></Workbook>\n"),
		"nb.ipynb":     []byte(notebookText),
		"line.ipynb":   []byte(strings.Join(strings.Fields(strings.ReplaceAll(notebookText, "x = ", "x=")), "")),
		"text.ipynb":   []byte(strings.NewReplacer("[\n    \"# Title\\n\",\n    \"a \\\"word\\\"\"\n   ]", `"# Title\na \"word\""`).Replace(notebookText)),
		"no.ipynb":     []byte("{ not json\n"),
		"former.ipynb": []byte(`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"heading","level":2,"source":"Top"},{"cell_type":"code","language":"python","input":["a = 1\n","b = 2"],"outputs":[]}]}]}`),
	}
	samples, err := filepath.Glob("../document/*/testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]int{}
	for _, path := range samples {
		ext := filepath.Ext(path)
		if known[ext]++; known[ext] > 1 || slices.Contains([]string{".py", ".go", ".xml"}, ext) {
			continue
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = raw
	}
	return all
}

const notebookText = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Title\n",
    "a \"word\""
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "metadata": {},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "printed\n"
     ]
    }
   ],
   "source": [
    "x = 'a\\n'\n",
    "print(\"printed\")\n",
    "\tx = 2"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 4
}
`

// An edit of a line that read shows is right in the file's own form: read then shows that
// line changed, and no other. Or it is refused, with what can be done.
func TestShownLinesAreEdited(t *testing.T) {
	t.Parallel()
	for name, raw := range formats(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.file(t, name, string(raw))
			before := w.lines(t, name)
			for i, line := range before {
				if i%max(1, len(before)/6) != 0 || strings.TrimSpace(line) == "" || slices.Contains(before[i+1:], line) || slices.Contains(before[:i], line) || strings.Contains(line, "…") {
					continue
				}
				for _, ending := range []string{" \"q\\", "\nnext"} {
					w.file(t, name, string(raw))
					w.lines(t, name)
					args, err := json.Marshal(map[string]any{"path": name, "old_text": line + "\n", "new_text": line + ending + "\n"})
					if err != nil {
						t.Fatal(err)
					}
					failed := w.attempt(t, "edit", args)
					now, err := os.ReadFile(filepath.Join(w.dir, name))
					if err != nil {
						t.Fatal(err)
					}
					if failed != nil {
						if !bytes.Equal(now, raw) || !slices.Contains([]fault.Code{fault.UnsupportedContent, fault.BinaryFile, fault.TextNotFound, fault.TextAmbiguous, fault.EncodingUnsupported}, failed.Code) || failed.Hint.In(fault.English) == "" {
							t.Errorf("line %d %q: %v", i+1, line, failed)
						}
						continue
					}
					added, got := ending, w.lines(t, name)
					if filepath.Ext(name) == ".docx" { // which read shows as Markdown
						added = strings.ReplaceAll(ending, `\`, `\\`)
					}
					want := slices.Concat(before[:i], strings.Split(line+added, "\n"), before[i+1:])
					if filepath.Ext(name) == ".docx" { // where blank lines are between paragraphs
						blank := func(line string) bool { return line == "" }
						want, got = slices.DeleteFunc(want, blank), slices.DeleteFunc(got, blank)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("line %d %q: %s", i+1, line, diff)
					}
					if filepath.Ext(name) == ".ipynb" && json.Valid(raw) != json.Valid(now) {
						t.Errorf("line %d %q: %s", i+1, line, now)
					}
				}
			}
		})
	}
}

// lines returns what read shows of a file.
func (w *world) lines(t *testing.T, name string) []string {
	t.Helper()
	r, code := w.call(t, "read", map[string]any{"path": name, "numbered": false, "max_bytes": 60_000})
	if code != "" {
		return nil
	}
	content, _ := r["content"].(string)
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(content, "\r\n", "\n"), "\n"), "\n")
}
