package classify

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// FuzzClassify checks three invariants: it never panics, another stage
// never makes a verdict milder, and quoting a literal changes nothing.
func FuzzClassify(f *testing.F) {
	for _, k := range append(verdicts(f, "verdicts.tsv"), verdicts(f, "hostile.tsv")...) {
		f.Add(k.command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		v := Classify(command, world)
		for _, why := range v.Reasons {
			if strings.Contains(why.String(), "could not be analyzed") {
				t.Fatalf("%q: %s", command, why)
			}
		}
		if v.Has(Syntax) || v.Has(TooComplex) || strings.HasSuffix(command, `\`) {
			return // what follows would become part of it
		}
		for _, stage := range []string{"\n:", "\nls", " ; ls", " | cat", " && ls"} {
			if longer := Classify(command+stage, world); v.Risk.Worse(longer.Risk) || v.HardDeny && !longer.HardDeny {
				t.Fatalf("%q is %s, with %q it is %s", command, v.Risk, stage, longer.Risk)
			}
			if longer := Classify("ls"+stage+"\n"+command, world); v.Risk.Worse(longer.Risk) || v.HardDeny && !longer.HardDeny {
				t.Fatalf("%q is %s, behind %q it is %s", command, v.Risk, stage, longer.Risk)
			}
		}
		for _, same := range quotings(command) {
			if q := Classify(same, world); q.Risk != v.Risk || q.HardDeny != v.HardDeny {
				t.Fatalf("%q is %s, but %q is %s: %v %v", command, v.Risk, same, q.Risk, v.Reasons, q.Reasons)
			}
		}
	})
}

// quotings returns the command with a plain word written in another way that means the
// same, for each such word and way.
func quotings(command string) []string {
	parsed, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	if err != nil {
		return nil
	}
	var all []string
	quote := func(w *syntax.Word) {
		if len(w.Parts) != 1 {
			return
		}
		l, ok := w.Parts[0].(*syntax.Lit)
		from, to := int(w.Pos().Offset()), int(w.End().Offset())
		if !ok || to > len(command) || command[from:to] != l.Value || !plainText(l.Value) {
			return
		}
		for _, q := range []string{"'" + l.Value + "'", `"` + l.Value + `"`, "\\" + l.Value, "$'" + l.Value + "'", l.Value[:1] + "''" + l.Value[1:]} {
			all = append(all, command[:from]+q+command[to:])
		}
	}
	syntax.Walk(parsed, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			for _, w := range n.Args {
				quote(w)
			}
		case *syntax.CmdSubst: // backquotes have rules of their own
			return !n.Backquotes
		}
		return len(all) < 40
	})
	return all
}

// plainText reports whether s means the same with and without quotes.
func plainText(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == ""
}

func FuzzArgv(f *testing.F) {
	f.Add("sed", "-n", "1e id")
	f.Add("awk", `{print > "x"}`, "f")
	f.Add("git", "-C", "..")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for _, why := range Argv([]string{a, b, c}, world).Reasons {
			if strings.Contains(why.String(), "could not be analyzed") {
				t.Fatal(why)
			}
		}
	})
}
