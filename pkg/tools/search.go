package tools

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Match is a tool that a search found.
type Match struct {
	Name        string          `json:"name"`
	Risk        policy.Risk     `json:"risk"`
	Description string          `json:"description"`
	Parameters  schema.Document `json:"parameters"` // a JSON Schema
}

// What a word counts for by where it is found.
const (
	wholeName = 1000 // the words are the name
	inName    = 20
	startName = 10 // it begins a word of the name
	inDoc     = 3
)

// Search returns the deferred tools that match words best, of those of which a call can
// succeed in env: the one with that name, then those whose names have the words, then
// those whose descriptions do.
func (c *Catalog) Search(env *tool.Env, words string, limit int) SearchResult {
	c.Tools() // which tools there are
	type ranked struct {
		tool  *tool.Tool
		score int
	}
	var all []ranked
	terms := termsOf(words)
	for _, t := range c.deferred {
		score := scoreOf(t, words, terms)
		if score > 0 && (c.opt.Offers == nil || c.opt.Offers(env, t)) {
			all = append(all, ranked{t, score})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	r := SearchResult{Tools: []Match{}, Total: len(all)}
	for _, one := range all[:min(len(all), limit)] {
		r.Tools = append(r.Tools, Match{
			Name: one.tool.Called(), Risk: one.tool.Risk, Description: one.tool.DocIn(env.Lang), Parameters: one.tool.Schema().In(env.Lang).JSONSchema(),
		})
	}
	return r
}

// scoreOf says how well a tool matches; 0 is not at all.
func scoreOf(t *tool.Tool, words string, terms []string) int {
	name := t.Called()
	if schema.Alike(name, words) {
		return wholeName
	}
	score := 0
	parts, doc := termsOf(name), strings.ToLower(t.Doc)
	found := 0
	for _, term := range terms {
		before := score
		switch {
		case slices.Contains(parts, term):
			score += inName + startName
		case slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, term) }):
			score += startName
		case strings.Contains(name, term):
			score += startName / 2
		}
		if strings.Contains(doc, term) {
			score += inDoc
		}
		if score > before {
			found++
		}
	}
	if found == len(terms) && found > 0 { // all of them: more than one of them often
		score += inName
	}
	return score
}

// termsOf returns the words of a text, in lower case and without an English plural's s.
func termsOf(text string) []string {
	var terms []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if len(word) > 3 && !strings.HasSuffix(word, "ss") {
			word = strings.TrimSuffix(word, "s")
		}
		if !slices.Contains(terms, word) {
			terms = append(terms, word)
		}
	}
	return terms
}
