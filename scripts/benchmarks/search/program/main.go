// Program searches as a command would: arguments in, one JSON document out. It
// stands in for helve's own commands where these are not to be measured.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/walk"
)

func main() {
	firstCollectionLate()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// firstCollectionLate lets the heap grow to 10 MB before the first collection,
// which a short call never gets to, and has later ones come as ever.
func firstCollectionLate() {
	debug.SetGCPercent(250)
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, 100)
}

type grepResult struct {
	Files    []search.FileMatches `json:"files"`
	Matches  int                  `json:"total_matches"`
	Total    int                  `json:"total_files"`
	Exact    bool                 `json:"total_exact"`
	Searched int                  `json:"files_searched"`
	More     bool                 `json:"truncated"`
	Next     int                  `json:"next_offset,omitempty"`
	Skipped  search.Skipped       `json:"skipped"`
}

type findResult struct {
	Matches []search.Match `json:"matches"`
	Total   int            `json:"total"`
	More    bool           `json:"truncated"`
	Skipped search.Skipped `json:"skipped"`
}

func run() error {
	var (
		list     = flag.Bool("list", false, "only the paths that -find finds, one a line")
		find     = flag.Bool("find", false, "find files by name")
		portable = flag.Bool("portable", false, "use only the standard library for the file system")
		g        search.GrepOptions
		globs    = flag.String("g", "", "glob")
		mode     = flag.String("mode", "content", "content, files or count")
	)
	flag.BoolVar(&g.IgnoreCase, "i", false, "ignore case")
	flag.BoolVar(&g.Word, "w", false, "words")
	flag.BoolVar(&g.Literal, "F", false, "literal")
	flag.BoolVar(&g.Multiline, "U", false, "multiline")
	flag.BoolVar(&g.Total, "total", false, "true totals")
	flag.BoolVar(&g.Hidden, "hidden", false, "hidden files, too")
	flag.BoolVar(&g.NoIgnore, "no-ignore", false, "heed no ignore files")
	flag.IntVar(&g.Limit, "limit", 0, "limit")
	flag.IntVar(&g.Offset, "offset", 0, "offset")
	flag.IntVar(&g.Before, "B", 0, "lines before")
	flag.IntVar(&g.After, "A", 0, "lines after")
	dir := flag.String("C", ".", "root")
	flag.Parse()
	g.Pattern, g.Path, g.Mode = flag.Arg(0), flag.Arg(1), search.Mode(*mode)
	if *globs != "" {
		g.Globs = []string{*globs}
	}
	std, err := os.OpenRoot(*dir)
	if err != nil {
		return err
	}
	defer std.Close()
	root := walk.Std(std)
	if !*portable {
		f, err := std.Open(".")
		if err != nil {
			return err
		}
		defer f.Close()
		root = descriptor(f, root)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	if *find {
		r, err := search.Find(context.Background(), root, search.FindOptions{
			Scope: g.Scope, Query: g.Pattern, Globs: g.Globs, Limit: g.Limit, Type: search.File, NamesOnly: *list,
		})
		if err != nil {
			return err
		}
		if *list {
			w := bufio.NewWriter(os.Stdout)
			for _, m := range r.Matches {
				_, _ = w.WriteString(m.Path) // Flush tells the first error
				_ = w.WriteByte('\n')        // Flush tells the first error
			}
			return w.Flush()
		}
		return out.Encode(findResult{r.Matches, r.Total, r.Truncated, r.Skipped})
	}
	r, err := search.Grep(context.Background(), root, g)
	if err != nil {
		return err
	}
	return out.Encode(grepResult{r.Files, r.TotalMatches, r.TotalFiles, r.TotalExact, r.FilesSearched, r.Truncated, r.NextOffset, r.Skipped})
}
