package host

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

// Question is a choice that a person makes before a configuration file is written.
type Question struct {
	Key    string
	About  fault.Text
	values []string // nil: those of the setting
}

// Values returns the answers that there are.
func (q Question) Values() []string {
	if q.values != nil {
		return q.values
	}
	return config.Values(q.Key)
}

// Questions returns the questions about the settings that matter most.
func Questions() []Question {
	return []Question{
		{Key: "exec.sandbox", About: fault.T("what confines commands? auto takes the strongest that this machine has; require runs nothing without one.")},
		{Key: "exec.network", About: fault.T("what may commands reach without a question? local is a loopback of their own; full is everything.")},
		{Key: "policy.undoable", About: fault.T("a call deletes what undo can restore: ask first, or allow it?")},
		{Key: "files.require_read", About: fault.T("a call overwrites a file that was not read in its session: off does nothing, warn says so, on refuses.")},
		{Key: "web.browser", About: fault.T("may an installed Chromium run the scripts of pages, confined? auto is yes, none is no."), values: []string{none, "auto"}},
	}
}

// none is the answer that stands for an empty text.
const none = "none"

// Written is the result of [Host.Init].
type Written struct {
	File    string         `json:"file"`
	Schema  string         `json:"schema"`
	Entries []config.Entry `json:"entries"` // of the settings that were chosen
}

// NewFile is a configuration file that is not there yet.
type NewFile struct {
	host    *Host
	file    config.File
	sources config.Options
}

// NewFile returns the person's own file, or that of the workspace. The error is
// already_exists if there is one.
func (h *Host) NewFile(workspace bool) (*NewFile, error) {
	n := &NewFile{host: h, file: config.File{Source: config.User, Path: h.Dirs.UserConfig}, sources: h.Sources()}
	if workspace {
		root, err := h.Workspace().Root()
		if err != nil {
			return nil, err
		}
		n.file = config.File{Source: config.Workspace, Path: filepath.Join(root.Dir(), ".helve", "config.json"), Root: root.Dir()}
	}
	for _, f := range Look(config.Options{Files: []config.File{n.file}}) {
		if f.Exists {
			return nil, n.there()
		}
	}
	return n, nil
}

// there is the fault where there is a file already.
func (n *NewFile) there() error {
	hint := fault.T("helve config set KEY VALUE changes a setting in it; to begin anew, move it away first")
	if n.file.Source == config.Workspace {
		hint = fault.T("edit it, and check it with helve config validate; to begin anew, move it away first")
	}
	return fault.New(fault.AlreadyExists, fault.T("there is already a configuration: %s", n.file.Path)).WithHint(hint)
}

// text returns the text of the file. What would widen is refused for a workspace.
func (n *NewFile) text(choices []config.Choice) ([]byte, error) {
	choices = slices.Clone(choices)
	for i, c := range choices {
		if c.Key == "web.browser" && c.Text == none {
			choices[i].Text = ""
		}
	}
	text, err := config.Template(n.file.Source, n.host.Lang, choices)
	if err != nil || n.file.Source != config.Workspace {
		return text, err
	}
	wide, err := config.Widens(n.sources, n.file, text)
	if err != nil {
		return nil, err
	}
	if len(wide) > 0 {
		return nil, fault.New(fault.InvalidArguments, fault.T("a workspace's own file only narrows, and this would widen: %s", strings.Join(wide, ", "))).
			WithHint(fault.T("leave it out, or set it for yourself: helve config set KEY VALUE"))
	}
	return text, nil
}

// Write writes the file and its schema. The warnings say what keeps the choices from
// holding.
func (n *NewFile) Write(choices []config.Choice) (w *Written, warnings []fault.Text, err error) {
	text, err := n.text(choices)
	if err != nil {
		return nil, nil, err
	}
	w = &Written{File: n.file.Path, Entries: []config.Entry{}}
	if w.Schema, err = config.WriteSchema(n.file); err != nil {
		return nil, nil, err
	}
	if err := config.Create(n.file, text); err != nil {
		if fault.Is(err, fault.AlreadyExists) {
			return nil, nil, n.there()
		}
		return nil, nil, err
	}
	s, err := config.Load(n.host.Sources())
	if err != nil {
		return w, []fault.Text{fault.T("the file was written, but the settings still have faults: %s", fault.As(err).Message)}, nil
	}
	warnings = s.Warnings
	for _, c := range choices {
		entries := s.All(c.Key)
		w.Entries = append(w.Entries, entries...)
		if len(entries) == 1 && entries[0].Origin.File != n.file.Path {
			warnings = append(warnings, fault.T("the setting was written, but %s overrides %s", entries[0].Origin.String(), c.Key))
		}
	}
	return w, warnings, nil
}

// Offers returns the values of a question that can be written, and the one that holds now.
func (n *NewFile) Offers(q Question) (values []string, now string, err error) {
	s, err := config.Load(n.sources)
	if err != nil {
		return nil, "", err
	}
	e, err := s.Get(q.Key)
	if err != nil {
		return nil, "", err
	}
	if now = strings.Trim(string(e.Value), `"`); now == "" {
		now = none
	}
	for _, value := range q.Values() {
		if _, err := n.text([]config.Choice{{Key: q.Key, Text: value}}); err == nil {
			values = append(values, value)
		}
	}
	return values, now, nil
}

// Asks reports whether there is a terminal to ask the person at.
func (h *Host) Asks() bool { return !h.NoInput && h.Terminal != nil && !underHelve() }

// Ask asks the person at the terminal for values, one question after the other. The end of
// input is canceled.
func (n *NewFile) Ask(questions []Question) ([]config.Choice, error) {
	terminal, err := n.host.Terminal()
	if err != nil {
		return nil, fault.System(err, "terminal")
	}
	defer terminal.Close()
	lines := bufio.NewReader(terminal)
	var choices []config.Choice
	for _, q := range questions {
		values, now, err := n.Offers(q)
		if err != nil {
			return nil, err
		}
		if len(values) < 2 {
			continue // nothing is to be chosen
		}
		value, err := choose(terminal, lines, n.prompt(q, values, now), values, now)
		if err != nil {
			return nil, err
		}
		choices = append(choices, config.Choice{Key: q.Key, Text: value})
	}
	return choices, nil
}

// prompt returns a question as the terminal shows it.
func (n *NewFile) prompt(q Question, values []string, now string) string {
	var b strings.Builder
	b.WriteString("\n" + q.About.In(n.host.Lang) + "\n")
	for i, value := range values {
		fmt.Fprintf(&b, "  %d %s\n", i+1, value)
	}
	b.WriteString(q.Key + " [" + now + "]: ")
	return approval.Visible(b.String())
}

// choose asks until the answer is a value, its number, or nothing, which is what holds now.
func choose(terminal io.Writer, lines *bufio.Reader, prompt string, values []string, now string) (string, error) {
	for {
		if _, err := io.WriteString(terminal, prompt); err != nil {
			return "", fault.System(err, "terminal")
		}
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return "", fault.New(fault.Canceled, fault.T("nothing was written: the questions were not answered")).
				WithHint(fault.T("run helve init again, or give the values as flags"))
		}
		if err != nil {
			return "", fault.System(err, "terminal")
		}
		said := strings.TrimSpace(line)
		if said == "" && slices.Contains(values, now) {
			return now, nil
		}
		if i, err := strconv.Atoi(said); err == nil && i >= 1 && i <= len(values) {
			return values[i-1], nil
		}
		if slices.Contains(values, said) {
			return said, nil
		}
	}
}
