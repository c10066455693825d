// Command peers runs extractors in Go that helve itself does not use, for the
// benchmark of the web: peers readeck|go-trafilatura. It is a module of its own, so
// that they are no requirements of helve. It reads one JSON document {html,url} a line
// and writes {content,markdown,published,author,milliseconds} or {error}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"strings"
	"time"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// answer is the output of an extractor.
type answer struct {
	Content      string  `json:"content"`
	Markdown     string  `json:"markdown"`
	Published    string  `json:"published"`
	Author       string  `json:"author"`
	Milliseconds float64 `json:"milliseconds"`
	Error        string  `json:"error,omitzero"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: peers readeck|go-trafilatura")
	}
	extract := map[string]func(page string, address *url.URL) (answer, error){"readeck": readeck, "go-trafilatura": goTrafilatura}[os.Args[1]]
	if extract == nil {
		log.Fatalf("peers: no extractor %q", os.Args[1])
	}
	if err := serve(os.Stdin, os.Stdout, extract); err != nil {
		log.Fatal("peers: ", err)
	}
}

func serve(in io.Reader, out io.Writer, extract func(string, *url.URL) (answer, error)) error {
	questions, answers := bufio.NewReaderSize(in, 1<<20), json.NewEncoder(out)
	for {
		line, err := questions.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := answers.Encode(reply(line, extract)); err != nil {
			return err
		}
	}
}

// reply extracts one page. A panic of the extractor is its failure.
func reply(line []byte, extract func(string, *url.URL) (answer, error)) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = answer{Error: fmt.Sprint("panic: ", p)}
		}
	}()
	var question struct{ HTML, URL string }
	if err := json.Unmarshal(line, &question); err != nil {
		return answer{Error: err.Error()}
	}
	address, err := url.Parse(question.URL)
	if err != nil {
		return answer{Error: err.Error()}
	}
	began := time.Now()
	a, err = extract(question.HTML, address)
	if err != nil {
		return answer{Error: err.Error()}
	}
	a.Milliseconds = float64(time.Since(began)) / float64(time.Millisecond)
	return a
}

func readeck(page string, address *url.URL) (answer, error) {
	found, err := readability.FromReader(strings.NewReader(page), address)
	if err != nil {
		return answer{}, err
	}
	var content strings.Builder
	if found.Node != nil {
		if err := found.RenderHTML(&content); err != nil {
			return answer{}, err
		}
	}
	a := answer{Content: content.String(), Author: found.Byline()}
	if t, err := found.PublishedTime(); err == nil {
		a.Published = t.Format(time.DateOnly)
	}
	a.Markdown, err = markdown(found.Title(), a.Content)
	return a, err
}

func goTrafilatura(page string, address *url.URL) (answer, error) {
	found, err := trafilatura.Extract(strings.NewReader(page), trafilatura.Options{OriginalURL: address, EnableFallback: true, IncludeLinks: true})
	if err != nil {
		return answer{}, err
	}
	var content strings.Builder
	for _, n := range []*html.Node{found.ContentNode, found.CommentsNode} {
		if n != nil {
			if err := html.Render(&content, n); err != nil {
				return answer{}, err
			}
		}
	}
	a := answer{Content: content.String(), Author: found.Metadata.Author}
	if !found.Metadata.Date.IsZero() {
		a.Published = found.Metadata.Date.Format(time.DateOnly)
	}
	a.Markdown, err = markdown(found.Metadata.Title, a.Content)
	return a, err
}

// markdown converts content as go-readability's is in the benchmark.
func markdown(title, content string) (string, error) {
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	text, err := c.ConvertString(content)
	return "# " + title + "\n\n" + text, err
}
