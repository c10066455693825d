// Command corpus reads all documents below some directories with helve and says by format what
// came of them: read, refused and why, crashed, hung, taken for something else, or read as
// nothing without a word. With -load it reads them again while others are read beside, and
// compares the bytes.
//
// The documents are those that packages bring for their tests; they are got with the clients of
// the registries and unpacked by hand:
//
//	apt-get source --download-only libapache-poi-java pdf.js libexcel-writer-xlsx-perl
//	mvn dependency:get -Dartifact=org.apache.tika:tika-parsers:1.24:jar:tests -Dtransitive=false
//	pip download --no-deps --no-binary :all: python-docx python-pptx pypdf pdfplumber odfpy
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

func main() {
	var c corpus
	flag.StringVar(&c.program, "helve", "helve", "program that reads")
	flag.IntVar(&c.jobs, "jobs", 2, "documents that are read at once")
	flag.DurationVar(&c.patience, "patience", time.Minute, "when a reading counts as hung")
	load := flag.Int("load", 0, "read again with so many at once, up to 200 documents, and compare")
	flag.Parse()
	if err := c.run(flag.Args(), *load); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

type corpus struct {
	program  string
	jobs     int
	patience time.Duration
}

// outcome is the result of reading one document.
type outcome struct {
	path, extension, format string
	is                      string // "read", a code, or what is wrong
	sum                     [sha256.Size]byte
}

// Outcomes that must not be.
const (
	crashed = "CRASHED"
	hung    = "HUNG"
	wrong   = "WRONG KIND"
	unsaid  = "UNSAID"
)

func (c *corpus) run(dirs []string, load int) error {
	var paths []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && expected[extension(path)] != "" {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	all := c.readAll(paths, c.jobs)
	report(all)
	if load == 0 {
		return nil
	}
	some := paths
	if most := 200; len(some) > most {
		some = nil
		for i := range most {
			some = append(some, paths[i*len(paths)/most])
		}
	}
	alone, beside := c.readAll(some, 1), c.readAll(some, load)
	different := 0
	for i := range some {
		if alone[i].sum != beside[i].sum {
			different++
			fmt.Println("differs under load:", some[i])
		}
	}
	fmt.Printf("%d documents read alone and with %d at once: %d differ\n", len(some), load, different)
	return nil
}

// expected are the formats that documents of an extension may turn out to be.
var expected = map[string]string{
	"doc": "doc rtf docx html", "dot": "doc", "docx": "docx", "docm": "docx", "dotx": "docx", "xls": "xls html mhtml xml csv xlsx sylk", "xlt": "xls",
	"xlsx": "xlsx xlsm xls", "xlsm": "xlsm xlsx", "xltx": "xlsx", "xlsb": "xlsb", "ppt": "ppt", "pptx": "pptx", "pptm": "pptx", "ppsx": "pptx", "pot": "ppt", "pps": "ppt",
	"pdf": "pdf", "odt": "odt", "ods": "ods", "odp": "odp", "rtf": "rtf", "msg": "msg", "epub": "epub",
	"pages": "iwork", "numbers": "iwork", "key": "iwork", "pub": "pub", "vsd": "vsd", "vsdx": "vsdx", "emf": "emf", "wmf": "wmf",
}

func extension(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// readAll reads documents, so many at once.
func (c *corpus) readAll(paths []string, jobs int) []outcome {
	all := make([]outcome, len(paths))
	var next sync.Mutex
	at := 0
	var wait sync.WaitGroup
	for range jobs {
		wait.Go(func() {
			for {
				next.Lock()
				i := at
				at++
				next.Unlock()
				if i >= len(paths) {
					return
				}
				all[i] = c.read(paths[i])
			}
		})
	}
	wait.Wait()
	return all
}

// answer is the envelope that helve prints.
type answer struct {
	OK   bool `json:"ok"`
	Data struct {
		Truncated bool   `json:"truncated"`
		Content   string `json:"content"`
		Document  *struct {
			Format string `json:"format"`
		} `json:"document"`
		Media []json.RawMessage `json:"media"`
	} `json:"data"`
	Warnings []string `json:"warnings"`
	Error    struct {
		Code string `json:"code"`
	} `json:"error"`
}

// read reads one document.
func (c *corpus) read(path string) outcome {
	o := outcome{path: path, extension: extension(path)}
	ctx, cancel := context.WithTimeout(context.Background(), c.patience)
	defer cancel()
	command := exec.CommandContext(ctx, c.program, "--readonly", "read", "-o", "json", filepath.Base(path))
	command.Dir = filepath.Dir(path)
	var out bytes.Buffer
	command.Stdout = &out
	failed := command.Run()
	o.sum = sha256.Sum256(out.Bytes())
	var a answer
	switch err := json.Unmarshal(out.Bytes(), &a); {
	case ctx.Err() != nil:
		o.is = hung
	case err != nil || a.Error.Code == "internal":
		o.is = crashed
	case !a.OK:
		o.is = a.Error.Code
		_ = failed // it has said why
	default:
		o.is, o.format = "read", "text"
		if a.Data.Document != nil {
			o.format = a.Data.Document.Format
		}
		switch {
		case !slices.Contains(strings.Fields(expected[o.extension]), o.format):
			o.is = wrong
		case !written(a.Data.Content) && len(a.Data.Media) == 0 && len(a.Warnings) == 0 && !a.Data.Truncated:
			o.is = unsaid
		}
	}
	return o
}

// written reports whether a text has anything but the headings that every document gets.
func written(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, of := range [...]string{"## Page ", "## Slide "} {
			if rest, ok := strings.CutPrefix(line, of); ok && strings.Trim(rest, "0123456789") == "" {
				line = ""
			}
		}
		if line != "" {
			return true
		}
	}
	return false
}

// report prints the table, and the documents that are not as they must be.
func report(all []outcome) {
	table := map[string]map[string]int{}
	columns := map[string]int{}
	for _, o := range all {
		if table[o.extension] == nil {
			table[o.extension] = map[string]int{}
		}
		table[o.extension][o.is]++
		columns[o.is]++
	}
	names := slices.SortedFunc(maps.Keys(columns), func(a, b string) int { return cmp.Or(cmp.Compare(columns[b], columns[a]), cmp.Compare(a, b)) })
	rows := []string{"extension\tfiles\t" + strings.Join(names, "\t")}
	for _, extension := range slices.Sorted(maps.Keys(table)) {
		sum := 0
		var counts []string
		for _, name := range names {
			n := table[extension][name]
			sum += n
			counts = append(counts, strconv.Itoa(n))
		}
		rows = append(rows, fmt.Sprintf("%s\t%d\t%s", extension, sum, strings.Join(counts, "\t")))
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(t, strings.Join(rows, "\n")); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
	}
	if err := t.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
	}
	for _, o := range all {
		switch o.is {
		case crashed, hung, wrong, unsaid:
			fmt.Println(o.is, o.format, o.path)
		}
	}
}
