// Command languages writes Linguist's knowledge of file names into a directory, as tables
// of package language: a file each, with a key and a language in each line. The library that
// carries that knowledge costs 40 ms at every start.
package main

import (
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-enry/go-enry/v2/data"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: languages DIRECTORY")
	}
	same := func(s string) string { return s }
	aliases := map[string][]string{}
	for alias, lang := range data.LanguageByAliasMap {
		aliases[alias] = []string{lang}
	}
	for name, text := range map[string]string{
		"filenames":    table(data.LanguagesByFilename, same),
		"extensions":   table(data.LanguagesByExtension, strings.ToLower),
		"interpreters": table(data.LanguagesByInterpreter, same),
		"aliases":      table(aliases, strings.ToLower),
		"version":      "Linguist " + data.LinguistCommit[:12] + "\n",
	} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name+".txt"), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// table returns a sorted table with, for each key, the most common of the languages that
// claim it.
func table(from map[string][]string, fold func(string) string) string {
	best := map[string]string{}
	for key, langs := range from {
		key = fold(key)
		for _, lang := range langs {
			if have, ok := best[key]; !ok || better(lang, have) {
				best[key] = lang
			}
		}
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(best)) {
		b.WriteString(key + "\t" + best[key] + "\n")
	}
	return b.String()
}

// better reports whether a is the more likely guess than b: the one with more
// of Linguist's samples, or the first by name if they decide nothing.
func better(a, b string) bool {
	pa, oka := data.LanguagesLogProbabilities[a]
	pb, okb := data.LanguagesLogProbabilities[b]
	switch {
	case oka != okb:
		return oka
	case pa != pb:
		return pa > pb
	}
	return a < b
}
