package search_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/walk"
)

func ExampleGrep() {
	dir, err := os.MkdirTemp("", "search")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, content := range map[string]string{
		".gitignore": "*.log\n",
		"a.go":       "package a\n\nfunc Open() {}\n",
		"b.go":       "package a\n\nfunc Close() {}\nfunc Reopen() {}\n",
		"c.log":      "func Open() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer root.Close()

	result, err := search.Grep(context.Background(), walk.Std(root), search.GrepOptions{Pattern: `(?i)func \w*open`})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, file := range result.Files {
		for _, line := range file.Lines {
			fmt.Printf("%s:%d: %s\n", file.Path, line.Line, line.Text)
		}
	}
	fmt.Println(result.TotalMatches, "lines,", result.Skipped.Ignored, "ignored")
	// Output:
	// a.go:3: func Open() {}
	// b.go:4: func Reopen() {}
	// 2 lines, 1 ignored
}
