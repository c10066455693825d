// Package tool says what a tool is: one definition, of which the schema, flags,
// help, provider formats and documentation are projections.
//
// A tool is a struct of arguments, whose tags say all there is to say about
// them, a struct of results, and a [Def]:
//
//	var Tool = tool.New(tool.Def[Args, Result]{
//		Name: "hash",
//		Risk: policy.Read,
//		Doc:  "Return the SHA-256 of a file.",
//		Run:  run,
//	})
//
//	func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
//		root, err := call.Env.Root()
//		…
//	}
//
// [Env] is the world, which does not change during a call; [Call] is the call on
// its way through the chain. A tool is run by package guard alone, which confines
// its calls to the workspace and applies the policy. This package guards nothing and
// knows no engine: what only some tools need, such as a web client, they get by
// its type; see [Service].
package tool

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Example is a call that a reader of the help can copy.
type Example struct {
	Doc  string // what it does, in a few words
	Args string // the arguments as JSON
}

// DocIn returns what the example does in a language; in English where there is no
// other.
func (e Example) DocIn(lang fault.Lang) string {
	doc, _ := fault.Translate(e.Doc, lang)
	return doc
}

// Preset is a further name of a tool, under which some arguments are fixed.
type Preset struct {
	Name  string
	Fixed string // a JSON object
}

// Def defines a tool with the arguments A and the result R, both structs.
type Def[A, R any] struct {
	Name    string // snake_case; group_verb is the command "group verb"
	Title   string // for people who see the tool in a list; "" is its name
	Presets []Preset
	Risk    policy.Risk
	// Reads says that although calls may do more, some only read: whoever allows nothing
	// else can still use the tool.
	Reads bool
	// Idempotent says that a second call like the first changes nothing more.
	Idempotent bool
	// Parallel says that calls may run beside others although they are more than reading:
	// they change nothing that other calls touch, and may take long.
	Parallel bool
	// Responds says that results have what formatters and checkers add; see [Responder].
	Responds bool
	// Doc is an instruction to a model: what it does, when to use it, when another.
	// "{shell}" stands for the shell and the system that commands run on.
	Doc        string
	DefaultArg string // the argument that may be given without its name; "" is none
	// FurtherArgs are arguments that may follow DefaultArg without their names, in
	// this order.
	FurtherArgs []string
	// OneOf are arguments of which a call needs one; the tool checks that. None: those
	// that its arguments say.
	OneOf []string
	// Input is the required text argument that may come as it is, without JSON
	// around it, on standard input; "" is none. As an argument without its name it is a
	// file with the text, unless it is DefaultArg, too.
	Input string
	// Words is the list argument that is everything after "--" on the command line, each
	// word as it is; "" is none.
	Words    string
	Examples []Example

	Timeout time.Duration // the longest a call may take; zero is [defaultTimeout]
	// TimeoutArg names the argument by which a caller limits the work, in seconds.
	// The longest that it takes is added to Timeout.
	TimeoutArg string
	Grace      time.Duration // what a canceled call may take to clean up, if that is long

	// Paths returns the paths that a call touches and no path argument holds, such
	// as those in a patch, so that they are guarded like the others. A target with the
	// path and the use of an argument says more about that one.
	Paths func(context.Context, *Call, A) ([]Target, error)
	// Web says that calls reach the web. Hosts returns the hosts, as far as the
	// arguments name them, so that rules about them apply.
	Web   bool
	Hosts func(A) []string
	// Programs says that calls run programs, which may reach what no argument names.
	Programs bool
	// Preview returns what a call would do, such as a diff, for the person who
	// decides. It changes nothing. Nil shows the arguments.
	Preview func(context.Context, *Call, A) (string, error)
	Run     func(context.Context, *Call, A) (R, error)
	// Trial reports whether a call only shows what it would do. Nil: none does.
	Trial func(A) bool
	// Text renders a result for people and models. Nil renders it as JSON.
	Text func(R, screen.View) string
}

// defaultTimeout is the longest that a call may take if its tool does not say.
const defaultTimeout = 2 * time.Minute

// Spec is the static description of a tool.
type Spec struct {
	Name       string
	Title      string
	Presets    []Preset
	Risk       policy.Risk
	Doc        string
	DocZH      string // Doc in Chinese, where the catalogue cannot have it
	DefaultArg string
	Further    []string // the arguments that may follow DefaultArg
	OneOf      []string // arguments of which a call needs one
	Input      string   // the argument that standard input may be
	Words      string   // the argument that the words after "--" are
	Examples   []Example
	Timeout    time.Duration
	Grace      time.Duration
	Web        bool
	Programs   bool
	Idempotent bool
	Parallel   bool
	Responds   bool
	PresetOf   string // the tool that this one is a preset of; "" for one of its own
	Digest     string // identifies the definition of a [Dynamic] tool
	Contents   bool   // the JSON of a result is that of [Contents], and of the details of some faults
	// Output describes what a call returns. The error says why nothing is known about
	// that before a call.
	Output func() (schema.Document, error)

	shell      func(fault.Lang) string // names what "{shell}" in the description stands for; may be nil
	reads      bool
	timeoutArg string
	grouped    bool   // the command of group_verb is the verb of a group
	published  string // the name that a host shows it under; "" is its own
}

// Tool is a description and what carries it out. [New], [NewJudged] and [Dynamic.Tool]
// make one of a definition; [NewPreset] and the methods that return a Tool wrap one, and
// leave it as it is.
type Tool struct {
	Spec
	actions
	own *Tool // as it is without a [Publication]; nil for itself
}

// actions carries out the calls of a tool. A definition implements all of it; a wrapper
// embeds the actions of the tool that it wraps, and implements what it changes.
type actions interface {
	arguments() *schema.Object
	schema() *schema.Object
	// decode reads the input of a call of t, which is the tool itself or wraps it.
	decode(t *Tool, input []byte, args any, r schema.Repair) ([]fault.Text, error)
	judge(context.Context, *Call) error
	paths(context.Context, *Call) ([]Target, error)
	hosts(*Call) []string
	trial(*Call) bool
	preview(ctx context.Context, c *Call, later bool) (string, error)
	run(context.Context, *Call) (any, error)
	text(result any, view screen.View) string
}

// New returns the tool of a definition. It does not reflect: that waits until the
// schema is needed.
func New[A, R any](d Def[A, R]) *Tool {
	return d.tool(&typed[A, R]{Def: d})
}

// tool returns the tool of the definition with its actions.
func (d Def[A, R]) tool(a actions) *Tool {
	return &Tool{actions: a, Spec: Spec{
		Name: d.Name, Title: d.Title, Presets: d.Presets, Risk: d.Risk, Doc: d.Doc, Examples: d.Examples,
		DefaultArg: d.DefaultArg, Further: d.FurtherArgs, OneOf: d.OneOf, Input: d.Input, Words: d.Words,
		Timeout: cmp.Or(d.Timeout, defaultTimeout), timeoutArg: d.TimeoutArg, Grace: d.Grace,
		Web: d.Web, Programs: d.Programs, Idempotent: d.Idempotent, Parallel: d.Parallel, Responds: d.Responds, reads: d.Reads, grouped: true,
		Output: func() (schema.Document, error) { return schema.ResultOf(reflect.TypeFor[R]()) },
	}}
}

// typed does what a definition says.
type typed[A, R any] struct {
	Def[A, R]
	once   sync.Once
	object *schema.Object
}

func (t *typed[A, R]) arguments() *schema.Object {
	t.once.Do(func() { t.object = schema.Of(reflect.TypeFor[A]()) })
	return t.object
}

func (t *typed[A, R]) schema() *schema.Object             { return t.arguments() }
func (t *typed[A, R]) judge(context.Context, *Call) error { return nil }
func (t *typed[A, R]) trial(c *Call) bool                 { return t.Trial != nil && t.Trial(*c.Args.(*A)) }

func (t *typed[A, R]) decode(of *Tool, input []byte, args any, r schema.Repair) ([]fault.Text, error) {
	return of.read(input, args, r)
}

func (t *typed[A, R]) paths(ctx context.Context, c *Call) ([]Target, error) {
	if t.Paths == nil {
		return nil, nil
	}
	return t.Paths(ctx, c, *c.Args.(*A))
}

func (t *typed[A, R]) hosts(c *Call) []string {
	if t.Hosts == nil {
		return nil
	}
	return t.Hosts(*c.Args.(*A))
}

func (t *typed[A, R]) preview(ctx context.Context, c *Call, _ bool) (string, error) {
	if t.Preview == nil {
		text, err := schema.Marshal(c.Args)
		return string(text), err
	}
	return t.Preview(ctx, c, *c.Args.(*A))
}

func (t *typed[A, R]) run(ctx context.Context, c *Call) (any, error) {
	return t.Run(ctx, c, *c.Args.(*A))
}

func (t *typed[A, R]) text(result any, view screen.View) string {
	if t.Text != nil {
		return t.Text(result.(R), view)
	}
	text, err := schema.Marshal(result)
	if err != nil {
		return fmt.Sprintf("%+v", result)
	}
	return string(text)
}

// PresetNames returns the names of its presets.
func (t *Tool) PresetNames() []string {
	var names []string
	for _, p := range t.Presets {
		names = append(names, p.Name)
	}
	return names
}

// shellMark stands in a description for the shell and the system that commands run on.
const shellMark = "{shell}"

// NamesShell reports whether the description names the shell and the system that
// commands run on.
func (t *Tool) NamesShell() bool { return strings.Contains(t.Doc, shellMark) }

// On returns the tool with a description that names them as shell does, such as "bash on
// Linux". shell is called when the description is read.
func (t *Tool) On(shell func(fault.Lang) string) *Tool {
	there := t.Spec
	there.shell = shell
	return &Tool{there, t.actions, t.own}
}

// DocIn returns the description in a language; in English where there is no other.
func (t *Tool) DocIn(lang fault.Lang) string {
	doc, _ := fault.Translate(t.Doc, lang)
	if lang == fault.Chinese && t.DocZH != "" {
		doc = t.DocZH
	}
	if !strings.Contains(doc, shellMark) {
		return doc
	}
	shell := ""
	if t.shell != nil {
		shell = t.shell(lang)
	}
	return strings.ReplaceAll(doc, shellMark, cmp.Or(shell, fault.T("a shell").In(lang)))
}

// TitleIn returns what people see the tool as in a list, in a language; in English where
// there is no other.
func (t *Tool) TitleIn(lang fault.Lang) string {
	if t.Title == "" || t.Called() != t.Name {
		words := strings.FieldsFunc(t.Called(), func(c rune) bool { return c == '_' || c == '-' || c == '.' })
		return strings.Join(words, " ")
	}
	title, _ := fault.Translate(t.Title, lang)
	return title
}

// Command returns the words of its command: a built-in tool that is named group_verb is
// the verb of a group.
func (t *Tool) Command() string {
	if !t.grouped {
		return t.Called()
	}
	return strings.Replace(t.Name, "_", " ", 1)
}

// Summary returns the first sentence of the description in a language, without its
// full stop.
func (t *Tool) Summary(lang fault.Lang) string {
	doc, stop := t.DocIn(lang), ". "
	if strings.ContainsRune(doc, '。') {
		stop = "。"
	}
	first, _, _ := strings.Cut(doc, stop)
	return strings.TrimSuffix(first, ".")
}

// Schema describes the arguments that a caller gives. It panics when the
// definition is wrong.
func (t *Tool) Schema() *schema.Object { return t.schema() }

// Arguments describes all arguments, also those that a preset fixes.
func (t *Tool) Arguments() *schema.Object { return t.arguments() }

// MayRead reports whether the tool has calls that only read.
func (t *Tool) MayRead() bool { return t.reads || t.Risk == policy.Read }

// NewArgs returns a pointer to zero arguments, to decode into.
func (t *Tool) NewArgs() any { return t.Arguments().NewArgs() }

// Decode reads JSON into args, which [Tool.NewArgs] made, and adds what is fixed. It
// first repairs slips that can mean only one thing, and reports them.
func (t *Tool) Decode(input []byte, args any) (repairs []fault.Text, err error) {
	return t.decode(t, input, args, schema.Repair{Writes: t.Risk != policy.Read})
}

// read reads the arguments that a caller gives.
func (t *Tool) read(input []byte, args any, r schema.Repair) (repairs []fault.Text, err error) {
	if text, ok := t.Freeform(input); ok {
		repairs = append(repairs, fault.T("the arguments were read as %s", t.Input))
		input = text
	}
	further, err := t.Schema().DecodeRepaired(input, args, r)
	return append(repairs, further...), err
}

// Inside returns the tool for calls whose arguments are inside of those of another tool:
// by takes them out.
func (t *Tool) Inside(by func(input []byte) ([]byte, error)) *Tool {
	return &Tool{t.Spec, inside{t.actions, by}, t.own}
}

type inside struct {
	actions
	by func(input []byte) ([]byte, error)
}

func (i inside) decode(t *Tool, input []byte, args any, r schema.Repair) ([]fault.Text, error) {
	input, err := i.by(input)
	if err != nil {
		return nil, err
	}
	return i.actions.decode(t, input, args, r)
}

// Translated returns the tool for callers who write its arguments as another system
// takes them: by translates these before they are decoded, and reports what it made
// of them.
func (t *Tool) Translated(by func(*schema.Given) ([]fault.Text, error)) *Tool {
	return &Tool{t.Spec, translated{t.actions, by}, t.own}
}

type translated struct {
	actions
	by func(*schema.Given) ([]fault.Text, error)
}

func (tr translated) decode(t *Tool, input []byte, args any, r schema.Repair) ([]fault.Text, error) {
	r.Translate = tr.by
	return tr.actions.decode(t, input, args, r)
}

// Deadline returns the longest that a call may take.
func (t *Tool) Deadline() time.Duration {
	if t.timeoutArg == "" {
		return t.Timeout
	}
	f, _ := t.Arguments().Field(t.timeoutArg)
	return t.Timeout + time.Duration(*f.Type.Max)*time.Second
}

// Judge judges a decoded call and writes the judgement on it. Of a tool whose
// calls all have the same risk it writes none.
func (t *Tool) Judge(ctx context.Context, c *Call) error { return t.judge(ctx, c) }

// Paths returns the paths that a decoded call touches beside its path arguments.
func (t *Tool) Paths(ctx context.Context, c *Call) ([]Target, error) { return t.paths(ctx, c) }

// Hosts returns the hosts on the web that a decoded call reaches, as far as its
// arguments name them.
func (t *Tool) Hosts(c *Call) []string { return t.hosts(c) }

// Trial reports whether a decoded call only shows what it would do.
func (t *Tool) Trial(c *Call) bool { return t.trial(c) }

// Preview shows what a decoded call would do.
func (t *Tool) Preview(ctx context.Context, c *Call) (string, error) { return t.preview(ctx, c, false) }

// Outline shows what a decoded call would do that is made later.
func (t *Tool) Outline(ctx context.Context, c *Call) (string, error) { return t.preview(ctx, c, true) }

// Text renders a result of this tool for people and models.
func (t *Tool) Text(result any, view screen.View) string { return t.text(result, view) }
