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
// Rules are made by looking at one part of the labelled pages only, -part seen, and are
// judged by the other, -part unseen, of which only the totals are looked at: -worst and
// -show refuse them. A page belongs to a part by a hash of its name, so that the parts
// are known before any rule is. At first the halves were the parts; when the first half
// had nothing more to show, half of the second was opened. -show prints what fetch
// missed in a page, and what it should have left out.
//
// Recall below .8 means that a part of the content was lost. A system may warn of
// that; the table says of how many such pages it did, and of how many that have
// nearly all.
//
// The totals of each system are printed as soon as it is done, the table at the end. A
// page that takes a system longer than -page-time has failed; a system that takes
// longer than -time, its installation included, is not in the table.
//
//	scripts/bench web [-process N] [-node=false] [-systems A,B] [-part seen|unseen] [-worst N] [-show NAME] [-page-time D] [-time D] [DIR]
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
	part := flag.String("part", "", "use one part of the labelled pages: seen or unseen")
	worst := flag.Int("worst", 0, "list so many pages with the lowest scores")
	page := flag.String("show", "", "only show what fetch missed in the page of this name, and what it should have left out")
	var limit limits
	flag.DurationVar(&limit.page, "page-time", 30*time.Second, "a page that takes a system longer has failed")
	flag.DurationVar(&limit.system, "time", 20*time.Minute, "a system that takes longer for all pages, its installation included, is not in the table")
	flag.Parse()
	names, err := choose(*list, *node)
	if err != nil {
		log.Fatal("web: ", err)
	}
	if *part != "" && *part != seen && *part != unseen {
		log.Fatalf("web: -part is %s or %s", seen, unseen)
	}
	samples, err := load(context.Background(), *part, *page, flag.Arg(0))
	switch {
	case err != nil:
	case *page != "":
		err = showAll(os.Stdout, samples)
	default:
		err = bench(context.Background(), samples, names, limit, *process, *worst)
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
	lost           int           // characters that it counts as perhaps missing
}

// load reads the pages: one part of the labelled ones, or the page with a name.
func load(ctx context.Context, part, name, dir string) ([]sample, error) {
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
		return part != "" && s.kind != "mozilla" && s.part() != part || name != "" && s.name != name
	})
	if len(samples) == 0 {
		return nil, fmt.Errorf("there is no page %q", name)
	}
	for i := range samples {
		if name != "" && samples[i].kind != "mozilla" && samples[i].part() == unseen {
			return nil, fmt.Errorf("page %s judges the rules: nobody looks at it", name)
		}
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

// limits limit the time of a system for a page, and for everything.
type limits struct{ page, system time.Duration }

func bench(ctx context.Context, samples []sample, names []string, limit limits, process, worst int) error {
	s := new(systems)
	defer s.stop()
	results := compare(ctx, os.Stdout, s.system, names, samples, limit)
	if len(results) == 0 {
		return errors.New("no system ran to its end")
	}
	report(os.Stdout, results, kinds(samples))
	if worst > 0 {
		results[0].worst(os.Stdout, samples, worst)
	}
	if process > 0 {
		return processes(ctx, os.Stdout, s.js, samples, process, limit.page)
	}
	return nil
}

// compare runs the systems of these names on all samples, one after the other, and
// writes the totals of each at once. It returns the results of those that were done in
// time. One that cannot be started is skipped, and the reason written.
func compare(ctx context.Context, w io.Writer, start func(context.Context, string) (extractor, error), names []string, samples []sample, limit limits) []*result {
	var results []*result
	for _, name := range names {
		began := time.Now()
		r, err := runSystem(ctx, start, name, samples, limit)
		took := time.Since(began).Round(100 * time.Millisecond)
		switch {
		case err != nil:
			_, _ = fmt.Fprintf(w, "skipped %s: %v\n", name, err)
		case len(r.times) < len(samples):
			_, _ = fmt.Fprintf(w, "stopped %s after %s, with %d of %d pages: %s\n", name, took, len(r.times), len(samples), r.totals())
		default:
			_, _ = fmt.Fprintf(w, "%s, %d pages in %s: %s\n", name, len(samples), took, r.totals())
			results = append(results, r)
		}
	}
	return results
}

// runSystem starts one system and runs it on the samples, as far as the time allows.
func runSystem(ctx context.Context, start func(context.Context, string) (extractor, error), name string, samples []sample, limit limits) (*result, error) {
	ctx, cancel := context.WithTimeout(ctx, limit.system)
	defer cancel()
	e, err := start(ctx, name)
	if err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("it did not start within %s", limit.system)
		}
		return nil, err
	}
	if c, ok := e.(io.Closer); ok {
		defer c.Close()
	}
	r := &result{name: e.name(), scores: map[string][]float64{}}
	for i := range samples {
		page, cancel := context.WithTimeout(ctx, limit.page)
		began := time.Now()
		out, err := e.extract(page, &samples[i])
		if page.Err() != nil {
			out.took = time.Since(began)
		}
		cancel()
		if ctx.Err() != nil {
			break // its time is over, and not because of this page
		}
		r.add(&samples[i], out, err)
	}
	return r, nil
}

// add counts a page.
func (r *result) add(s *sample, out output, err error) {
	r.times = append(r.times, out.took)
	if err != nil {
		r.failed++
	}
	got := tokens(visible(out.html))
	f := f1(got, s.words)
	found := share(s.words, got)
	r.shares = append(r.shares, [2]float64{share(got, s.words), found})
	if s.kind != "mozilla" {
		r.recall.add(found, out.partial)
	}
	r.scores[s.kind] = append(r.scores[s.kind], f)
	r.of = append(r.of, f)
	r.lost = append(r.lost, out.lost)
	r.named.add(s, out)
	r.kept.add(s.structure.kept(out.markdown))
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
