// Command web compares what fetch finds in web pages, and how fast, with other
// extractors: go-readability with html-to-markdown, and by Node, if it is there,
// @mozilla/readability with jsdom and turndown, and defuddle.
//
// The pages are go-readability's own, which lie in its module, and those of a
// directory with html/NAME.html.gz and truth/NAME.json (url, type and
// main_content). Text is scored by the F1 of its words; code, tables and headings
// by how much of what the reference has is still such in the Markdown.
//
//	scripts/bench web [-process N] [-node=false] [-worst N] [DIR]
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"
)

func main() {
	log.SetFlags(0)
	node := flag.Bool("node", true, "compare with the Node packages, too, if node and npm are there")
	process := flag.Int("process", 12, "time this many pages as whole processes; 0 times none")
	worst := flag.Int("worst", 0, "name so many pages that fetch does worst on")
	flag.Parse()
	if err := bench(context.Background(), *node, *process, *worst, flag.Arg(0)); err != nil {
		log.Fatal("web: ", err)
	}
}

// extractor is one of those compared.
type extractor interface {
	name() string
	extract(ctx context.Context, s *sample) (output, error)
}

// output is the content that an extractor finds.
type output struct {
	html, markdown string
	took           time.Duration // for the Markdown, from the page's text on
}

func bench(ctx context.Context, node bool, process, worst int, dir string) error {
	samples, err := mozilla(ctx)
	if err != nil {
		return err
	}
	if dir != "" {
		labelled, err := labelled(dir)
		if err != nil {
			return err
		}
		samples = append(samples, labelled...)
	}
	for i := range samples {
		samples[i].prepare()
	}
	systems := []extractor{ours{}, goReadability{}, wholeBody{}}
	var js *nodeModules
	if node {
		if js, err = install(ctx); err != nil {
			fmt.Println("skipped, as Node's packages cannot be used:", err)
		} else {
			defer js.remove()
			for _, name := range []string{"readability", "defuddle"} {
				s, err := js.start(ctx, name)
				if err != nil {
					return err
				}
				defer s.stop()
				systems = append(systems, s)
			}
		}
	}
	var results []*result
	for _, s := range systems {
		log.Printf("%s: %d pages", s.name(), len(samples))
		results = append(results, run(ctx, s, samples))
	}
	report(os.Stdout, results, kinds(samples))
	if worst > 0 {
		results[0].worst(os.Stdout, samples, worst)
	}
	if process > 0 {
		return processes(ctx, os.Stdout, js, samples, process)
	}
	return nil
}

// run lets one extractor do all samples.
func run(ctx context.Context, e extractor, samples []sample) *result {
	r := &result{name: e.name(), scores: map[string][]float64{}, of: make([]float64, len(samples))}
	for i := range samples {
		s := &samples[i]
		out, err := safely(ctx, e, s)
		r.times = append(r.times, out.took)
		if err != nil {
			r.failed++
		}
		f := f1(tokens(visible(out.html)), s.words)
		r.scores[s.kind] = append(r.scores[s.kind], f)
		r.of[i] = f
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
