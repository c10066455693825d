package language

import "strings"

// byContent decides between the languages that share an extension. It returns
// otherwise if the content does not point to another one.
func byContent(ext, otherwise, text string) string {
	if text == "" {
		return otherwise
	}
	switch ext {
	case ".h":
		switch {
		case has(text, "@interface", "@end", "@property", "@protocol", "@class ", "#import "):
			return "Objective-C"
		case has(text, "\nclass ", "\nnamespace ", "\ntemplate", "std::", "\npublic:", "\nprivate:", "\nprotected:", " public:", " private:",
			" protected:", "#include <string>", "#include <vector>", "#include <map>", "#include <memory>", "#include <iostream>", "#include <cstdint>"):
			return "C++"
		}
		return "C"
	case ".m":
		switch {
		case has(text, "@interface", "@implementation", "@end", "@property", "@protocol", "#import ", "@class ", "@autoreleasepool"):
			return "Objective-C"
		case has(text, ":- module"):
			return "Mercury"
		case has(text, "(*", "*)") && !has(text, "\n%"):
			return "Mathematica"
		case has(text, "\nfunction ", "\n%", "\nend") || strings.HasPrefix(text, "function ") || strings.HasPrefix(text, "%"):
			return "MATLAB"
		}
		return "Objective-C"
	case ".ts":
		if strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "<?xml") || has(text, "<TS ", "<!DOCTYPE TS") {
			return "XML"
		}
		return "TypeScript"
	case ".tsx":
		if strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "<?xml") {
			return "XML"
		}
		return "TSX"
	case ".pl", ".t", ".pm":
		switch {
		case ext == ".pl" && has(text, "\n:- ", ":- use_module", ":- module") || strings.HasPrefix(text, ":- "):
			return "Prolog"
		case has(text, "use v6", "\nmy class ", "\nmodule "):
			return "Raku"
		}
		return "Perl"
	case ".v":
		switch {
		case has(text, "Theorem ", "Lemma ", "Require Import", "Qed."):
			return "Rocq Prover"
		case has(text, "endmodule", "always @", "`timescale", "`define"):
			return "Verilog"
		case has(text, "\nfn ", "\npub fn ", "\nmodule main"):
			return "V"
		}
	case ".rs":
		if has(text, "#pragma rs", "#pragma version(") {
			return "RenderScript"
		}
		return "Rust"
	case ".d":
		switch {
		case has(text, "\nmodule ", "\nimport ") || strings.HasPrefix(text, "module "):
			return "D"
		case has(text, ".o: ", ".o :", ".lo: "):
			return "Makefile"
		case has(text, "dtrace:::", "#pragma D"):
			return "DTrace"
		}
	case ".md":
		return "Markdown"
	case ".cs":
		return "C#"
	case ".sql":
		return "SQL"
	case ".txt":
		return "Text"
	case ".yml", ".yaml":
		return "YAML"
	case ".json":
		return "JSON"
	case ".html", ".htm":
		return "HTML"
	}
	return otherwise
}

func has(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
