package manifest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

const (
	// defaultTimeout limits the run of a tool whose manifest sets no limit, and maxTimeout
	// the limit that a manifest can set.
	defaultTimeout = time.Minute
	maxTimeout     = time.Hour
	// defaultOutput limits the bytes kept of its output, and maxOutput the limit that a
	// manifest can set.
	defaultOutput = 256 << 10
	maxOutput     = 16 << 20
)

// parameters reads the schema of the arguments.
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
		p.report(name, "/parameters"+f.Pointer, f.Message)
	}
	if t.Parameters == nil || t.Risk != policy.Read {
		return
	}
	for _, f := range t.Parameters.Fields {
		if f.Path != schema.NoPath && f.Path != schema.ReadPath {
			p.report(BadField, "/parameters/properties/"+escape(f.Name)+"/path", fault.T(`a tool with the risk read can only have paths to read: declare the risk write or destructive, or make this one "read"`))
		}
	}
}

// names reads the members that name and describe the tool.
func (p *parser) names(t *Tool, d *document, o Options) {
	t.Name, t.Description, t.Risk, t.Requires = d.Name, strings.TrimSpace(d.Description), d.Risk, d.Requires
	same := func(other string) bool { return joined(other) == joined(d.Name) }
	switch {
	case strings.TrimSpace(d.Name) == "":
		p.report(EmptyName, "/name", fault.T("the tool has no name"))
	case !portable(d.Name):
		p.report(BadName, "/name", fault.T("%q: want a lower-case letter, then lower-case letters, digits and _, at most 64 characters", d.Name))
	case slices.ContainsFunc(o.Builtin, same):
		p.report(ShadowsBuiltin, "/name", fault.T("%q is the name of a built-in tool", d.Name))
	case slices.ContainsFunc(o.Taken, same):
		p.report(DuplicateName, "/name", fault.T("another tool has the name %q", d.Name))
	}
	if t.Description == "" {
		p.report(EmptyDescription, "/description", fault.T("the tool has no description: a model would not know when to use it"))
	}
	for i, name := range d.Requires {
		if !slices.Contains(o.Switches, name) {
			p.report(UnknownSwitch, "/requires/"+strconv.Itoa(i), fault.T("there is no switch %q; the switches are: %s", name, strings.Join(o.Switches, ", ")))
		}
	}
}

// joined folds the ways of joining words: a model takes file-read and file_read for
// the same tool.
func joined(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "-", "_"))
}

// portable reports whether every provider takes a name of a tool.
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

// run reads how the program is run.
func (p *parser) run(t *Tool, d *document) {
	bad := func(pointer string, what fault.Text) { p.report(BadTemplate, pointer, what) }
	t.argv, t.Template = parseArgv(d.Run.Argv, t.Parameters, bad), d.Run.Argv
	t.Stdin, t.Output, t.PassEnv = Stdin(d.Run.Stdin), Output(d.Run.Output), d.Run.PassEnv
	if t.Stdin != NoStdin && t.Stdin != JSONStdin && t.Stdin != CallStdin {
		e, what := parseElement(d.Run.Stdin)
		switch {
		case !what.IsZero():
			bad("/run/stdin", what)
		case e.alone() == "":
			bad("/run/stdin", fault.T("want none, json, call or {name}"))
		case t.Parameters != nil:
			checkName("/run/stdin", e.alone(), t.Parameters, false, bad)
		}
	}
	for i, name := range d.Run.PassEnv {
		if !variable(name) {
			p.report(BadField, "/run/pass_env/"+strconv.Itoa(i), fault.T("%q is not a name of a variable", name))
		}
	}
	t.Timeout, t.MaxOutput = defaultTimeout, defaultOutput
	if d.Run.Timeout != "" {
		var err error
		if t.Timeout, err = time.ParseDuration(d.Run.Timeout); err != nil || t.Timeout <= 0 || t.Timeout > maxTimeout {
			p.report(BadField, "/run/timeout", fault.T("%q: want a duration such as 30s, at most %v", d.Run.Timeout, maxTimeout))
		}
	}
	if d.Run.MaxOutput != "" {
		var ok bool
		if t.MaxOutput, ok = size(d.Run.MaxOutput); !ok {
			p.report(BadField, "/run/max_output", fault.T("%q: want a size such as 256KB, at most %d bytes", d.Run.MaxOutput, maxOutput))
		}
	}
}

// size reads a number of bytes, or of KB or MB, which are powers of 1024.
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

// variable reports whether a name can be that of an environment variable.
func variable(name string) bool { return name != "" && !strings.ContainsAny(name, "=\x00") }

// env reads the variables to set.
func (p *parser) env(t *Tool) {
	n := p.tree.Path("run", "env")
	if n == nil || n.Kind == jsonc.Null {
		return
	}
	if n.Kind != jsonc.Object {
		p.report(BadField, "/run/env", fault.T("want object, got %s", n.Kind))
		return
	}
	for _, m := range n.Members {
		at := "/run/env/" + escape(m.Name)
		switch {
		case !variable(m.Name):
			p.report(BadField, at, fault.T("%q is not a name of a variable", m.Name))
		case m.Value.Kind != jsonc.String || strings.ContainsRune(m.Value.Text, 0):
			p.report(BadField, at, fault.T("want a string without NUL"))
		default:
			t.Env = append(t.Env, Variable{m.Name, m.Value.Text})
		}
	}
}

// exit reads the meanings of exit statuses.
func (p *parser) exit(t *Tool) {
	n := p.tree.Path("run", "exit")
	if n == nil || n.Kind == jsonc.Null {
		return
	}
	if n.Kind != jsonc.Object {
		p.report(BadField, "/run/exit", fault.T("want object, got %s", n.Kind))
		return
	}
	seen := map[int]bool{}
	for _, m := range n.Members {
		at := "/run/exit/" + escape(m.Name)
		e := Exit{Code: fault.Code(m.Name)}
		if m.Name == "ok" {
			e.Code = ""
		} else if !Reportable(e.Code) {
			p.report(BadField, at, fault.T(`%q is neither "ok" nor a code that a program may report`, m.Name))
		}
		if m.Value.Kind != jsonc.Array {
			p.report(BadField, at, fault.T("want array, got %s", m.Value.Kind))
		}
		for i, item := range m.Value.Items {
			status, err := strconv.Atoi(item.Text)
			if item.Kind != jsonc.Number || err != nil || status < 0 || status > 255 || seen[status] {
				p.report(BadField, fmt.Sprintf("%s/%d", at, i), fault.T("want an exit status from 0 to 255, named once"))
				continue
			}
			seen[status] = true
			e.Statuses = append(e.Statuses, status)
		}
		t.Exits = append(t.Exits, e)
	}
}

// Reportable reports whether a program may fail with a code. Those of helve's guards
// and of a person's decision are not for it to use.
func Reportable(code fault.Code) bool {
	return slices.Contains(fault.Codes(), code) && (code.Exit() == 1 || code.Exit() == 5 || code.Exit() == 6 || code == fault.InvalidArguments)
}

// examples reads the examples and checks their arguments.
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
				_, err = t.Command(t.Parameters.Values(into))
			}
			if err != nil {
				p.report(BadExample, at+"/args", fault.As(err).Message)
			}
		}
		t.Examples = append(t.Examples, Example{d.Examples[i].Doc, string(args.JSON())})
	}
}

// escape writes a name as one part of a JSON pointer.
func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
