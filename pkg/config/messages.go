package config

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// Stdout is the kind of the sink that writes to standard output. There is one of that
// name without a setting.
const Stdout = "stdout"

// Messages is the settings of messages.
type Messages struct {
	Sinks []Sink `json:"sinks,omitzero" doc:"Where helve messages deliver delivers messages to."`
}

// Sink is the configuration of a receiver of messages.
type Sink struct {
	Name       string   `json:"name" min:"1" max:"40" doc:"Name of the sink: letters, digits, -, _ and dots."`
	Kind       string   `json:"kind" enum:"stdout,file,command,webhook" doc:"What the sink is. stdout: a line of JSON on standard output. file: a line of JSON at the end of a file. command: a program that gets the JSON on standard input. webhook: an address that the JSON is posted to, signed as Standard Webhooks says."`
	Channel    string   `json:"channel,omitzero" doc:"Channel whose messages it gets; by default all but system."`
	To         string   `json:"to,omitzero" doc:"Conversation whose messages it gets; by default all."`
	Path       string   `json:"path,omitzero" doc:"File, for file. It may be relative as the path of a project is."`
	Argv       []string `json:"argv,omitzero" doc:"Program and its arguments, for command; there is no shell and no sandbox. Exit status 0 says that the message is delivered, and 75 that it cannot be now."`
	URL        string   `json:"url,omitzero" doc:"Address, for webhook; only its host is shown. Private addresses are reached as web.allow_private and web.allow_addresses say."`
	SecretEnv  string   `json:"secret_env,omitzero" doc:"Name of the environment variable with the key that webhooks are signed with, such as whsec_ and base64; several keys, with spaces between, all sign."`
	SecretFile string   `json:"secret_file,omitzero" doc:"File with that key instead, which may be relative as path."`
	Timeout    int      `json:"timeout,omitzero" default:"30" min:"1" max:"600" doc:"Seconds that a delivery may take."`
	AtOnce     bool     `json:"at_once,omitzero" default:"false" doc:"Deliver a message when it is sent, besides helve messages deliver."`
}

// checkMessages reports what is wrong with the settings of messages.
func checkMessages(m *Messages, report func(pointer string, what fault.Text)) {
	for i := range m.Sinks {
		s := &m.Sinks[i]
		at := "/messages/sinks/" + strconv.Itoa(i)
		if !isID(s.Name) || s.Name == Stdout && s.Kind != Stdout {
			report(at+"/name", fault.T("%q: want letters, digits, -, _ and dots, a letter or digit first; stdout is one of that kind", s.Name))
		}
		if slices.ContainsFunc(m.Sinks[:i], func(other Sink) bool { return other.Name == s.Name }) {
			report(at+"/name", fault.T("another sink has the name %q", s.Name))
		}
		if s.Channel != "" && !isID(s.Channel) {
			report(at+"/channel", fault.T("%q is not a name of a channel", s.Channel))
		}
		s.check(func(name string, what fault.Text) { report(at+"/"+name, what) })
	}
}

// check reports what a sink of its kind lacks, and what it must not have.
func (s *Sink) check(report func(name string, what fault.Text)) {
	for _, f := range [...]struct {
		name, kind  string
		given, must bool
	}{
		{"path", "file", s.Path != "", true},
		{"argv", "command", len(s.Argv) > 0, true},
		{"url", "webhook", s.URL != "", true},
		{"secret_env", "webhook", s.SecretEnv != "", false},
		{"secret_file", "webhook", s.SecretFile != "", false},
	} {
		switch {
		case f.given && f.kind != s.Kind:
			report(f.name, fault.T("is for sinks of the kind %s", f.kind))
		case !f.given && f.must && f.kind == s.Kind:
			report(f.name, fault.T("is missing, which a sink of the kind %s needs", f.kind))
		}
	}
	if s.AtOnce && s.Kind == Stdout {
		report("at_once", fault.T("standard output has the result of the call that sends; only helve messages deliver writes messages there"))
	}
	if s.SecretEnv != "" && s.SecretFile != "" {
		report("secret_file", fault.T("leave out secret_env or this"))
	}
	if s.URL != "" {
		if u, err := url.Parse(s.URL); err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
			report("url", fault.T("want an address with http or https, without a user"))
		}
	}
	for _, f := range [...]struct{ name, text string }{{"path", s.Path}, {"secret_file", s.SecretFile}, {"secret_env", s.SecretEnv}, {"to", s.To}, {"argv", strings.Join(s.Argv, "")}} {
		if strings.ContainsRune(f.text, 0) {
			report(f.name, fault.T("must not contain a NUL"))
		}
	}
	if len(s.Argv) > 0 && s.Argv[0] == "" {
		report("argv", fault.T("begins with an empty name"))
	}
}

// absoluteSinks makes the paths of sinks absolute with fix: also that of a program.
func absoluteSinks(messages *jsonc.Node, fix func(*jsonc.Node) *jsonc.Node) *jsonc.Node {
	return replace(messages, "sinks", func(sinks *jsonc.Node) *jsonc.Node {
		return each(sinks, func(_ int, s *jsonc.Node) *jsonc.Node {
			s = replace(replace(s, "path", fix), "secret_file", fix)
			return replace(s, "argv", func(argv *jsonc.Node) *jsonc.Node { return absoluteProgram(argv, fix) })
		})
	})
}

// shownSink returns a sink without what may be a secret in its address: many are known
// to nobody but their owner.
func shownSink(s *jsonc.Node) *jsonc.Node {
	return replace(s, "url", func(address *jsonc.Node) *jsonc.Node {
		masked := *address
		masked.Text = hidden
		if u, err := url.Parse(address.Text); err == nil && u.Host != "" {
			masked.Text = u.Scheme + "://" + u.Host + "/" + hidden
		}
		return &masked
	})
}
