package notebook_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/fault"
)

const v4 = `{
 "nbformat": 4, "metadata": {"language_info": {"name": "python"}},
 "cells": [
  {"cell_type": "markdown", "id": "intro", "source": ["# Title\n", "words"]},
  {"cell_type": "code", "id": "a1", "execution_count": 3, "source": "print('x')\n` + "```" + `", "outputs": [
   {"output_type": "stream", "name": "stdout", "text": ["10%\r20%\r100%\n", "\u001b[31mdone\u001b[0m\n"]},
   {"output_type": "execute_result", "data": {"text/plain": "42", "text/html": "<b>42</b>"}},
   {"output_type": "display_data", "data": {"image/png": "aGVs\nbG8=", "text/plain": "<Figure>"}},
   {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\u001b[0;31mline\u001b[0m"]}
  ]}
 ]}`

func TestRender(t *testing.T) {
	var images []notebook.Image
	got, err := notebook.Render([]byte(v4), func(i notebook.Image) string {
		images = append(images, i)
		return "![" + i.Alt + "](x.png)"
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "<!-- cell 1: markdown, id intro -->\n# Title\nwords\n" +
		"\n<!-- cell 2: code, id a1, run 3 -->\n````python\nprint('x')\n```\n````\n" +
		"\nOutput:\n```\n100%\ndone\n```\n" +
		"\nOutput:\n```\n42\n```\n" +
		"\n![output of cell 2](x.png)\n" +
		"\nOutput:\n```\n<Figure>\n```\n" +
		"\nError:\n```\nE: v\nline\n```\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]notebook.Image{{MIME: "image/png", Data: []byte("hello"), Alt: "output of cell 2"}}, images); diff != "" {
		t.Error(diff)
	}
}

func TestRenderOldFormat(t *testing.T) {
	got, err := notebook.Render([]byte(`{"nbformat":3,"worksheets":[{"cells":[
		{"cell_type":"heading","level":2,"source":"H"},
		{"cell_type":"code","language":"python","input":["1+1"],"outputs":[{"output_type":"pyout","text":["2"]}]}]}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "<!-- cell 1: heading -->\n## H\n\n<!-- cell 2: code -->\n```python\n1+1\n```\n\nOutput:\n```\n2\n```\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRenderRefuses(t *testing.T) {
	for _, in := range []string{``, `{`, `[]`, `{}`, `{"cells":3}`, `null`} {
		if got, err := notebook.Render([]byte(in), nil); !fault.Is(err, fault.BadDocument) {
			t.Errorf("%s: %q, %v", in, got, err)
		}
	}
}

func TestRenderCutsLongOutput(t *testing.T) {
	got, err := notebook.Render([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":"","outputs":[{"output_type":"stream","text":"`+strings.Repeat("é", 100_000)+`"}]}]}`), nil)
	if err != nil || len(got) > 20_000 || !strings.Contains(got, "bytes more]") || !utf8.ValidString(got) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestBounds(t *testing.T) {
	for _, n := range []int{8000, 8001} {
		got, err := notebook.Render([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","outputs":[{"output_type":"stream","text":"`+strings.Repeat("x", n)+`"}]}]}`), nil)
		if err != nil || strings.Contains(got, "bytes more]") != (n > 8000) {
			t.Errorf("output of %d characters: %.100q, %v", n, got, err)
		}
	}
	output := `{"output_type":"display_data","data":{"image/png":"aGVs"}},`
	images := 0
	_, err := notebook.Render([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","outputs":[`+strings.TrimSuffix(strings.Repeat(output, 60), ",")+`]}]}`),
		func(notebook.Image) string { images++; return "" })
	if err != nil || images != 50 {
		t.Errorf("%d images, %v", images, err)
	}
}

func FuzzRender(f *testing.F) {
	f.Add([]byte(v4))
	f.Add([]byte(`{"nbformat":3,"worksheets":[{"cells":[{"outputs":[{"png":"!"}]}]}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := notebook.Render(in, func(i notebook.Image) string { return i.MIME })
		if err == nil && !utf8.ValidString(got) {
			t.Errorf("%q is not UTF-8", got)
		}
	})
}
