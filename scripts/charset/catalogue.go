package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// catalogues are the translations that some locales have, each once.
func catalogues(dir string, locales []string) ([]string, error) {
	seen := map[string]bool{}
	var texts []string
	for _, locale := range locales {
		files, err := filepath.Glob(filepath.Join(dir, locale, "LC_MESSAGES", "*.mo"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			// Names of countries and languages are not what a language looks like.
			if strings.HasPrefix(filepath.Base(file), "iso_") {
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			found, err := messages(raw)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			for _, text := range found {
				if !seen[text] {
					seen[text] = true
					texts = append(texts, text)
				}
			}
		}
	}
	if len(texts) < 500 {
		return nil, fmt.Errorf("only %d messages in %s for %v", len(texts), dir, locales)
	}
	return texts, nil
}

// messages returns the translations in a catalogue that differ from the original, without
// the marks of keyboard shortcuts. GNU gettext's manual describes the format, "The Format
// of GNU MO Files".
func messages(raw []byte) ([]string, error) {
	if len(raw) < 20 {
		return nil, fmt.Errorf("%d bytes are no catalogue", len(raw))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(raw) != 0x950412de {
		order = binary.BigEndian
		if order.Uint32(raw) != 0x950412de {
			return nil, fmt.Errorf("not a catalogue")
		}
	}
	piece := func(table, i uint32) (string, bool) {
		at := uint64(table) + 8*uint64(i)
		if at+8 > uint64(len(raw)) {
			return "", false
		}
		n, from := uint64(order.Uint32(raw[at:])), uint64(order.Uint32(raw[at+4:]))
		if from+n > uint64(len(raw)) {
			return "", false
		}
		return string(raw[from : from+n]), true
	}
	n, originals, translations := order.Uint32(raw[8:]), order.Uint32(raw[12:]), order.Uint32(raw[16:])
	marks := strings.NewReplacer("_", "", "&", "", "\x00", "\n")
	var texts []string
	charset := "utf-8"
	for i := range n {
		from, ok1 := piece(originals, i)
		to, ok2 := piece(translations, i)
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("message %d is not in the file", i)
		}
		if from == "" {
			if _, after, found := strings.Cut(to, "charset="); found {
				charset, _, _ = strings.Cut(after, "\n")
			}
			continue
		}
		if to != "" && to != from {
			texts = append(texts, marks.Replace(to))
		}
	}
	if strings.EqualFold(charset, "utf-8") {
		return slices.DeleteFunc(texts, func(s string) bool { return !utf8.ValidString(s) }), nil
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		if texts[i], err = enc.NewDecoder().String(text); err != nil {
			return nil, err
		}
	}
	return texts, nil
}
