package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// layer is one source that was read and found right.
type layer struct {
	source  Source
	file    File
	name    string // of a variable or flag
	text    []byte
	tree    *jsonc.Node // in the form that [Config] is decoded from
	sha     string      // of the bytes, 64 hex digits
	trusted bool
}

func (l *layer) origin(n *jsonc.Node) Origin {
	if l.name != "" {
		return Origin{Source: l.source, Name: l.name}
	}
	line, _ := jsonc.Position(l.text, n.Start)
	return Origin{Source: l.source, File: l.file.Path, Line: line}
}

// Validate lists what is wrong with the text of a configuration file; file names
// it in the problems.
func Validate(file string, text []byte) Problems {
	_, problems := parse(File{Source: User, Path: file}, text)
	return problems
}

// parse reads a file's text and checks the whole of it.
func parse(f File, text []byte) (*layer, Problems) {
	l := &layer{source: f.Source, file: f, text: text}
	sum := sha256.Sum256(text)
	l.sha = hex.EncodeToString(sum[:])
	if empty(text) {
		l.tree = &jsonc.Node{Kind: jsonc.Object}
		return l, nil
	}
	tree, syntax := jsonc.Parse(text)
	problems := Problems{}
	for _, p := range syntax {
		line, column := jsonc.Position(text, p.Offset)
		problems = append(problems, Problem{f.Path, line, column, "", p.Message})
	}
	if tree == nil {
		return nil, problems
	}
	for _, p := range check(tree, l) {
		line, column := jsonc.Position(text, tree.Offset(p.Pointer))
		problems = append(problems, Problem{f.Path, line, column, p.Pointer, p.Message})
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b Problem) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		return nil, problems[:min(len(problems), jsonc.MaxProblems)]
	}
	return l, nil
}

// empty reports whether a text holds nothing but white space.
func empty(text []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))) == 0
}

// check brings a tree into the form that [Config] is decoded from, puts it into
// the layer, and lists what is wrong with it.
func check(tree *jsonc.Node, l *layer) schema.Problems {
	var problems schema.Problems
	normal := normalise(tree, &problems)
	config, faults := decode(normal)
	problems = append(problems, faults...)
	if len(faults) > 0 {
		return problems
	}
	l.tree = normal
	return append(problems, checkValues(config)...)
}

func decode(tree *jsonc.Node) (*Config, schema.Problems) {
	config := &Config{}
	err := object().Decode(tree.JSON(), config)
	if err == nil {
		return config, nil
	}
	if problems, ok := fault.As(err).Details.(schema.Problems); ok {
		return nil, problems
	}
	return nil, schema.Problems{{Message: fault.As(err).Message}}
}

// checkValues lists what the schema cannot say.
func checkValues(c *Config) schema.Problems {
	var problems schema.Problems
	tell := func(pointer string, what fault.Text) {
		problems = append(problems, schema.Problem{Pointer: pointer, Message: what})
	}
	for i := range c.Rules {
		for _, p := range c.Rules[i].Check(SwitchNames()) {
			tell("/rules/"+strconv.Itoa(i)+p.Pointer, p.Message)
		}
	}
	if c.Project != "" && !isID(c.Project) {
		tell("/project", fault.T("%q is not the id of a project", "%q 不是有效的项目标识", c.Project))
	}
	for i, p := range c.Projects {
		at := "/projects/" + strconv.Itoa(i)
		if !isID(p.ID) {
			tell(at+"/id", fault.T("%q: want letters, digits, -, _ and dots, a letter or digit first", "%q：应由字母、数字、-、_ 和点组成，并以字母或数字开头", p.ID))
		}
		if slices.ContainsFunc(c.Projects[:i], func(other Project) bool { return other.ID == p.ID }) {
			tell(at+"/id", fault.T("another project is called %q", "已有名为 %q 的项目", p.ID))
		}
		if strings.ContainsRune(p.Path, 0) {
			tell(at+"/path", fault.T("must not hold a NUL", "不得包含 NUL"))
		}
	}
	for i, b := range c.Tools.Bound {
		at := "/tools/bound/" + strconv.Itoa(i)
		if slices.ContainsFunc(c.Tools.Bound[:i], func(other Bound) bool { return other.Name == b.Name }) {
			tell(at+"/name", fault.T("another bound tool is called %q", "已有名为 %q 的绑定工具", b.Name))
		}
		for j, name := range b.Requires {
			if !slices.Contains(SwitchNames(), name) {
				tell(at+"/requires/"+strconv.Itoa(j), fault.T("there is no switch %q; the switches are: %s", "没有开关 %q；可用开关：%s", name, strings.Join(SwitchNames(), ", ")))
			}
		}
	}
	patterns := func(at string, list []string) {
		for i, pattern := range list {
			if _, err := regexp.Compile(pattern); err != nil {
				tell(at+"/"+strconv.Itoa(i), fault.T("not a regular expression: %s", "不是有效的正则表达式：%s", err.Error()))
			}
		}
	}
	checkWeb(&c.Web, tell)
	patterns("/audit/mask", c.Audit.Mask)
	patterns("/exec/deny", c.Exec.Deny)
	for _, list := range []struct {
		at    string
		paths []string
	}{{"/tools/manifests", c.Tools.Manifests}, {"/exec/writable", c.Exec.Writable}, {"/exec/readable", c.Exec.Readable}} {
		for i, dir := range list.paths {
			if dir == "" || strings.ContainsRune(dir, 0) {
				tell(list.at+"/"+strconv.Itoa(i), fault.T("not a directory's name", "不是有效的目录名"))
			}
		}
	}
	return problems
}

// isID holds the id of a project to what can stand in brackets before a path.
func isID(s string) bool {
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || strings.IndexByte("-_.", c) < 0) {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// normalise copies a tree, with the conveniences of a file written out: $schema
// dropped, a word of argv as a list of one, an example command as its words, and
// the arguments that are bound as one text.
func normalise(tree *jsonc.Node, problems *schema.Problems) *jsonc.Node {
	if tree.Kind != jsonc.Object {
		return tree
	}
	root := replace(tree, "$schema", func(n *jsonc.Node) *jsonc.Node {
		if n.Kind != jsonc.String {
			*problems = append(*problems, schema.Problem{Pointer: "/$schema", Message: fault.T("want string, got %s", "应为 string，实际为 %s", n.Kind)})
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
	return replace(root, "tools", func(tools *jsonc.Node) *jsonc.Node {
		return replace(tools, "bound", func(bound *jsonc.Node) *jsonc.Node {
			return each(bound, func(i int, one *jsonc.Node) *jsonc.Node {
				return replace(one, "bind", func(bind *jsonc.Node) *jsonc.Node {
					if bind.Kind != jsonc.Object {
						*problems = append(*problems, schema.Problem{Pointer: "/tools/bound/" + strconv.Itoa(i) + "/bind", Message: fault.T("want object, got %s", "应为 object，实际为 %s", bind.Kind)})
					}
					return &jsonc.Node{Kind: jsonc.String, Text: string(bind.JSON()), Start: bind.Start, End: bind.End}
				})
			})
		})
	})
}

// replace copies an object with the members of a name changed, or left out where
// change gives nil.
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

// each copies an array with its items changed; what is no array stays.
func each(n *jsonc.Node, change func(int, *jsonc.Node) *jsonc.Node) *jsonc.Node {
	copied := *n
	copied.Items = make([]*jsonc.Node, len(n.Items))
	for i, item := range n.Items {
		copied.Items[i] = change(i, item)
	}
	return &copied
}

func alternatives(_ int, n *jsonc.Node) *jsonc.Node {
	if n.Kind != jsonc.String {
		return n
	}
	return &jsonc.Node{Kind: jsonc.Array, Items: []*jsonc.Node{n}, Start: n.Start, End: n.End}
}

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

// absolute makes the paths in a layer's tree absolute.
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
}

func indent(text []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
