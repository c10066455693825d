package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/go-shiori/go-readability"

	"github.com/helve-dev/helve/pkg/html/page"
)

// inProcess is an extractor in this process, which can panic, and cannot be ended: a
// page that takes too long is left to itself, and costs the pages after it some time.
type inProcess struct{ extractor }

func (e inProcess) extract(ctx context.Context, s *sample) (output, error) {
	type end struct {
		out output
		err error
	}
	done := make(chan end, 1)
	go func() {
		var found end
		defer func() {
			if p := recover(); p != nil {
				found.err = fmt.Errorf("panic: %v", p)
			}
			done <- found
		}()
		found.out, found.err = e.extractor.extract(ctx, s)
	}()
	select {
	case found := <-done:
		return found.out, found.err
	case <-ctx.Done():
		return output{}, ctx.Err()
	}
}

// ours is fetch.
type ours struct{}

func (ours) name() string { return "helve" }

func (ours) extract(_ context.Context, s *sample) (output, error) {
	began := time.Now()
	source := page.Source{Text: s.html, MIME: "text/html", URL: s.url}
	m, err := page.Read(source, page.Options{Format: page.Markdown})
	if err != nil {
		return output{}, err
	}
	took := time.Since(began)
	d, err := page.Read(source, page.Options{Format: page.HTML}) // the same content, for the score of the text
	return output{html: d.Content, markdown: titled(m.Title, m.Content), published: m.Published, author: m.Byline, took: took, partial: m.Partial || m.Content == "", lost: m.Lost}, err
}

// titled puts the title before the content, as the other systems do.
func titled(title, markdown string) string { return "# " + title + "\n\n" + markdown }

// goReadability is the library with html-to-markdown and its table plugin, both with
// their defaults.
type goReadability struct{}

func (goReadability) name() string { return "go-readability" }

func (goReadability) extract(_ context.Context, s *sample) (output, error) {
	began := time.Now()
	a, err := readability.FromReader(strings.NewReader(s.html), s.url)
	if err != nil {
		return output{}, err
	}
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	markdown, err := c.ConvertString(a.Content)
	o := output{html: a.Content, markdown: titled(a.Title, markdown), author: a.Byline, took: time.Since(began)}
	if a.PublishedTime != nil {
		o.published = a.PublishedTime.Format(time.DateOnly)
	}
	return o, err
}

// wholeBody converts the whole body, as many fetch tools do.
type wholeBody struct{}

func (wholeBody) name() string { return "whole body" }

func (wholeBody) extract(_ context.Context, s *sample) (output, error) {
	began := time.Now()
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	markdown, err := c.ConvertString(s.html)
	return output{html: s.html, markdown: markdown, took: time.Since(began)}, err
}
