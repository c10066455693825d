// Command charset compares how often package charset and wlynxg/chardet tell
// the encoding of the texts that wlynxg/chardet and saintfish/chardet are tested
// with, as far as those modules are in the module cache. A guess is right if the
// text reads the same in it as in the encoding that the text is labelled with.
//
//	scripts/run benchmarks/charset [-v]
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/helve-dev/helve/pkg/files/charset"
)

// text is a labelled one.
type text struct {
	label, path string
	raw         []byte
}

func main() {
	log.SetFlags(0)
	verbose := flag.Bool("v", false, "name the texts that package charset gets wrong")
	flag.Parse()
	cache, err := exec.CommandContext(context.Background(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		log.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(cache)), "github.com")
	for _, dir := range []string{"wlynxg/chardet@v1.0.5/test/testdata", "saintfish/chardet@*/testdata"} {
		texts := corpus(filepath.Join(root, filepath.FromSlash(dir)))
		if len(texts) == 0 {
			fmt.Printf("%s: not in the module cache\n", dir)
			continue
		}
		fmt.Printf("%s: %d texts\n", dir, len(texts))
		for _, size := range []int{0, 2000, 300, 80, 20} {
			compare(texts, size, *verbose)
		}
	}
}

// corpus reads the texts below the directories that match pattern.
func corpus(pattern string) []text {
	dirs, err := filepath.Glob(pattern)
	if err != nil {
		log.Fatal(err)
	}
	var texts []text
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			label := strings.ToLower(filepath.Base(filepath.Dir(path)))
			if label == "testdata" {
				label = strings.ReplaceAll(strings.TrimSuffix(d.Name(), ".html"), "_", "-")
				if rest, latin := strings.CutPrefix(label, "8859-"); latin {
					label = "iso-8859-" + rest
				}
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			raw = raw[:min(len(raw), 256<<10)]
			enc := lookup(label)
			if enc == nil || utf8.Valid(raw) {
				return nil
			}
			texts = append(texts, text{label, path, raw})
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	return texts
}

// lookup finds the encoding of a label as those modules write them: with the
// language behind it, or a name of DOS. It is nil if there is none.
func lookup(label string) encoding.Encoding {
	label = strings.ToLower(label)
	for {
		switch label {
		case "":
			return nil
		case "cp932":
			return lookup("shift_jis")
		case "cp949", "uhc":
			return lookup("euc-kr")
		case "gb2312", "gbk":
			return lookup("gb18030")
		case "maccyrillic":
			return charmap.MacintoshCyrillic
		case "macroman":
			return charmap.Macintosh
		case "ibm855":
			return charmap.CodePage855
		}
		enc, err := htmlindex.Get(label)
		if err == nil && enc != encoding.Replacement && !strings.HasPrefix(label, "utf") {
			return enc
		}
		if err == nil {
			return nil
		}
		label = label[:max(strings.LastIndexByte(label, '-'), 0)]
	}
}

// compare takes from each text the first lines with some bytes beyond ASCII, at
// least size of them, or the whole text if size is 0.
func compare(texts []text, size int, verbose bool) {
	n, ours, first3, theirs := 0, 0, 0, 0
	var oursTook, theirsTook time.Duration
	for _, t := range texts {
		sample := t.raw
		if size > 0 {
			sample = cut(t.raw, size)
		}
		want, err := lookup(t.label).NewDecoder().String(string(sample))
		if err != nil || strings.ContainsRune(want, '\uFFFD') || utf8.Valid(sample) && !strings.Contains(t.label, "2022") {
			continue
		}
		n++
		right := func(name string) bool {
			enc := lookup(name)
			if enc == nil {
				return false
			}
			got, err := enc.NewDecoder().String(string(sample))
			return err == nil && got == want
		}
		start := time.Now()
		guesses := charset.Guess(sample)
		oursTook += time.Since(start)
		start = time.Now()
		other := chardet.Detect(sample).Encoding
		theirsTook += time.Since(start)
		switch {
		case len(guesses) > 0 && right(guesses[0]):
			ours++
		case verbose:
			fmt.Printf("    %s %s: %v (chardet: %s)\n", t.label, filepath.Base(t.path), guesses[:min(len(guesses), 3)], other)
		}
		if slices.ContainsFunc(guesses[:min(len(guesses), 3)], right) {
			first3++
		}
		if right(other) {
			theirs++
		}
	}
	what := fmt.Sprintf("%d bytes", size)
	if size == 0 {
		what = "whole"
	}
	fmt.Printf("  %-10s of %d: charset %d (in its first three %d) in %v, chardet %d in %v\n",
		what, n, ours, first3, oursTook.Round(time.Millisecond), theirs, theirsTook.Round(time.Millisecond))
}

// cut takes lines with bytes beyond ASCII until there are enough of those. A long
// line ends at a space or, as it may have none, at the end of a character.
func cut(raw []byte, size int) []byte {
	var out []byte
	for line := range strings.Lines(string(raw)) {
		n := beyond(line)
		if n == 0 {
			continue
		}
		if n > size {
			for i := range len(line) {
				if line[i] <= ' ' && beyond(line[:i]) >= size {
					line = line[:i]
					break
				}
			}
		}
		out = append(out, line...)
		if size -= beyond(line); size <= 0 {
			break
		}
	}
	return out
}

func beyond(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= 0x80 {
			n++
		}
	}
	return n
}
