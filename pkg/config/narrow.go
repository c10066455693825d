package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// narrows reports whether an untrusted file may change a scalar from now to next. A
// setting that is not listed here widens.
func narrows(key string, now, next *jsonc.Node) bool {
	switch key {
	case "readonly":
		return next.Truth
	case "switches.memory", "web.allow_private":
		return !next.Truth
	case "web.browser":
		return next.Text == ""
	case "files.require_read":
		return stricter(now, next, "off", "warn", "on")
	case "files.links":
		return stricter(now, next, "follow", "refuse")
	case "files.dotdot":
		return stricter(now, next, "inside", "refuse")
	case "tools.imported":
		return stricter(now, next, "offered", "deferred")
	case "policy.undoable":
		return stricter(now, next, "allow", "ask")
	case "exec.sandbox":
		// Landlock alone is less than what auto may find.
		return stricter(now, next, "off", "landlock", "auto", "require", "namespaces") && (next.Text != "auto" || now.Text == "off")
	case "exec.reads":
		return stricter(now, next, "all", "home", "workspace")
	case "git.trusted":
		return stricter(now, next, "before", "never")
	case "exec.memory", "exec.temp", "exec.disk":
		return lower(now, next)
	case "exec.network":
		return stricter(now, next, "full", "hosts", "local", "auto", "none")
	}
	return false
}

// narrowable reports whether an untrusted file can change a setting at all, by
// [narrows], [narrowItem] and [merger.list].
func narrowable(key string) bool {
	switch key {
	case "readonly", "switches.memory", "web.allow_private", "web.browser", "files.require_read", "files.links", "files.dotdot", "tools.imported", "policy.undoable",
		"exec.sandbox", "exec.reads", "exec.network", "exec.memory", "exec.temp", "exec.disk", "git.trusted", "tools.disabled", "exec.deny", "search.skip", "rules", "exec.allow":
		return true
	}
	return false
}

// stricter reports whether next comes after now in the grades.
func stricter(now, next *jsonc.Node, grades ...string) bool {
	return slices.Index(grades, next.Text) > slices.Index(grades, now.Text)
}

// lower reports whether the limit next is less than now, where 0 is no limit.
func lower(now, next *jsonc.Node) bool {
	before, err1 := strconv.ParseFloat(now.Text, 64)
	after, err2 := strconv.ParseFloat(next.Text, 64)
	return err1 == nil && err2 == nil && after > 0 && (before == 0 || after < before)
}

var ruleObject = sync.OnceValue(func() *schema.Object { return schema.Of(reflect.TypeFor[policy.Rule]()) })

// narrowItem returns what an untrusted file may say of an item of a list; nil for
// nothing. whole reports whether that is all of it.
func narrowItem(key string, item *jsonc.Node) (narrowed *jsonc.Node, whole bool) {
	switch key {
	case "tools.disabled", "exec.deny", "search.skip":
		return item, true
	case "rules":
		var rule policy.Rule
		if err := ruleObject().Decode(item.JSON(), &rule); err != nil {
			return nil, false
		}
		if !rule.Widens() {
			return item, true
		}
		rest, left := rule.Narrowed()
		if !left {
			return nil, false
		}
		for _, verdict := range []string{"decision", "read", "write", "edit", "delete"} {
			if n := item.Get(verdict); n != nil && n.Text == string(policy.Allow) {
				item = replace(item, verdict, func(*jsonc.Node) *jsonc.Node { return nil })
			}
		}
		// What was an exception may now inherit a stricter verdict, which is narrower
		// still. But the examples in match and not_match may no longer hold.
		if len(rest.Check(SwitchNames())) > 0 {
			return nil, false
		}
		return item, false
	}
	return nil, false
}

// bothAllow returns the programs that both of two lists allow. A first list that is
// empty allows all.
func bothAllow(a, b []*jsonc.Node) []*jsonc.Node {
	if len(a) == 0 {
		return b
	}
	covers := func(wide, narrow *jsonc.Node) bool {
		return narrow.Text == wide.Text || strings.HasPrefix(narrow.Text, wide.Text+" ")
	}
	var both []*jsonc.Node
	for _, x := range a {
		for _, y := range b {
			if covers(x, y) {
				both = append(both, y)
			} else if covers(y, x) {
				both = append(both, x)
			}
		}
	}
	if len(both) == 0 {
		return []*jsonc.Node{{Kind: jsonc.String, Text: "/"}} // no program has this name: an empty list would allow all
	}
	return both
}
