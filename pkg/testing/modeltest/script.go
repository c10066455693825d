package modeltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Script holds the answers of a server, as one JSON document.
type Script struct {
	Key   string `json:"key,omitempty"`   // that requests must have; "" asks for none
	Model string `json:"model,omitempty"` // the only one there is; "" is any

	// Steps are the answers of a conversation, by how many of the model's messages it has.
	Steps []Step `json:"steps,omitempty"`
	// Tasks are other conversations, by their first message of the user.
	Tasks []Task `json:"tasks,omitempty"`

	// Echo refuses a conversation with a message of the model that is not as the server sent it, but
	// for members that are null, as DeepSeek refuses one without its reasoning.
	Echo bool `json:"echo,omitempty"`
	// Context refuses a request of about more tokens, of four bytes each; 0 refuses none.
	Context int `json:"context,omitempty"`
	// Unsupported are members of a request that are refused, such as max_tokens.
	Unsupported []string `json:"unsupported,omitempty"`
	// Forbidden are members of a message of the model that are refused, as Groq refuses reasoning_content.
	Forbidden []string `json:"forbidden,omitempty"`
}

// Task is a conversation whose first message of the user contains Match.
type Task struct {
	Match string `json:"match"`
	Steps []Step `json:"steps"`
}

// Step is one answer.
type Step struct {
	Say       string `json:"say,omitempty"`
	Calls     []Call `json:"calls,omitempty"`     // in place of which Final is said where no tool is offered
	Final     string `json:"final,omitempty"`     // "" is "done"
	Reasoning string `json:"reasoning,omitempty"` // reasoning_content, or a block of thinking
	Stop      string `json:"stop,omitempty"`      // such as length or max_tokens, in place of what fits the answer
	Usage     *Usage `json:"usage,omitempty"`     // in place of what the server counts: four bytes a token
	Repeat    bool   `json:"repeat,omitempty"`    // for ever: no later step is reached

	// Extra are members of the model's message besides, such as {"refusal": null}.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
	// Body is the whole body, in place of all that.
	Body json.RawMessage `json:"body,omitempty"`
	// Fail lists the failures that come first, in order.
	Fail []Fail `json:"fail,omitempty"`
}

// Call is a call of a tool.
type Call struct {
	ID   string `json:"id,omitempty"` // "" is one that names the step
	Name string `json:"name"`
	// Arguments are an object or, for arguments that are wrong, a string with them. Messages has
	// only objects: there it is an object with a member that no tool has.
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Usage counts the tokens of an answer.
type Usage struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Fail is a failure. It is counted for a first message of the user and a step.
type Fail struct {
	Times int `json:"times,omitempty"` // 0 is once; -1 is for ever

	Status  int               `json:"status,omitempty"`
	Header  map[string]string `json:"header,omitempty"`
	Message string            `json:"message,omitempty"` // of the provider's body
	Code    string            `json:"code,omitempty"`    // and its code, or its type
	Body    *string           `json:"body,omitempty"`    // in place of the provider's

	// How is a way to fail without a status; see the constants.
	How string `json:"how,omitempty"`
}

// The ways to fail without a status.
const (
	Hang    = "hang"    // until the client goes away
	Close   = "close"   // the connection, instead of an answer
	Half    = "half"    // the answer, and close the connection
	Garbage = "garbage" // with status 200
	Huge    = "huge"    // a reply of 64 MiB
	Empty   = "empty"   // no choices, no content
	Stream  = "stream"  // server-sent events, although nobody asked for them
	Error   = "error"   // an error, with status 200
)

// Parse reads a script. A member that it does not know is an error.
func Parse(data []byte) (*Script, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var s Script
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("the script: %w", err)
	}
	if d.More() {
		return nil, errors.New("the script: there is more than one document")
	}
	for _, t := range append(slices.Clone(s.Tasks), Task{Steps: s.Steps}) {
		for i, step := range t.Steps {
			if err := step.check(); err != nil {
				return nil, fmt.Errorf("the script: step %d of %q: %w", i, t.Match, err)
			}
		}
	}
	if len(s.Steps) == 0 && len(s.Tasks) == 0 {
		return nil, errors.New("the script: it has no steps")
	}
	return &s, nil
}

func (s *Step) check() error {
	ways := []string{Hang, Close, Half, Garbage, Huge, Empty, Stream, Error}
	for _, f := range s.Fail {
		switch {
		case f.How == "" && http.StatusText(f.Status) == "" && f.Status != overloaded:
			return fmt.Errorf("status %d is none", f.Status)
		case f.How != "" && (f.Status != 0 || !slices.Contains(ways, f.How)):
			return fmt.Errorf("it cannot fail by %q and status %d", f.How, f.Status)
		}
	}
	for _, c := range s.Calls {
		if c.Name == "" {
			return errors.New("a call names no tool")
		}
	}
	return nil
}

// steps returns the steps of the conversation with this first message.
func (s *Script) steps(first string) []Step {
	for _, t := range s.Tasks {
		if strings.Contains(first, t.Match) {
			return t.Steps
		}
	}
	return s.Steps
}

// at returns a step by how many came before; nil if the script has ended.
func at(steps []Step, n int) *Step {
	for i := range steps {
		if i == n || steps[i].Repeat {
			return &steps[i]
		}
	}
	return nil
}

// raw returns the arguments of a call as Chat Completions has them: a text that ought to be JSON.
func (c *Call) raw() string {
	var text string
	if json.Unmarshal(c.Arguments, &text) == nil && len(c.Arguments) > 0 && c.Arguments[0] == '"' {
		return text
	}
	if len(c.Arguments) == 0 {
		return "{}"
	}
	return string(c.Arguments)
}
