// Package manifest reads the definitions of custom tools: any program, with named
// arguments that become words of its command line. It runs none of them.
package manifest

import (
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// Name is what kind of fault a manifest has.
type Name string

// The kinds of faults.
const (
	Unreadable       Name = "unreadable"        // the file cannot be read
	Syntax           Name = "syntax"            // not JSON
	BadField         Name = "bad_field"         // unknown, missing or of a wrong type or value
	EmptyName        Name = "empty_name"        //
	BadName          Name = "bad_name"          // not one that every provider takes
	EmptyDescription Name = "empty_description" //
	DuplicateName    Name = "duplicate_name"    // another custom tool has it
	ShadowsBuiltin   Name = "shadows_builtin"   // a built-in tool or one of its aliases has it
	Unportable       Name = "unportable_schema" // outside of what every provider takes
	Undefined        Name = "required_property_not_defined"
	BadTemplate      Name = "bad_template"   // argv or stdin
	UnknownSwitch    Name = "unknown_switch" // in requires
	BadExample       Name = "bad_example"    // its arguments are not those of the tool
)

// Problem is one fault of a manifest.
type Problem struct {
	Name    Name
	File    string
	Line    int    // from 1
	Column  int    // from 1, in characters
	Pointer string // JSON pointer of the place
	Message fault.Text
}

// Problems are the details of the fault of a manifest.
type Problems []Problem

// Worded tells that the fault's message lists the problems.
func (p Problems) Worded() {}

// In gives the problems in one language, for the JSON of an answer.
func (p Problems) In(lang fault.Lang) any {
	type problem struct {
		Name    Name   `json:"name"`
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Pointer string `json:"pointer"`
		Message string `json:"message"`
	}
	out := make([]problem, len(p))
	for i, one := range p {
		out[i] = problem{one.Name, one.File, one.Line, one.Column, one.Pointer, one.Message.In(lang)}
	}
	return struct {
		Problems []problem `json:"problems"`
	}{out}
}

// Err is nil without problems, and else one fault that lists them.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	texts := make([]fault.Text, len(p))
	for i, one := range p {
		texts[i] = fault.T("%s:%d:%d: %s: %s", "%s:%d:%d：%s：%s", one.File, one.Line, one.Column, one.Name, one.Message)
	}
	return fault.New(fault.BadDocument, fault.T("the manifest cannot be used: %s", "清单无法使用：%s", fault.Join(texts, "; ", "；"))).
		WithHint(fault.T("mend it; helve tools validate says when it is right", "请修正；可用 helve tools validate 检查")).
		WithDetails(p)
}

// Stdin is what a program is given on its standard input.
type Stdin string

// The kinds of standard input beside "{field}", which is the text of an argument.
const (
	NoStdin   Stdin = "none"
	JSONStdin Stdin = "json" // all arguments as one JSON object
)

// Output says how a program's standard output is read.
type Output string

// The kinds of output.
const (
	TextOutput     Output = "text"
	JSONOutput     Output = "json"     // one JSON value: the result
	EnvelopeOutput Output = "envelope" // {"ok":…,"data":…,"error":…}, as helve prints
	ContentOutput  Output = "content"  // MCP content blocks
)

// Tool is a custom tool that was found right.
type Tool struct {
	Name        string
	Description string
	Parameters  *schema.Object
	Risk        policy.Risk // Destructive unless the manifest says less
	Requires    []string    // switches
	Stdin       Stdin       // none, json, or {field}
	Env         []Variable  // set for the program, in the manifest's order
	PassEnv     []string    // taken over from the caller's environment
	Timeout     time.Duration
	MaxOutput   int // bytes
	Output      Output
	Exits       []Exit
	Examples    []Example
	Template    []string // the words of its command, as the manifest has them
	SHA         string   // SHA-256 of the manifest's bytes, 64 hex digits

	argv []element
}

// Variable is one of the environment. Its value holds no arguments.
type Variable struct{ Name, Value string }

// Exit gives the meaning of some exit statuses: a code, or "" for success.
type Exit struct {
	Code     fault.Code
	Statuses []int
}

// Example is a call that a reader of the help can copy.
type Example struct {
	Doc  string
	Args string // JSON
}

// Code gives what an exit status means: "" for success. A status that the
// manifest does not name is success if it is 0 and else io_error.
func (t *Tool) Code(status int) fault.Code {
	for _, e := range t.Exits {
		if slices.Contains(e.Statuses, status) {
			return e.Code
		}
	}
	if status == 0 {
		return ""
	}
	return fault.IOError
}

// document is a manifest as far as its members are known beforehand; parameters,
// env, exit and the arguments of examples are read by hand.
type document struct {
	Name        string      `json:"name" doc:"Name of the tool."`
	Description string      `json:"description" doc:"What it does, for a model to read."`
	Risk        policy.Risk `json:"risk,omitzero" enum:"read,write,destructive" default:"destructive" doc:"What a call may do at worst."`
	Requires    []string    `json:"requires,omitzero" doc:"Switches without which the tool is not there."`
	Run         run         `json:"run" doc:"How it is run."`
	Examples    []example   `json:"examples,omitzero" doc:"Calls to copy."`
}

type run struct {
	Argv      []string `json:"argv" doc:"Program and words; {name} stands for an argument."`
	Stdin     string   `json:"stdin,omitzero" default:"none" doc:"none, json or {name}."`
	PassEnv   []string `json:"pass_env,omitzero" doc:"Variables to hand on."`
	Timeout   string   `json:"timeout,omitzero" doc:"Such as 30s."`
	MaxOutput string   `json:"max_output,omitzero" doc:"Such as 256KB."`
	Output    string   `json:"output,omitzero" enum:"text,json,envelope,content" default:"text" doc:"How the output is read."`
}

type example struct {
	Doc string `json:"doc,omitzero" doc:"What the call does."`
}

var documentObject = sync.OnceValue(func() *schema.Object { return schema.Of(reflect.TypeFor[document]()) })
