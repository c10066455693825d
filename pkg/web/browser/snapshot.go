package browser

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxHTML is the most that is written of a page, in bytes, and maxNodes how many nodes
	// of it are looked at.
	maxHTML  = 10 << 20
	maxNodes = 1 << 20
	// maxFrames limits the nesting of frames.
	maxFrames = 8
)

var errSnapshot = errors.New("the browser sent a snapshot that makes no sense")

// snapshot is the result of DOMSnapshot.captureSnapshot: the trees that are shown, where
// elements assigned to a slot are in it, and those of a shadow tree in its host. Every
// number is an index into Strings, -1 for none, unless it is one of a node.
type snapshot struct {
	Documents []document `json:"documents"`
	Strings   []string   `json:"strings"`
}

type document struct {
	URL    int     `json:"documentURL"`
	Title  int     `json:"title"`
	Base   int     `json:"baseURL"`
	Nodes  nodes   `json:"nodes"`
	Height float64 `json:"contentHeight"`
}

// nodes are the nodes of a document, each after its parent, by field.
type nodes struct {
	Parent     []int   `json:"parentIndex"`
	Type       []int   `json:"nodeType"`
	Name       []int   `json:"nodeName"`
	Value      []int   `json:"nodeValue"`
	Attributes [][]int `json:"attributes"`
	Frames     rare    `json:"contentDocumentIndex"`
	Pseudo     rare    `json:"pseudoType"`
}

// rare is a field that few nodes have: which ones, and its values.
type rare struct {
	Index []int `json:"index"`
	Value []int `json:"value"`
}

// The types of nodes; see Node.nodeType of the DOM.
const (
	elementNode = 1
	textNode    = 3
)

// parseSnapshot decodes a snapshot.
func parseSnapshot(data []byte) (*snapshot, error) {
	var s snapshot
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if len(s.Documents) == 0 {
		return nil, errSnapshot
	}
	return &s, nil
}

func (s *snapshot) text(i int) string {
	if i < 0 || i >= len(s.Strings) {
		return ""
	}
	return s.Strings[i]
}

// final returns the address and the title of the page.
func (s *snapshot) final() (address, title string) {
	return s.text(s.Documents[0].URL), strings.Join(strings.Fields(s.text(s.Documents[0].Title)), " ")
}

// html returns the page as HTML. whole is false if it is longer than maxHTML. Frames of
// other sites are left out, and counted.
func (s *snapshot) html() (text string, whole bool, foreign int, err error) {
	w := &writer{snapshot: s, seen: make([]bool, len(s.Documents)), origin: originOf(s.text(s.Documents[0].URL))}
	w.b.WriteString("<!DOCTYPE html>")
	if err := w.document(0, 0); err != nil {
		return "", false, 0, err
	}
	return w.b.String(), !w.full, w.foreign, nil
}

// writer writes the documents of a snapshot.
type writer struct {
	*snapshot
	b       strings.Builder
	seen    []bool
	origin  string
	full    bool
	foreign int
	nodes   int
}

// document writes a document: the whole one, and of those in frames what is in the body.
func (w *writer) document(number, depth int) error {
	w.seen[number] = true
	d := &w.Documents[number]
	n := &d.Nodes
	count := len(n.Parent)
	if len(n.Type) != count || len(n.Name) != count || len(n.Value) != count || len(n.Attributes) != count {
		return errSnapshot
	}
	if w.nodes += count; w.nodes > maxNodes {
		w.full = true
		return nil
	}
	children := make([][]int, count)
	for i, parent := range n.Parent {
		switch {
		case i == 0 && parent == -1:
		case parent < 0 || parent >= i: // so that there are no circles
			return errSnapshot
		default:
			children[parent] = append(children[parent], i)
		}
	}
	frames, pseudo := n.Frames.values(), n.Pseudo.values()
	// Not by recursion: a page may be deeper than the stack.
	type step struct {
		node int
		end  string // to be written instead of a node
	}
	stack := []step{{node: 0}}
	if count == 0 {
		stack = nil
	}
	for len(stack) > 0 && !w.full {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.end != "" {
			w.write(at.end)
			continue
		}
		i := at.node
		end := ""
		if _, made := pseudo[i]; made {
			continue // by a style
		}
		switch n.Type[i] {
		case textNode:
			w.words(w.text(n.Value[i]), n.Parent[i], n)
			continue
		case elementNode:
			name := strings.ToLower(w.text(n.Name[i]))
			if !isName(name) || name == "noscript" || name == "template" || name == "script" && !w.isData(n.Attributes[i]) {
				continue
			}
			if inner, ok := frames[i]; ok {
				if err := w.frame(inner, depth); err != nil {
					return err
				}
				continue
			}
			if depth == 0 || name != "html" && name != "body" && name != "head" {
				w.open(name, n.Attributes[i])
				if isVoid(name) {
					continue
				}
				end = "</" + name + ">"
			} else if name == "head" {
				continue
			}
		}
		if end != "" {
			stack = append(stack, step{end: end})
		}
		for _, child := range slices.Backward(children[i]) {
			stack = append(stack, step{node: child})
		}
	}
	return nil
}

// frame writes the document of a frame, if it is of the same site.
func (w *writer) frame(number, depth int) error {
	if number < 0 || number >= len(w.Documents) || w.seen[number] {
		return errSnapshot
	}
	address := w.text(w.Documents[number].URL)
	if origin := originOf(address); depth >= maxFrames || origin != "" && origin != w.origin {
		w.foreign++
		return nil
	}
	w.write("<div>")
	if err := w.document(number, depth+1); err != nil {
		return err
	}
	w.write("</div>")
	return nil
}

// words writes a text. What a style or a script holds is written as it is: a parser ends
// it at its end tag alone.
func (w *writer) words(text string, parent int, n *nodes) {
	if parent >= 0 && n.Type[parent] == elementNode {
		if name := strings.ToLower(w.text(n.Name[parent])); name == "style" || name == "script" {
			if lower := strings.ToLower(text); !strings.Contains(lower, "</") && !strings.Contains(lower, "<!--") {
				w.write(text)
			}
			return
		}
	}
	w.write(html.EscapeString(text))
}

// isData reports whether a script is no script but what a page says of itself.
func (w *writer) isData(attributes []int) bool {
	for i := 0; i+1 < len(attributes); i += 2 {
		if strings.EqualFold(w.text(attributes[i]), "type") {
			return strings.EqualFold(w.text(attributes[i+1]), "application/ld+json")
		}
	}
	return false
}

// open writes the beginning of an element.
func (w *writer) open(name string, attributes []int) {
	w.write("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		if key := strings.ToLower(w.text(attributes[i])); isName(key) && !strings.HasPrefix(key, "on") {
			w.write(" " + key + `="` + html.EscapeString(w.text(attributes[i+1])) + `"`)
		}
	}
	w.write(">")
}

func (w *writer) write(text string) {
	if w.full = w.full || w.b.Len()+len(text) > maxHTML; !w.full {
		w.b.WriteString(text)
	}
}

// values returns the values by node.
func (r rare) values() map[int]int {
	all := make(map[int]int, len(r.Index))
	for i, node := range r.Index {
		value := 0
		if i < len(r.Value) {
			value = r.Value[i]
		}
		all[node] = value
	}
	return all
}

// originOf returns the scheme and host of an address; "" for those that a page makes
// itself, such as about:blank.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// isName reports whether a name can be written as that of an element or an attribute.
func isName(name string) bool {
	return name != "" && !strings.ContainsAny(name, " \t\n\f\r\"'<>/=\x00") && (name[0] >= 'a' && name[0] <= 'z' || name[0] == '_' || name[0] == '@' || name[0] == ':')
}

// isVoid reports whether an element has no end; see "void elements" of HTML.
func isVoid(name string) bool {
	switch atom.Lookup([]byte(name)) {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}
