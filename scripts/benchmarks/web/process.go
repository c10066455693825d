package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processes times whole processes, each with one page, in turn: helve fetches the
// page from a server on this machine, the others read it from a file. One that takes longer than the limit is ended.
func processes(ctx context.Context, w io.Writer, js *nodeModules, samples []sample, n int, limit time.Duration) error {
	dir, err := os.MkdirTemp("", "helve-bench-web-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	helve := filepath.Join(dir, "helve.exe")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", helve, "github.com/helve-dev/helve")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	home := filepath.Join(dir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"web":{"allow_private":true}}`), 0o600); err != nil {
		return err
	}
	base, stop, err := serve(ctx, samples)
	if err != nil {
		return err
	}
	defer stop()
	type subject struct {
		name  string
		argv  func(i int, file string) []string
		times []time.Duration
	}
	subjects := []*subject{{name: "helve", argv: func(i int, _ string) []string { return []string{helve, "fetch", base + strconv.Itoa(i)} }}}
	if js != nil {
		for _, kind := range []string{"readability", "defuddle"} {
			subjects = append(subjects, &subject{name: kind, argv: func(i int, file string) []string {
				return []string{"node", js.driver(), kind, file, samples[i].url.String()}
			}})
		}
	}
	step := max(len(samples)/n, 1)
	for i := 0; i < len(samples); i += step {
		file := filepath.Join(dir, "page.html")
		if err := os.WriteFile(file, []byte(samples[i].html), 0o600); err != nil {
			return err
		}
		for _, s := range subjects {
			argv := s.argv(i, file)
			limited, cancel := context.WithTimeout(ctx, limit)
			c := exec.CommandContext(limited, argv[0], argv[1:]...)
			c.Dir, c.Env = dir, append(os.Environ(), "HELVE_ROOT=", "HELVE_HOME="+home)
			began := time.Now()
			out, err := c.Output()
			took := time.Since(began)
			cancel()
			if err != nil && s.name == "helve" {
				return fmt.Errorf("%s: %w: %s", samples[i].name, err, out)
			}
			s.times = append(s.times, took)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\none page a process, %d pages\n%-16s%10s%10s%9s\n", len(subjects[0].times), "", "median", "95%", "ratio")
	for _, s := range subjects {
		fmt.Fprintf(&b, "%-16s%7.1f ms%7.1f ms%9.1f\n", s.name, milliseconds(quantile(s.times, 0.5)), milliseconds(quantile(s.times, 0.95)),
			float64(quantile(s.times, 0.5))/float64(quantile(subjects[0].times, 0.5)))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// serve serves the samples by their numbers.
func serve(ctx context.Context, samples []sample) (base string, stop func(), err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || i < 0 || i >= len(samples) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, samples[i].html)
	})}
	go func() { _ = s.Serve(l) }()
	return "http://" + l.Addr().String() + "/", func() { _ = s.Close() }, nil
}
