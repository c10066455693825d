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
// a page and writes what it found, each as one line of JSON. A page that takes too long
// ends the program; the next page starts it again.
type lineSystem struct {
	shown string
	run   context.Context //nolint:containedctx // of the whole run, which ends with the program
	dir   string
	argv  []string

	command *exec.Cmd // nil if it does not run
	in      io.WriteCloser
	out     *bufio.Reader
}

// begin returns the system that the program argv is, after trying it. It runs in a
// directory; "" is the current one.
func begin(ctx context.Context, shown, dir string, argv ...string) (extractor, error) {
	s := &lineSystem{shown: shown, run: ctx, dir: dir, argv: argv}
	if err := s.probe(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// start starts the program.
func (s *lineSystem) start() error {
	c := exec.CommandContext(s.run, s.argv[0], s.argv[1:]...)
	c.Dir = s.dir
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	s.command, s.in, s.out = c, in, bufio.NewReaderSize(out, 1<<20)
	return nil
}

// Close ends the program, as the end of its input does.
func (s *lineSystem) Close() error {
	if s.command == nil {
		return nil
	}
	c := s.command
	s.command = nil
	return errors.Join(s.in.Close(), c.Wait())
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

func (s *lineSystem) extract(ctx context.Context, p *sample) (output, error) {
	question, err := json.Marshal(map[string]string{"html": p.html, "url": p.url.String()})
	if err != nil {
		return output{}, err
	}
	if s.command == nil {
		if err := s.start(); err != nil {
			return output{}, err
		}
	}
	line, err := s.ask(ctx, append(question, '\n'))
	if err != nil {
		_ = s.Close()
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

// ask writes a line and reads one. The end of the context kills the program, which
// ends both.
func (s *lineSystem) ask(ctx context.Context, question []byte) ([]byte, error) {
	program := s.command.Process
	stop := context.AfterFunc(ctx, func() { _ = program.Kill() })
	_, err := s.in.Write(question)
	var line []byte
	if err == nil {
		line, err = s.out.ReadBytes('\n')
	}
	if !stop() { // the program was killed, whether or not it answered just before
		return nil, ctx.Err()
	}
	return line, err
}
