package main

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/files/patch"
	"github.com/helve-dev/helve/pkg/testing/gptpatch"
)

// runDrawn applies patches that are drawn as models write them, and prints of each kind how
// many landed, were refused or made another text than they were made for.
func runDrawn(n int) error {
	counts := map[string]*[3]int{}
	bad := 0
	for seed := range uint64(n) {
		d := gptpatch.Draw(seed)
		if counts[d.Kind] == nil {
			counts[d.Kind] = &[3]int{}
		}
		o := refused
		if text, ok := applied(d); ok && text == d.Want {
			o = landed
		} else if ok {
			o = wrong
			bad++
			fmt.Printf("seed %d, %s, is wrong\n", seed, d.Kind)
		}
		counts[d.Kind][o]++
	}
	fmt.Printf("%-16s%8s%8s%8s\n", "kind", "landed", "refused", "wrong")
	for _, kind := range gptpatch.Kinds {
		if c := counts[kind]; c != nil {
			fmt.Printf("%-16s%8d%8d%8d\n", kind, c[landed], c[refused], c[wrong])
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d are wrong", bad, n)
	}
	return nil
}

func applied(d gptpatch.Drawn) (text string, ok bool) {
	files, err := patch.Parse(d.Patch, d.Path)
	if err != nil {
		return "", false
	}
	text = d.Source
	for _, f := range files {
		r, err := patch.Apply(text, f)
		if err != nil {
			return "", false
		}
		text = r.Text
	}
	return text, true
}
