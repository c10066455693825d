// Command documents compares how long helve and the libraries that a user would pick take
// to read generated documents, and in how much memory. All programs read the same files in
// one run; what is not installed is left out. It does not compare what they return. The
// system counts what this program had when it started another one as memory of that: for
// small figures, keep the documents with -dir and run it again.
//
// The Python packages are those of -python (openpyxl, pandas, python-docx, mammoth,
// markitdown, pdfminer.six, pypdf); excelize is built in a module of its own.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/helve-dev/helve/scripts/benchmarks/memory"
)

func main() {
	var b bench
	flag.StringVar(&b.program, "helve", "", "helve to measure (default: built here, as for a release)")
	flag.StringVar(&b.python, "python", "python3", "interpreter whose packages are compared")
	flag.StringVar(&b.dir, "dir", "", "directory of the documents; kept for the next run (default: a temporary one)")
	flag.IntVar(&b.rounds, "rounds", 3, "measure each program this often")
	flag.IntVar(&b.rows, "rows", 200_000, "rows of the sheet, of 10 columns")
	flag.IntVar(&b.paragraphs, "paragraphs", 60_000, "paragraphs of the text; it also has a table for each 50")
	flag.IntVar(&b.pages, "pages", 300, "pages of the PDF")
	only := flag.String("only", "", "tasks to measure, as a regular expression")
	flag.Parse()
	if err := b.run(context.Background(), os.Stdout, *only); err != nil {
		fmt.Fprintln(os.Stderr, "documents:", err)
		os.Exit(1)
	}
}

type bench struct {
	program, python, dir    string
	rounds                  int
	rows, paragraphs, pages int
	excelize                string // "" if it could not be built
}

// task is something to read, by helve and by others.
type task struct {
	name  string
	helve []string
	peers []peer
}

// peer is another program that does the task.
type peer struct {
	name string
	argv []string
	goal string // for the ratio of its time to helve's
}

// measured is the median of what runs of a program took.
type measured struct {
	time   time.Duration
	memory int64 // the most that was resident, in bytes; 0 if the system does not say
}

func (b *bench) run(ctx context.Context, out io.Writer, only string) (err error) {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp("", "helve-documents-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	var table bytes.Buffer
	table.WriteString("task\tprogram\ttime\tof helve\tmemory\tgoal\t\n")
	for _, t := range b.tasks() {
		if !chosen.MatchString(t.name) {
			continue
		}
		all := append([]peer{{"helve", append([]string{b.program}, t.helve...), ""}}, t.peers...)
		var helve time.Duration
		for _, p := range all {
			m, err := b.measure(ctx, p.argv)
			switch {
			case err != nil && p.name == "helve":
				return fmt.Errorf("%s: %w", t.name, err)
			case err != nil:
				fmt.Fprintf(&table, "%s\t%s\t%v\t\t\t\t\n", t.name, p.name, err)
				continue
			case p.name == "helve":
				helve = m.time
			}
			fmt.Fprintf(&table, "%s\t%s\t%v\t%.2f\t%d MB\t%s\t\n", t.name, p.name, m.time.Round(time.Millisecond), float64(m.time)/float64(helve), m.memory>>20, p.goal)
		}
	}
	aligned := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if _, err := table.WriteTo(aligned); err != nil {
		return err
	}
	return aligned.Flush()
}

// tasks returns the tasks to compare. A whole document needs "--max-bytes", as others
// return all of it.
func (b *bench) tasks() []task {
	xlsx, docx, pdf := b.path("sheet.xlsx"), b.path("text.docx"), b.path("text.pdf")
	python := func(name, what, file string) peer {
		return peer{name: name, argv: []string{b.python, "scripts/benchmarks/documents/peers.py", what, file}}
	}
	all := func(file string) []string {
		return []string{"read", file, "--root", b.dir, "--limit", "1000000", "--max-bytes", "16777216", "--images", "none"}
	}
	goal := func(p peer, goal string) peer { p.goal = goal; return p }
	excelize := func(rows string) peer {
		return peer{name: "excelize", argv: []string{b.excelize, xlsx, rows}}
	}
	last := fmt.Sprint(b.rows)
	return []task{
		// Every row is read; the last are shown, as no result holds all of them.
		{"sheet, whole", []string{"read", xlsx, "--root", b.dir, "--range", last + ":" + last}, []peer{
			goal(excelize("0"), "at least 10"), python("openpyxl, read only", "openpyxl", xlsx), python("pandas", "pandas", xlsx), python("markitdown", "markitdown", xlsx),
		}},
		{"sheet, as Markdown", all(xlsx), nil},
		{"sheet, 200 rows", []string{"read", xlsx, "--root", b.dir, "--limit", "200"}, []peer{excelize("200"), python("openpyxl, read only", "openpyxl-200", xlsx)}},
		{"text, whole", all(docx), []peer{
			goal(python("mammoth", "mammoth", docx), "at least 10"), python("python-docx", "python-docx", docx), python("markitdown", "markitdown", docx), {name: "pandoc", argv: []string{"pandoc", "-t", "gfm", docx}},
		}},
		{"text, first page", []string{"read", docx, "--root", b.dir, "--limit", "200"}, nil},
		{"pdf, whole", all(pdf), []peer{
			goal(python("pdfminer.six", "pdfminer", pdf), "at least 8"), python("pypdf", "pypdf", pdf), {name: "pdftotext", argv: []string{"pdftotext", pdf, "-"}},
		}},
		{"pdf, one page", []string{"read", pdf, "--root", b.dir, "--pages", "7"}, []peer{python("pypdf", "pypdf-7", pdf), {name: "pdftotext", argv: []string{"pdftotext", "-f", "7", "-l", "7", pdf, "-"}}}},
	}
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// measure runs a program several times.
func (b *bench) measure(ctx context.Context, argv []string) (measured, error) {
	if argv[0] == "" {
		return measured{}, errors.New("not built")
	}
	if _, err := exec.LookPath(argv[0]); err != nil {
		return measured{}, errors.New("not installed")
	}
	var times []time.Duration
	var m measured
	for range b.rounds {
		c := exec.CommandContext(ctx, argv[0], argv[1:]...)
		c.Env = append(os.Environ(), "HELVE_SESSION=benchmark")
		var problem strings.Builder
		c.Stderr = &problem
		began := time.Now()
		if err := c.Run(); err != nil {
			if lines := strings.Split(strings.TrimSpace(problem.String()), "\n"); lines[len(lines)-1] != "" {
				return m, errors.New(lines[len(lines)-1])
			}
			return m, err
		}
		times = append(times, time.Since(began))
		m.memory = max(m.memory, memory.Peak(c.ProcessState))
	}
	slices.Sort(times)
	m.time = times[len(times)/2]
	return m, nil
}

// prepare builds the programs and makes the documents that are not there yet.
func (b *bench) prepare(ctx context.Context) error {
	if b.program == "" {
		b.program = b.path("helve")
		if out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", b.program, ".").CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	b.excelize = b.path("excelize")
	if out, err := exec.CommandContext(ctx, "go", "build", "-C", "scripts/benchmarks/documents/excelize", "-o", b.excelize, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "excelize is left out: %v\n%s", err, out)
		b.excelize = ""
	}
	for _, d := range []struct {
		name  string
		write func(io.Writer, int) error
		size  int
	}{{"sheet.xlsx", writeSheet, b.rows}, {"text.docx", writeText, b.paragraphs}, {"text.pdf", writePDF, b.pages}} {
		if _, err := os.Stat(b.path(d.name)); err == nil {
			continue
		}
		f, err := os.Create(b.path(d.name))
		if err != nil {
			return err
		}
		if err := errors.Join(d.write(f, d.size), f.Close()); err != nil {
			return err
		}
	}
	return nil
}
