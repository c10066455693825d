package doctor

import (
	"cmp"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/workspace"
)

// mask is a text that says who somebody is, or what they work on, and what stands for it.
type mask struct {
	text, shown string
	anywhere    bool // also within a word
}

// shortestSecret is the length of the shortest value that is taken for a key, in bytes.
const shortestSecret = 4

// Masked returns the findings in a language for other people: without home directories,
// names of users, hosts, workspaces and projects, keys and tokens.
func (f *Findings) Masked(lang fault.Lang) *Document {
	return f.document(lang, func(text string) string { return hide(text, f.private) })
}

// masks returns what is masked, the longest first: a directory before those above it.
func (v *visit) masks() []mask {
	var all []mask
	add := func(text, shown string) {
		if text != "" && !slices.ContainsFunc(all, func(m mask) bool { return m.text == text }) {
			all = append(all, mask{text: text, shown: shown})
		}
	}
	id := v.host.Identity(v.settings)
	for _, s := range id.Secrets {
		if len(s) >= shortestSecret {
			all = append(all, mask{s, secret.Hidden, len(s) >= secret.Least})
		}
	}
	directory := func(path, shown string) {
		if path == "" || filepath.Dir(path) == path {
			return
		}
		add(path, shown)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			add(real, shown)
		}
	}
	tree := func(path, shown string) {
		directory(path, shown)
		if name := filepath.Base(path); len(name) > 1 {
			add(name, shown)
		}
	}
	if root, err := v.env.Root(); err == nil {
		tree(root.Dir(), "WORKSPACE")
	}
	tree(v.host.Root, "WORKSPACE")
	for i, w := range v.found.Workspaces {
		tree(w.Root, "WORKSPACE-"+strconv.Itoa(i+1))
	}
	for i, p := range v.settings.Config.Projects {
		shown := "PROJECT-" + strconv.Itoa(i+1)
		tree(p.Path, shown)
		add(p.ID, shown)
	}
	if dir, err := v.env.State(); err == nil {
		if path, err := dir.Path(); err == nil {
			add(filepath.Base(path), "WORKSPACE-STATE")
		}
	}
	for _, home := range id.Homes {
		directory(home, "~")
	}
	for _, own := range [...][2]string{{v.host.Dirs.State, "STATE"}, {v.host.Dirs.Cache, "CACHE"}, {filepath.Dir(v.host.Dirs.UserConfig), "CONFIG"}, {v.host.Config, "CONFIG-FILE"}} {
		if !slices.ContainsFunc(id.Homes, func(home string) bool { return workspace.WithinOS(own[0], home) }) {
			directory(own[0], own[1])
		}
	}
	for _, user := range id.Users {
		if user != "root" { // everybody's
			add(user, "USER")
		}
	}
	for _, host := range id.Hosts {
		short, _, _ := strings.Cut(host, ".")
		for _, name := range [...]string{host, short} {
			if name != "localhost" {
				add(name, "HOST")
			}
		}
	}
	for _, p := range v.host.Proxies(&v.settings.Config.Web) {
		if u, err := url.Parse(p.Address); err == nil {
			add(u.Hostname(), "HOST")
		}
	}
	slices.SortStableFunc(all, func(a, b mask) int { return cmp.Compare(len(b.text), len(a.text)) })
	return all
}

// hide replaces what masks name, and what looks like a key.
func hide(text string, masks []mask) string {
	for _, m := range masks {
		text = m.replace(text)
	}
	return inPath(secret.Mask(text))
}

// inPath replaces what looks like a key in a path or a JSON pointer.
func inPath(text string) string {
	var b strings.Builder
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return r == '/' || r == ':' || r == '#' })
		if n < 0 {
			n = len(text)
		}
		part := text[:n]
		if !strings.ContainsAny(part, " =") {
			part = secret.Mask(part)
		}
		b.WriteString(part)
		if n < len(text) {
			b.WriteByte(text[n])
			n++
		}
		text = text[n:]
	}
	return b.String()
}

// replace replaces a mask's text, in any case of its letters.
func (m mask) replace(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		end := at + len(m.text)
		if end <= len(text) && strings.EqualFold(text[at:end], m.text) && (m.anywhere || !inWord(text, at, end)) {
			b.WriteString(m.shown)
			at = end
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		b.WriteString(text[at : at+size])
		at += size
	}
	return b.String()
}

// inWord reports whether a part of a text goes on as a word at either end.
func inWord(text string, begin, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:begin])
	first, _ := utf8.DecodeRuneInString(text[begin:])
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return isWord(before) && isWord(first) || isWord(last) && isWord(after)
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
