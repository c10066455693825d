// Package upstream keeps the servers of the Model Context Protocol whose tools a person
// took in: how a server is started or reached, how far what it says of its tools is
// trusted, and the definitions that it had when they were fetched last. Each is a file
// of the person's own, outside of every workspace. The package starts and reaches
// nothing.
package upstream

import (
	"encoding/json"
	"time"
)

// Server is one such server.
type Server struct {
	// Name begins the names of its tools, as "name_tool".
	Name string `json:"name"`
	// Command starts the server, which speaks the protocol over its standard input and
	// output; none for one that is reached at URL.
	Command []string `json:"command,omitempty"`
	// Pass are the names of variables of the environment that the command gets beside
	// the harmless ones. Values are never kept.
	Pass []string `json:"pass_env,omitempty"`
	// URL is the server's address over HTTP.
	URL string `json:"url,omitempty"`
	// Headers are sent with every request, each "Name: VARIABLE" with the variable of the
	// environment that holds its value.
	Headers []string `json:"headers,omitempty"`
	// ClientID is helve's id at the authorization server of URL, or the https address of a
	// document that describes helve; none has helve register there. ClientSecret is the
	// environment variable with the secret for it, if there is one.
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret_env,omitempty"`
	// Trust sets how far the annotations of the server's tools are trusted.
	Trust Trust `json:"trust"`
	// Unconfined says that the command runs without the sandbox.
	Unconfined bool `json:"unconfined,omitempty"`
	// StartTimeout limits the seconds until the server has started; 0 is the usual limit.
	StartTimeout int `json:"start_timeout,omitempty"`
	// Only are the names of the tools that were taken in; none are all.
	Only    []string  `json:"only,omitempty"`
	Fetched time.Time `json:"fetched"` // when Tools were
	Version string    `json:"version,omitempty"`
	Tools   []Tool    `json:"tools"`
	// Resources says that it has resources to read beside its tools.
	Resources bool `json:"resources,omitempty"`
}

// Trust is the trust in the annotations of a server's tools when the risk of a call is
// judged.
type Trust string

// The kinds of trust.
const (
	// Ask trusts nothing: every call counts as the riskiest kind, so that a person is
	// asked unless a rule allows the tool.
	Ask Trust = "ask"
	// Hints trusts the annotations: a tool marked as read-only counts as such.
	Hints Trust = "hints"
)

// Tool is the definition of a tool, as its server gave it.
type Tool struct {
	Name string `json:"name"`
	// As is the name that helve has for it; [Server.Assign] sets it.
	As          string          `json:"as,omitempty"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema,omitempty"`
	Annotations Annotations     `json:"annotations,omitzero"`
	// Changed is set if the server's description of it has changed since the person
	// accepted it, or it is new: until the person accepts that, a person is asked about
	// each call.
	Changed bool `json:"changed,omitempty"`
}

// Annotations are a server's hints about a tool; nil is none.
type Annotations struct {
	ReadOnly    *bool `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	Idempotent  *bool `json:"idempotentHint,omitempty"`
	OpenWorld   *bool `json:"openWorldHint,omitempty"`
}
