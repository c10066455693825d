package config

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// normalize returns a copy of a tree without what files may write in several ways:
// $schema is dropped, a word of argv becomes a list of one, a command in match or
// not_match becomes its words, bound arguments become one text, and so does
// each of the names of tools and of the hosts with headers.
func normalize(tree *jsonc.Node, problems *schema.Problems) *jsonc.Node {
	if tree.Kind != jsonc.Object {
		return tree
	}
	root := replace(tree, "$schema", func(n *jsonc.Node) *jsonc.Node {
		if n.Kind != jsonc.String {
			*problems = append(*problems, schema.Problem{Pointer: "/$schema", Message: fault.T("want string, got %s", n.Kind)})
		}
		return nil
	})
	root = replace(root, "rules", func(rules *jsonc.Node) *jsonc.Node {
		return each(rules, func(_ int, rule *jsonc.Node) *jsonc.Node {
			rule = replace(rule, "argv", func(argv *jsonc.Node) *jsonc.Node { return each(argv, alternatives) })
			rule = replace(rule, "match", func(list *jsonc.Node) *jsonc.Node { return each(list, words) })
			return replace(rule, "not_match", func(list *jsonc.Node) *jsonc.Node { return each(list, words) })
		})
	})
	root = replace(root, "web", func(web *jsonc.Node) *jsonc.Node {
		return replace(web, "headers", func(hosts *jsonc.Node) *jsonc.Node { return headers(hosts, problems) })
	})
	return replace(root, "tools", func(tools *jsonc.Node) *jsonc.Node {
		tools = replace(tools, "names", published)
		return replace(tools, "bound", func(bound *jsonc.Node) *jsonc.Node {
			return each(bound, func(i int, one *jsonc.Node) *jsonc.Node {
				return replace(one, "bind", func(bind *jsonc.Node) *jsonc.Node {
					if bind.Kind != jsonc.Object {
						*problems = append(*problems, schema.Problem{Pointer: "/tools/bound/" + strconv.Itoa(i) + "/bind", Message: fault.T("want object, got %s", bind.Kind)})
					}
					return &jsonc.Node{Kind: jsonc.String, Text: string(bind.JSON()), Start: bind.Start, End: bind.End}
				})
			})
		})
	})
}

// replace returns a copy of an object with the members of a name changed, or left out
// where change returns nil.
func replace(n *jsonc.Node, name string, change func(*jsonc.Node) *jsonc.Node) *jsonc.Node {
	if n.Get(name) == nil {
		return n
	}
	copied := *n
	copied.Members = nil
	for _, m := range n.Members {
		if m.Name == name {
			if m.Value = change(m.Value); m.Value == nil {
				continue
			}
		}
		copied.Members = append(copied.Members, m)
	}
	return &copied
}

// each returns a copy of an array with its items changed; any other node stays.
func each(n *jsonc.Node, change func(int, *jsonc.Node) *jsonc.Node) *jsonc.Node {
	copied := *n
	copied.Items = make([]*jsonc.Node, len(n.Items))
	for i, item := range n.Items {
		copied.Items[i] = change(i, item)
	}
	return &copied
}

// alternatives makes a list of a single word of argv.
func alternatives(_ int, n *jsonc.Node) *jsonc.Node {
	if n.Kind != jsonc.String {
		return n
	}
	return &jsonc.Node{Kind: jsonc.Array, Items: []*jsonc.Node{n}, Start: n.Start, End: n.End}
}

// words makes a list of a command line's words.
func words(_ int, n *jsonc.Node) *jsonc.Node {
	if n.Kind != jsonc.String {
		return n
	}
	list := &jsonc.Node{Kind: jsonc.Array, Start: n.Start, End: n.End}
	for word := range strings.FieldsSeq(n.Text) {
		list.Items = append(list.Items, &jsonc.Node{Kind: jsonc.String, Text: word, Start: n.Start, End: n.End})
	}
	return list
}

// absolute makes the paths in the layer's tree absolute.
func (l *layer) absolute() {
	fix := func(n *jsonc.Node) *jsonc.Node {
		if n.Kind != jsonc.String || n.Text == "" || filepath.IsAbs(n.Text) || l.name != "" {
			return n
		}
		copied := *n
		copied.Text = filepath.Join(l.file.base(), filepath.FromSlash(n.Text))
		return &copied
	}
	l.tree = replace(l.tree, "projects", func(projects *jsonc.Node) *jsonc.Node {
		return each(projects, func(_ int, p *jsonc.Node) *jsonc.Node { return replace(p, "path", fix) })
	})
	for _, key := range [...][2]string{{"tools", "manifests"}, {"exec", "writable"}, {"exec", "readable"}} {
		l.tree = replace(l.tree, key[0], func(object *jsonc.Node) *jsonc.Node {
			return replace(object, key[1], func(paths *jsonc.Node) *jsonc.Node {
				return each(paths, func(_ int, path *jsonc.Node) *jsonc.Node { return fix(path) })
			})
		})
	}
	l.tree = replace(l.tree, "messages", func(messages *jsonc.Node) *jsonc.Node { return absoluteSinks(messages, fix) })
	l.tree = replace(l.tree, "spawn", func(spawn *jsonc.Node) *jsonc.Node {
		return absoluteAgents(replace(replace(spawn, "prompt", fix), "key_file", fix), fix)
	})
	l.tree = replace(l.tree, "store", func(store *jsonc.Node) *jsonc.Node {
		for _, key := range [...]string{"credentials", "ca", "cert", "key"} {
			store = replace(store, key, fix)
		}
		return store
	})
}
