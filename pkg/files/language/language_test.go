package language_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2"

	"github.com/helve-dev/helve/pkg/files/language"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"main.go", "", "Go"},
		{"a/b/Makefile", "", "Makefile"},
		{"go.mod", "", "Go Module"},
		{"README.md", "", "Markdown"},
		{"x.d.ts", "export {}", "TypeScript"},
		{"de.ts", `<?xml version="1.0"?><!DOCTYPE TS>`, "XML"},
		{"X.PY", "", "Python"},
		{"run", "#!/usr/bin/env -S python3.12 -u\n", "Python"},
		{"run", "#!/bin/sh -e\n", "Shell"},
		{"run", "#!/usr/bin/env\n", ""},
		{"conf", "# vim: set ft=yaml ts=2:\n", "YAML"},
		{"conf", "# -*- mode: ruby; coding: utf-8 -*-\n", "Ruby"},
		{"conf", "# -*- c++ -*-\n", "C++"},
		{"a.h", "#pragma once\nnamespace a {\n", "C++"},
		{"a.h", "int f(void);\n", "C"},
		{"a.h", "@interface A\n@end\n", "Objective-C"},
		{"a.m", "function y = f(x)\n", "MATLAB"},
		{"a.pl", ":- use_module(library(lists)).\n", "Prolog"},
		{"unknown.zzz", "", ""},
		{"noext", "", ""},
		{".", "", ""},
	} {
		if got := language.Of(c.name, []byte(c.head)); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.name, c.head, got, c.want)
		}
	}
}

// TestAgainstLinguist compares the tables with the library that has all of
// Linguist's rules, for the files of Go's own tree.
func TestAgainstLinguist(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go")
	}
	files, same := 0, 0
	differ := map[string]int{}
	err = filepath.WalkDir(strings.TrimSpace(string(goroot)), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if files++; files%7 != 0 {
			return nil
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		content = content[:min(len(content), 8<<10)]
		got, want := language.Of(name, content), enry.GetLanguage(filepath.Base(name), content)
		if got == want || enry.GetLanguageType(want) == enry.Unknown || want == "" || want == "Text" && got == "" ||
			strings.HasSuffix(want, " Assembly") && got == "Assembly" { // it only guesses the processor
			same++
		} else {
			differ[filepath.Ext(name)+": "+got+", want "+want]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d as Linguist; others: %v", same, files/7, differ)
	if same*100 < files/7*98 {
		t.Errorf("only %d of %d as Linguist", same, files/7)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a.h", []byte("class A"))
	f.Add("x", []byte("#!/usr/bin/env -S a=b"))
	f.Add("x", []byte("-*- mode: -*- vim:"))
	f.Fuzz(func(t *testing.T, name string, head []byte) {
		if got := language.Of(name, head); got != "" && got != strings.TrimSpace(got) {
			t.Errorf("%q", got)
		}
	})
}
