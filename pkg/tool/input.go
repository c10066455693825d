package tool

import "encoding/json"

// The capabilities of the client of a caller, as the Model Context Protocol names them.
const (
	Elicitation = "elicitation" // its person fills in forms
	Sampling    = "sampling"    // its model completes messages
	Roots       = "roots"       // it says which directories it works in
)

// Input holds answers that a call gets, beside its arguments, from whoever can be asked
// while it is made.
type Input struct {
	Client []string // what the client of the caller can be asked for
	// Answers are those to what an earlier round of the call asked for, by the names of
	// the questions: a JSON object; nil for the first round.
	Answers json.RawMessage
	State   string // what the earlier round gave to get back; may be empty
}

// Asked is the details of the fault of a call that needs answers, and is then made again.
// Whoever cannot ask passes it on as it is.
type Asked struct {
	// Requests are the questions by their names, as the Model Context Protocol has them: an
	// object of {"method":…,"params":…}.
	Requests json.RawMessage `json:"inputRequests"`
	State    string          `json:"requestState,omitzero"`
}

// Contents is the result of a tool that returns content blocks of the Model Context
// Protocol; see [Tool.Contents].
type Contents struct {
	Blocks     []json.RawMessage `json:"content"`
	Structured json.RawMessage   `json:"structuredContent,omitempty"`
}
