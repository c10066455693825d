package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"strings"
	"time"
)

// lineSystem is an extractor in a program that runs as long as the benchmark: it reads
// a page and writes what it found, each as one line of JSON.
type lineSystem struct {
	shown   string
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startLines starts the program argv in a directory; "" is the current one.
func startLines(ctx context.Context, shown, dir string, argv ...string) (*lineSystem, error) {
	s := &lineSystem{shown: shown, command: exec.CommandContext(ctx, argv[0], argv[1:]...)}
	s.command.Dir = dir
	in, err := s.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<20)
	return s, s.command.Start()
}

func (s *lineSystem) stop() {
	_ = s.in.Close()
	_ = s.command.Wait()
}

// probe tries the program with a page.
func (s *lineSystem) probe(ctx context.Context) error {
	page := "<title>A page</title><article><h1>A page</h1>" + strings.Repeat("<p>This paragraph is long enough to be content, with commas, and words.</p>", 9) + "</article>"
	_, err := s.extract(ctx, &sample{html: page, url: &url.URL{Scheme: "https", Host: "example.org", Path: "/a"}})
	if err != nil {
		return fmt.Errorf("it does not run: %w", err)
	}
	return nil
}

func (s *lineSystem) name() string { return s.shown }

func (s *lineSystem) extract(_ context.Context, p *sample) (output, error) {
	question, err := json.Marshal(map[string]string{"html": p.html, "url": p.url.String()})
	if err != nil {
		return output{}, err
	}
	if _, err := s.in.Write(append(question, '\n')); err != nil {
		return output{}, err
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return output{}, err
	}
	var answer struct {
		Content, Markdown, Published, Author, Error string
		Milliseconds                                float64
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return output{}, err
	}
	if answer.Error != "" {
		return output{}, errors.New(answer.Error)
	}
	return output{
		html: answer.Content, markdown: answer.Markdown, published: answer.Published, author: answer.Author,
		took: time.Duration(answer.Milliseconds * float64(time.Millisecond)),
	}, nil
}
