package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

const (
	// defaultTimeout is how long a tool may run whose manifest says nothing else,
	// and maxTimeout how long it may ask for.
	defaultTimeout = time.Minute
	maxTimeout     = time.Hour
	// defaultOutput is how much of its output is kept, in bytes, and maxOutput how
	// much it may ask for.
	defaultOutput = 256 << 10
	maxOutput     = 16 << 20
)

// Options are the names that a manifest is held to.
type Options struct {
	Builtin  []string // of built-in tools, their aliases included
	Taken    []string // of the custom and bound tools that are there already
	Switches []string // that requires may hold
}

// Parse reads a manifest: JSON in which comments and trailing commas may stand.
// file names it in the problems, which are all there are; the tool is nil if there
// is any.
func Parse(file string, data []byte, o Options) (*Tool, Problems) {
	p := &parser{file: file, data: data}
	tree, syntax := jsonc.Parse(data)
	for _, s := range syntax {
		p.tellAt(Syntax, s.Offset, "", s.Message)
	}
	if tree == nil {
		return nil, p.problems
	}
	p.tree = tree
	t := &Tool{SHA: sum(data)}
	d := p.document()
	p.parameters(t)
	if d != nil {
		p.names(t, d, o)
		p.run(t, d)
	}
	p.env(t)
	p.exit(t)
	p.examples(t, d)
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		return nil, p.problems[:min(len(p.problems), jsonc.MaxProblems)]
	}
	return t, nil
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

type parser struct {
	file     string
	data     []byte
	tree     *jsonc.Node
	problems Problems
}

func (p *parser) tellAt(name Name, offset int, pointer string, what fault.Text) {
	line, column := jsonc.Position(p.data, offset)
	p.problems = append(p.problems, Problem{name, p.file, line, column, pointer, what})
}

func (p *parser) tell(name Name, pointer string, what fault.Text) {
	p.tellAt(name, p.tree.Offset(pointer), pointer, what)
}

// document decodes what the struct of that name describes; nil when it is wrong.
func (p *parser) document() *document {
	if p.tree.Kind != jsonc.Object {
		p.tell(BadField, "", fault.T("a manifest must be an object, not %s", "清单必须是对象，而不是 %s", p.tree.Kind))
		return nil
	}
	bare := without(p.tree, "$schema", "parameters")
	for i, m := range bare.Members {
		switch m.Name {
		case "run":
			bare.Members[i].Value = texts(without(m.Value, "env", "exit"))
		case "examples":
			list := *m.Value
			list.Items = slices.Clone(list.Items)
			for j, item := range list.Items {
				list.Items[j] = without(item, "args")
			}
			bare.Members[i].Value = &list
		}
	}
	// An absent name or description is an empty one, which has a fault of its own.
	for _, name := range []string{"name", "description"} {
		if bare.Get(name) == nil {
			bare.Members = append(bare.Members, jsonc.Member{Name: name, Value: &jsonc.Node{Kind: jsonc.String}})
		}
	}
	d := &document{}
	err := documentObject().Decode(bare.JSON(), d)
	if err == nil {
		return d
	}
	problems, ok := fault.As(err).Details.(schema.Problems)
	if !ok {
		p.tell(BadField, "", fault.As(err).Message)
	}
	for _, one := range problems {
		p.tell(BadField, one.Pointer, one.Message)
	}
	return nil
}

// without copies an object without some members; what is no object stays.
func without(n *jsonc.Node, names ...string) *jsonc.Node {
	copied := *n
	copied.Members = nil
	for _, m := range n.Members {
		if !slices.Contains(names, m.Name) {
			copied.Members = append(copied.Members, m)
		}
	}
	return &copied
}

// texts lets max_output be a number of bytes as well as a text.
func texts(n *jsonc.Node) *jsonc.Node {
	for i, m := range n.Members {
		if m.Name == "max_output" && m.Value.Kind == jsonc.Number {
			n.Members[i].Value = &jsonc.Node{Kind: jsonc.String, Text: m.Value.Text}
		}
	}
	return n
}

func (p *parser) parameters(t *Tool) {
	n := p.tree.Get("parameters")
	if n == nil {
		n = &jsonc.Node{Kind: jsonc.Object, Members: []jsonc.Member{{Name: "type", Value: &jsonc.Node{Kind: jsonc.String, Text: "object"}}}}
	}
	var flaws []schema.Flaw
	t.Parameters, flaws = schema.FromJSON(n.JSON())
	for _, f := range flaws {
		name := Unportable
		if f.Undefined {
			name = Undefined
		}
		p.tell(name, "/parameters"+f.Pointer, f.Message)
	}
}

func (p *parser) names(t *Tool, d *document, o Options) {
	t.Name, t.Description, t.Risk, t.Requires = d.Name, strings.TrimSpace(d.Description), d.Risk, d.Requires
	same := func(other string) bool { return joined(other) == joined(d.Name) }
	switch {
	case strings.TrimSpace(d.Name) == "":
		p.tell(EmptyName, "/name", fault.T("the tool has no name", "工具没有名称"))
	case !portable(d.Name):
		p.tell(BadName, "/name", fault.T("%q: want a lower-case letter, then lower-case letters, digits and _, at most 64", "%q：应以小写字母开头，其后为小写字母、数字和 _，最多 64 个字符", d.Name))
	case slices.ContainsFunc(o.Builtin, same):
		p.tell(ShadowsBuiltin, "/name", fault.T("%q is the name of a built-in tool", "%q 是内置工具的名称", d.Name))
	case slices.ContainsFunc(o.Taken, same):
		p.tell(DuplicateName, "/name", fault.T("another tool is called %q", "已有名为 %q 的工具", d.Name))
	}
	if t.Description == "" {
		p.tell(EmptyDescription, "/description", fault.T("the tool has no description: a model would not know when to use it", "工具没有描述：模型将无从得知何时使用它"))
	}
	for i, name := range d.Requires {
		if !slices.Contains(o.Switches, name) {
			p.tell(UnknownSwitch, "/requires/"+strconv.Itoa(i), fault.T("there is no switch %q; the switches are: %s", "没有开关 %q；可用开关：%s", name, strings.Join(o.Switches, ", ")))
		}
	}
}

// joined makes the ways of joining words alike: a model takes file-read and
// file_read for the same tool.
func joined(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "-", "_"))
}

func portable(name string) bool {
	if len(name) > 64 {
		return false
	}
	for i, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return name != ""
}

func (p *parser) run(t *Tool, d *document) {
	bad := func(pointer string, what fault.Text) { p.tell(BadTemplate, pointer, what) }
	t.argv, t.Template = parseArgv(d.Run.Argv, t.Parameters, bad), d.Run.Argv
	t.Stdin, t.Output, t.PassEnv = Stdin(d.Run.Stdin), Output(d.Run.Output), d.Run.PassEnv
	if t.Stdin != NoStdin && t.Stdin != JSONStdin {
		e, what := parseElement(d.Run.Stdin)
		switch {
		case !what.IsZero():
			bad("/run/stdin", what)
		case e.alone() == "":
			bad("/run/stdin", fault.T("want none, json or {name}", "应为 none、json 或 {名称}"))
		case t.Parameters != nil:
			checkName("/run/stdin", e.alone(), t.Parameters, false, bad)
		}
	}
	for i, name := range d.Run.PassEnv {
		if !variable(name) {
			p.tell(BadField, "/run/pass_env/"+strconv.Itoa(i), fault.T("%q is no variable's name", "%q 不是变量名", name))
		}
	}
	t.Timeout, t.MaxOutput = defaultTimeout, defaultOutput
	if d.Run.Timeout != "" {
		var err error
		if t.Timeout, err = time.ParseDuration(d.Run.Timeout); err != nil || t.Timeout <= 0 || t.Timeout > maxTimeout {
			p.tell(BadField, "/run/timeout", fault.T("%q: want a duration such as 30s, at most %v", "%q：应为 30s 这样的时长，最多 %v", d.Run.Timeout, maxTimeout))
		}
	}
	if d.Run.MaxOutput != "" {
		var ok bool
		if t.MaxOutput, ok = size(d.Run.MaxOutput); !ok {
			p.tell(BadField, "/run/max_output", fault.T("%q: want a size such as 256KB, at most %d bytes", "%q：应为 256KB 这样的大小，最多 %d 字节", d.Run.MaxOutput, maxOutput))
		}
	}
}

// size reads a number of bytes, KB or MB; these are powers of 1024.
func size(s string) (int, bool) {
	unit := 1
	upper := strings.ToUpper(strings.TrimSpace(s))
	for _, u := range []struct {
		suffix string
		bytes  int
	}{{"KB", 1 << 10}, {"MB", 1 << 20}} {
		if rest, ok := strings.CutSuffix(upper, u.suffix); ok {
			upper, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.Atoi(upper)
	return n * unit, err == nil && n > 0 && n <= maxOutput/unit
}

func variable(name string) bool { return name != "" && !strings.ContainsAny(name, "=\x00") }

func (p *parser) env(t *Tool) {
	n := p.tree.Path("run", "env")
	if n == nil || n.Kind == jsonc.Null {
		return
	}
	if n.Kind != jsonc.Object {
		p.tell(BadField, "/run/env", fault.T("want object, got %s", "应为 object，实际为 %s", n.Kind))
		return
	}
	for _, m := range n.Members {
		at := "/run/env/" + escape(m.Name)
		switch {
		case !variable(m.Name):
			p.tell(BadField, at, fault.T("%q is no variable's name", "%q 不是变量名", m.Name))
		case m.Value.Kind != jsonc.String || strings.ContainsRune(m.Value.Text, 0):
			p.tell(BadField, at, fault.T("want a string without NUL", "应为不含 NUL 的字符串"))
		default:
			t.Env = append(t.Env, Variable{m.Name, m.Value.Text})
		}
	}
}

func (p *parser) exit(t *Tool) {
	n := p.tree.Path("run", "exit")
	if n == nil || n.Kind == jsonc.Null {
		return
	}
	if n.Kind != jsonc.Object {
		p.tell(BadField, "/run/exit", fault.T("want object, got %s", "应为 object，实际为 %s", n.Kind))
		return
	}
	seen := map[int]bool{}
	for _, m := range n.Members {
		at := "/run/exit/" + escape(m.Name)
		e := Exit{Code: fault.Code(m.Name)}
		if m.Name == "ok" {
			e.Code = ""
		} else if !Reportable(e.Code) {
			p.tell(BadField, at, fault.T(`%q is neither "ok" nor a code that a program may report`, `%q 既不是 "ok"，也不是程序可以报告的代码`, m.Name))
		}
		if m.Value.Kind != jsonc.Array {
			p.tell(BadField, at, fault.T("want array, got %s", "应为 array，实际为 %s", m.Value.Kind))
		}
		for i, item := range m.Value.Items {
			status, err := strconv.Atoi(item.Text)
			if item.Kind != jsonc.Number || err != nil || status < 0 || status > 255 || seen[status] {
				p.tell(BadField, fmt.Sprintf("%s/%d", at, i), fault.T("want an exit status from 0 to 255 that is named once", "应为 0 到 255 之间且未重复的退出状态"))
				continue
			}
			seen[status] = true
			e.Statuses = append(e.Statuses, status)
		}
		t.Exits = append(t.Exits, e)
	}
}

// Reportable reports whether a program may answer with a code. It does not speak
// for helve's guards, nor for a person.
func Reportable(code fault.Code) bool {
	return slices.Contains(fault.Codes(), code) && (code.Exit() == 1 || code.Exit() == 5 || code.Exit() == 6 || code == fault.InvalidArguments)
}

func (p *parser) examples(t *Tool, d *document) {
	n := p.tree.Get("examples")
	if n == nil || d == nil {
		return
	}
	for i, item := range n.Items {
		at := "/examples/" + strconv.Itoa(i)
		args := item.Get("args")
		if args == nil {
			args = &jsonc.Node{Kind: jsonc.Object}
		}
		if t.Parameters != nil {
			into := t.Parameters.NewArgs()
			err := t.Parameters.Decode(args.JSON(), into)
			if err == nil {
				_, err = t.Command(into)
			}
			if err != nil {
				p.tell(BadExample, at+"/args", fault.As(err).Message)
			}
		}
		t.Examples = append(t.Examples, Example{d.Examples[i].Doc, string(args.JSON())})
	}
}

func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
