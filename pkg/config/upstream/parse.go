package upstream

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// The bounds of a record.
const (
	maxBytes = 8 << 20 // of the file
	MaxTools = 1000
	// maxDoc limits the characters of a description, and maxTitle those of a title: a
	// model may trust them more than it should.
	maxDoc, maxTitle = 4000, 200
	maxSchema        = 256 << 10 // bytes
	maxName          = 200       // bytes of a tool's name at its server
	maxClient        = 2000      // bytes of a client's id
)

// Problem is something that is wrong with a record.
type Problem struct {
	Pointer string // JSON pointer to the value
	Message fault.Text
}

// Problems are all that is wrong with a record.
type Problems []Problem

// Err returns the error that lists the problems; nil if there are none.
func (p Problems) Err(file string) error {
	if len(p) == 0 {
		return nil
	}
	texts := make([]fault.Text, min(len(p), 20))
	for i := range texts {
		texts[i] = fault.T("%s: %s", p[i].Pointer, p[i].Message)
	}
	return fault.New(fault.BadDocument, fault.T("%s cannot be used: %s", file, fault.Join(texts, "; "))).
		WithHint(fault.T("import the server again: helve tools import"))
}

// Parse reads a record. The problems are complete; the server is nil if there are any.
func Parse(data []byte) (*Server, Problems) {
	s := &Server{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(s)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = io.ErrUnexpectedEOF
		}
	}
	if err != nil {
		return nil, Problems{{"", fault.T("not a record of a server: %s", err)}}
	}
	if wrong := s.Check(); len(wrong) > 0 {
		return nil, wrong
	}
	return s, nil
}

// Check returns what is wrong with a record.
func (s *Server) Check() (wrong Problems) {
	report := func(pointer string, what fault.Text) { wrong = append(wrong, Problem{pointer, what}) }
	if !IsName(s.Name) {
		report("/name", fault.T("%q: want a lower-case letter, then lower-case letters, digits and _, at most %d characters", s.Name, maxPrefix))
	}
	switch {
	case (len(s.Command) > 0) == (s.URL != ""):
		report("", fault.T("want either a command or a url"))
	case s.URL != "":
		if why := CheckURL(s.URL); !why.IsZero() {
			report("/url", why)
		}
	}
	for i, word := range s.Command {
		if strings.ContainsRune(word, 0) || i == 0 && word == "" {
			report("/command/"+strconv.Itoa(i), fault.T("is no word of a command"))
		}
	}
	for i, name := range s.Pass {
		if !isVariable(name) {
			report("/pass_env/"+strconv.Itoa(i), fault.T("%q is not a name of a variable", name))
		}
	}
	for i, header := range s.Headers {
		if _, _, ok := SplitHeader(header); !ok {
			report("/headers/"+strconv.Itoa(i), fault.T(`want "Name: VARIABLE", with the variable that holds the value`))
		}
	}
	if len(s.ClientID) > maxClient || strings.ContainsFunc(s.ClientID, func(c rune) bool { return c <= ' ' || c > '~' }) || s.ClientID != "" && s.URL == "" {
		report("/client_id", fault.T("want visible ASCII, for a server at a url"))
	}
	if s.ClientSecret != "" && (!isVariable(s.ClientSecret) || s.ClientID == "") {
		report("/client_secret_env", fault.T("want the name of a variable, beside a client_id"))
	}
	if s.Trust != Ask && s.Trust != Hints {
		report("/trust", fault.T("want ask or hints, got %q", string(s.Trust)))
	}
	if len(s.Tools) > MaxTools {
		report("/tools", fault.T("%d tools; the limit is %d", len(s.Tools), MaxTools))
		return wrong
	}
	s.checkTools(report)
	return wrong
}

func (s *Server) checkTools(report func(pointer string, what fault.Text)) {
	names, called := map[string]bool{}, map[string]bool{}
	for i := range s.Tools {
		t := &s.Tools[i]
		at := "/tools/" + strconv.Itoa(i)
		if why := t.check(); !why.IsZero() {
			report(at, why)
		}
		if names[t.Name] {
			report(at+"/name", fault.T("two tools have the name %q", t.Name))
		}
		if called[t.As] || !isCalled(t.As) {
			report(at+"/as", fault.T("%q is not a name for a tool, or that of another", t.As))
		}
		names[t.Name], called[t.As] = true, true
	}
}

// check returns why a tool cannot be taken in; it is empty for one that can.
func (t *Tool) check() fault.Text {
	switch {
	case t.Name == "" || len(t.Name) > maxName || schema.Printable(t.Name, maxName) != t.Name:
		return fault.T("%q is no name of a tool", t.Name)
	case len(t.Input) > maxSchema || len(t.Output) > maxSchema:
		return fault.T("the schema of %s is too large", t.Name)
	}
	return fault.Text{}
}

// Accept takes over what a server offers: the tools that can be used, with texts of
// bounded length and nothing in them that cannot be seen. The problems name the others, and
// those of which models are not shown all arguments.
func Accept(offered []Tool) (tools []Tool, problems Problems) {
	names := map[string]bool{}
	for i, t := range offered {
		at := "/tools/" + strconv.Itoa(i)
		t.As, t.Changed = "", false
		t.Title, t.Description = schema.Printable(t.Title, maxTitle), schema.Printable(t.Description, maxDoc)
		if len(t.Input) == 0 {
			t.Input = json.RawMessage(`{"type":"object"}`)
		}
		why := t.check()
		o, err := schema.Portable(t.Input)
		if err != nil && why.IsZero() {
			why = fault.T("the schema of %s: %s", t.Name, fault.As(err).Message)
		}
		switch {
		case names[t.Name]:
			why = fault.T("two tools have the name %q", t.Name)
		case why.IsZero() && len(tools) == MaxTools:
			why = fault.T("%d tools; the limit is %d", len(offered), MaxTools)
		}
		if !why.IsZero() {
			problems = append(problems, Problem{at, why})
			continue
		}
		if o.Shortened {
			problems = append(problems, Problem{at, fault.T("%s takes more arguments than a definition may show: models do not see all of them, though each is passed on", t.Name)})
		}
		names[t.Name] = true
		tools = append(tools, t)
	}
	return tools, problems
}

// maxPrefix limits the length of a server's name, so that names of tools fit.
const maxPrefix = 32

// IsName reports whether a server can have a name.
func IsName(name string) bool { return len(name) <= maxPrefix && isCalled(name) }

// isCalled reports whether a tool can have a name that every provider takes.
func isCalled(name string) bool {
	for i, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return name != "" && len(name) <= maxCalled
}

// CheckURL returns why a server cannot be reached at an address.
func CheckURL(address string) fault.Text {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return fault.T("want an address with http or https, without a user")
	}
	return fault.Text{}
}

// Host returns the host that the server is reached at; "" for a command.
func (s *Server) Host() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// SplitHeader takes a header of a record apart.
func SplitHeader(header string) (name, variable string, ok bool) {
	name, variable, ok = strings.Cut(header, ":")
	variable = strings.TrimSpace(variable)
	token := name != "" && !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", c)
	})
	return name, variable, ok && token && isVariable(variable)
}

// isVariable reports whether a text can be the name of a variable, and is surely no
// secret that somebody gave in its place.
func isVariable(name string) bool {
	for i, c := range []byte(name) {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= maxName
}

// Tool returns the tool that helve has a name for.
func (s *Server) Tool(as string) *Tool {
	i := slices.IndexFunc(s.Tools, func(t Tool) bool { return t.As == as })
	if i < 0 {
		return nil
	}
	return &s.Tools[i]
}
