// Command web compares the quality and speed of fetch with other extractors:
// go-readability with html-to-markdown, the whole body, readeck's go-readability and
// go-trafilatura (module peers), trafilatura if Python is installed, and, if Node is,
// @mozilla/readability with jsdom and turndown, and defuddle. Those that cannot be
// installed are skipped, and the reason is printed.
//
// The pages are the test pages of go-readability, and those of a directory with
// html/NAME.html.gz and truth/NAME.json (url, type, main_content, published and author). Text is scored
// by the F1 of its words; code, tables and headings by the share of the reference
// that is still code, a table or a heading in the Markdown.
//
// Rules are made by looking at one half of the labelled pages only, -half 1, and are
// judged by the other, of which only the totals are looked at: never -worst or -show.
// The halves are known before any rule is: a page belongs to one by a hash of its
// name. -show prints what fetch missed in a page, and what it should have left out.
//
// Recall below .8 means that a part of the content was lost. A system may warn of
// that; the table says of how many such pages it did, and of how many that have
// nearly all.
//
//	scripts/bench web [-process N] [-node=false] [-systems A,B] [-half 1|2] [-worst N] [-show NAME] [DIR]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	node := flag.Bool("node", true, "also compare with the Node packages, if node and npm are installed")
	list := flag.String("systems", "", "compare only these, with commas: "+strings.Join(systemNames, ", "))
	process := flag.Int("process", 12, "time this many pages as whole processes; 0 times none")
	half := flag.Int("half", 0, "use one half of the labelled pages, 1 or 2; 0 uses both")
	worst := flag.Int("worst", 0, "list so many pages with the lowest scores")
	page := flag.String("show", "", "only show what fetch missed in the page of this name, and what it should have left out")
	flag.Parse()
	names, err := choose(*list, *node)
	if err != nil {
		log.Fatal("web: ", err)
	}
	samples, err := load(context.Background(), *half, *page, flag.Arg(0))
	switch {
	case err != nil:
	case *page != "":
		err = showAll(os.Stdout, samples)
	default:
		err = bench(context.Background(), samples, names, *process, *worst)
	}
	if err != nil {
		log.Fatal("web: ", err)
	}
}

// extractor is one of the systems that are compared.
type extractor interface {
	name() string
	extract(ctx context.Context, s *sample) (output, error)
}

// output is the content that an extractor finds.
type output struct {
	html, markdown string
	published      string
	author         string
	took           time.Duration // from the decoded page to the Markdown
	partial        bool          // the system says that much may be missing
}

// load reads the pages: one half of the labelled ones, or the page with a name.
func load(ctx context.Context, half int, name, dir string) ([]sample, error) {
	samples, err := mozilla(ctx)
	if err != nil {
		return nil, err
	}
	if dir != "" {
		labelled, err := labelled(dir)
		if err != nil {
			return nil, err
		}
		samples = append(samples, labelled...)
	}
	samples = slices.DeleteFunc(samples, func(s sample) bool {
		return half > 0 && s.kind != "mozilla" && s.half() != half || name != "" && s.name != name
	})
	if len(samples) == 0 {
		return nil, fmt.Errorf("there is no page %q", name)
	}
	for i := range samples {
		samples[i].prepare()
	}
	return samples, nil
}

// showAll shows what fetch missed in each page.
func showAll(w io.Writer, samples []sample) error {
	for i := range samples {
		out, err := ours{}.extract(context.Background(), &samples[i])
		if err != nil {
			return err
		}
		show(w, &samples[i], out)
	}
	return nil
}

func bench(ctx context.Context, samples []sample, names []string, process, worst int) error {
	s := &systems{note: func(text string) { fmt.Println(text) }}
	defer s.stop()
	s.start(ctx, names)
	if len(s.all) == 0 {
		return errors.New("no system can run")
	}
	var results []*result
	for _, e := range s.all {
		log.Printf("%s: %d pages", e.name(), len(samples))
		results = append(results, run(ctx, e, samples))
	}
	report(os.Stdout, results, kinds(samples))
	if worst > 0 {
		results[0].worst(os.Stdout, samples, worst)
	}
	if process > 0 {
		return processes(ctx, os.Stdout, s.js, samples, process)
	}
	return nil
}

// run runs one extractor on all samples.
func run(ctx context.Context, e extractor, samples []sample) *result {
	r := &result{name: e.name(), scores: map[string][]float64{}, of: make([]float64, len(samples))}
	for i := range samples {
		s := &samples[i]
		out, err := safely(ctx, e, s)
		r.times = append(r.times, out.took)
		if err != nil {
			r.failed++
		}
		got := tokens(visible(out.html))
		f := f1(got, s.words)
		r.shares = append(r.shares, [2]float64{share(got, s.words), share(s.words, got)})
		if s.kind != "mozilla" {
			r.recall.add(share(s.words, got), out.partial)
		}
		r.scores[s.kind] = append(r.scores[s.kind], f)
		r.of[i] = f
		r.named.add(s, out)
		r.kept.add(s.structure.kept(out.markdown))
	}
	return r
}

// safely counts a panic as a failure.
func safely(ctx context.Context, e extractor, s *sample) (out output, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return e.extract(ctx, s)
}

func kinds(samples []sample) []string {
	var all []string
	for i := range samples {
		if !slices.Contains(all, samples[i].kind) {
			all = append(all, samples[i].kind)
		}
	}
	slices.Sort(all)
	return all
}
