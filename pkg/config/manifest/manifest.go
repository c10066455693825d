// Package manifest reads the definitions of custom tools. A manifest makes a tool of
// any program: its named arguments become words of the program's command line, and
// no shell reads them. The package runs nothing.
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

// Stdin selects the standard input of a program: [NoStdin], [JSONStdin], [CallStdin], or
// the text of an argument, as {name}.
type Stdin string

// The kinds of standard input besides an argument.
const (
	NoStdin   Stdin = "none"
	JSONStdin Stdin = "json" // all arguments as one JSON object
	// CallStdin is one JSON object with the arguments and the context of the call:
	// {"arguments":{…},"client":[…],"inputResponses":{…},"requestState":…}. client lists
	// the requests that the caller's client accepts: elicitation, sampling, roots. The
	// last two are there when a program that asked for something runs again.
	CallStdin Stdin = "call"
)

// Output is the format of a program's standard output.
type Output string

// The kinds of output.
const (
	TextOutput     Output = "text"
	JSONOutput     Output = "json"     // one JSON value: the result
	EnvelopeOutput Output = "envelope" // {"ok":…,"data":…,"error":…}, as helve prints
	// ContentOutput is content blocks of the Model Context Protocol, or its inputRequests,
	// after any number of lines {"progress":…,"total":…,"message":…}.
	ContentOutput Output = "content"
)

// Tool is a custom tool, from a manifest without problems.
type Tool struct {
	Name        string
	Description string
	Parameters  *schema.Object
	Risk        policy.Risk // Destructive unless the manifest says less
	Requires    []string    // switches
	Stdin       Stdin
	Env         []Variable // set for the program, in the manifest's order
	PassEnv     []string   // names passed on from the caller's environment
	Timeout     time.Duration
	MaxOutput   int // bytes
	Output      Output
	Exits       []Exit
	Examples    []Example
	Template    []string // the words of its command, as in the manifest
	SHA         string   // SHA-256 of the manifest's bytes, 64 hex digits

	argv []element
}

// Variable is an environment variable. Its value contains no arguments.
type Variable struct{ Name, Value string }

// Exit is the meaning of exit statuses: a code, or "" for success.
type Exit struct {
	Code     fault.Code
	Statuses []int
}

// Example is a call that a reader of the help can copy.
type Example struct {
	Doc  string
	Args string // JSON
}

// Code returns the meaning of an exit status, "" for success. A status that the
// manifest does not name means success if it is 0, and io_error otherwise.
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

// document is the part of a manifest with fixed members. The parser reads parameters,
// env, exit, and the arguments of examples by hand.
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
	Stdin     string   `json:"stdin,omitzero" default:"none" doc:"none, json, call or {name}."`
	PassEnv   []string `json:"pass_env,omitzero" doc:"Variables to hand on."`
	Timeout   string   `json:"timeout,omitzero" doc:"Such as 30s."`
	MaxOutput string   `json:"max_output,omitzero" doc:"Such as 256KB."`
	Output    string   `json:"output,omitzero" enum:"text,json,envelope,content" default:"text" doc:"How the output is read."`
}

type example struct {
	Doc string `json:"doc,omitzero" doc:"What the call does."`
}

// documentObject is the schema of document.
var documentObject = sync.OnceValue(func() *schema.Object { return schema.Of(reflect.TypeFor[document]()) })
