package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/web"
)

// sample is a page with its known content.
type sample struct {
	name, kind string
	url        *url.URL
	raw        []byte // as served
	html       string // decoded
	want       string // the content's text
	published  string // 2006-01-02; "" where the labels have no date
	author     string // "" where they have none

	words     map[string]int
	structure structure
}

// mozilla returns the test pages of go-readability.
func mozilla(ctx context.Context) ([]sample, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-shiori/go-readability").Output()
	if err != nil {
		return nil, fmt.Errorf("finding go-readability: %w", err)
	}
	sources, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "test-pages", "*", "source.html"))
	if err != nil || len(sources) == 0 {
		return nil, errors.Join(errors.New("go-readability has no test-pages"), err)
	}
	address := &url.URL{Scheme: "http", Host: "fakehost", Path: "/test/page.html"}
	var samples []sample
	for _, path := range sources {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		want, err := os.ReadFile(filepath.Join(filepath.Dir(path), "expected.html"))
		if err != nil {
			return nil, err
		}
		samples = append(samples, sample{name: filepath.Base(filepath.Dir(path)), kind: "mozilla", url: address, raw: raw, want: visible(string(want))})
	}
	return samples, nil
}

// labelled returns the pages of a directory.
func labelled(dir string) ([]sample, error) {
	truths, err := filepath.Glob(filepath.Join(dir, "truth", "*.json"))
	if err != nil || len(truths) == 0 {
		return nil, errors.Join(fmt.Errorf("%s holds no truth/*.json", dir), err)
	}
	var samples []sample
	for _, path := range truths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var truth struct {
			URL     string `json:"url"`
			Type    string `json:"type"`
			Content string `json:"main_content"`

			Published, Author string
		}
		if err := json.Unmarshal(text, &truth); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		raw, err := unzip(filepath.Join(dir, "html", name+".html.gz"))
		if err != nil {
			return nil, err
		}
		address, err := url.Parse(truth.URL)
		if err != nil || address.Host == "" {
			address = &url.URL{Scheme: "https", Host: "example.org", Path: "/"}
		}
		samples = append(samples, sample{name: name, kind: truth.Type, url: address, raw: raw, want: truth.Content, published: truth.Published, author: truth.Author})
	}
	return samples, nil
}

func unzip(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func (s *sample) prepare() {
	s.html = web.Decode(s.raw, "", true).Text
	s.words = tokens(s.want)
	s.structure = structureOf(s.html, s.want)
}

// visible returns the text of HTML, by the same rules for all extractors.
func visible(content string) string {
	doc, err := html.Parse(strings.NewReader(content))
	if err != nil {
		return ""
	}
	return dom.Text(doc)
}
