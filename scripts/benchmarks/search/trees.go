package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

var errEnough = errors.New("enough files")

// plant copies the first files of a tree and adds ignore rules as repositories have
// them.
func plant(to, from string, files int) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	count := 0
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && rel == "cache":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		case count == files:
			return errEnough
		}
		count++
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), content, 0o644)
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if err := os.Mkdir(filepath.Join(to, ".git"), 0o755); err != nil {
		return err
	}
	const rules = "*.o\n*.so\n*.a\n*.tmp\n*~\n/bin/\nnode_modules/\nbuild/output\n*.tab.[ch]\n.DS_Store\n!keep.o\n**/generated-*/\n"
	return os.WriteFile(filepath.Join(to, ".gitignore"), []byte(rules), 0o644)
}

// writeLog writes the log of a service, in which a few lines are rare.
func writeLog(dir string, megabytes int) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	levels := []string{"INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"}
	paths := []string{"/api/v1/users", "/api/v1/orders/list", "/static/app.js", "/health", "/login"}
	for written, line := 0, 0; written < megabytes<<20; line++ {
		n, err := fmt.Fprintf(w, "2026-03-%02dT%02d:%02d:%02d.%06dZ %s service=%08x request=%016x path=%s status=%d duration=%dms shard=%d\n",
			1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1e6), levels[r.IntN(6)], r.Uint32(), r.Uint64(),
			paths[r.IntN(5)], []int{200, 200, 201, 404, 500}[r.IntN(5)], r.IntN(2000), r.IntN(64))
		if err != nil {
			return err
		}
		written += n
		if line%1_000_003 == 500_000 {
			n, err = fmt.Fprintf(w, "panic: runtime error deadbeefcafe xyzzy1 shard=%d λ\n", line)
			if err != nil {
				return err
			}
			written += n
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
