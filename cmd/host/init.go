package host

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// Question is a choice that a person makes before a configuration file is written.
type Question struct {
	Key   string
	about fault.Text // empty: it is not asked, a flag alone gives it
	// answers are those that there are; nil: the values of the setting.
	answers []answer
}

// answer is one answer, with what follows from it.
type answer struct {
	word, value string // of the person, of the setting
	means       fault.Text
}

// Asked reports whether a terminal asks the question.
func (q Question) Asked() bool { return q.answers != nil && q.about.String() != "" }

// Values returns the answers that there are.
func (q Question) Values() []string {
	if q.answers == nil {
		return config.Values(q.Key)
	}
	words := make([]string, len(q.answers))
	for i, a := range q.answers {
		words[i] = a.word
	}
	return words
}

// Value returns the value of the setting that a person's word stands for.
func (q Question) Value(word string) string {
	for _, a := range q.answers {
		if a.word == word {
			return a.value
		}
	}
	return word
}

// word returns the person's word for a value of the setting.
func (q Question) word(value string) string {
	for _, a := range q.answers {
		if a.value == value {
			return a.word
		}
	}
	return value
}

// Questions returns the questions about the settings that matter most: those that a person
// is asked first.
func Questions() []Question {
	return []Question{
		{"policy.undoable", fault.T("who confirms that a call deletes what undo can restore? what undo cannot restore waits for you in any case."), []answer{
			{"ask", "ask", fault.T("you do, each time; agents wait for it")},
			{"allow", "allow", fault.T("nobody; if it was wrong, helve undo brings it back")},
		}},
		{"exec.network", fault.T("what may commands of an agent reach without a question?"), []answer{
			{"auto", "auto", fault.T("their own servers on this machine, where they can be kept apart, else nothing; take this if in doubt")},
			{"none", "none", fault.T("nothing; programs that talk to a server of their own fail")},
			{"local", "local", fault.T("servers on this machine")},
			{"full", "full", fault.T("everything; a command may send your files away and nobody is asked")},
		}},
		{"switches.memory", fault.T("may agents remember from one session to the next?"), []answer{
			{"on", "true", fault.T("yes; later sessions also believe what was noted wrongly, until helve memory off")},
			{"off", "false", fault.T("no; each session begins with nothing, and you repeat yourself")},
		}},
		{Key: "exec.sandbox"},
		{Key: "files.require_read"},
		{Key: "web.browser", answers: []answer{{word: "none"}, {word: "auto", value: "auto"}}},
	}
}

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
	for _, q := range Questions() {
		for i, c := range choices {
			if c.Key == q.Key {
				choices[i].Text = q.Value(c.Text)
			}
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
	now = q.word(strings.Trim(string(e.Value), `"`))
	for _, value := range q.Values() {
		if _, err := n.text([]config.Choice{{Key: q.Key, Text: value}}); err == nil {
			values = append(values, value)
		}
	}
	return values, now, nil
}
