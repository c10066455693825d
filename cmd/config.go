package cmd

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// configCommand is "helve config": the settings, where they come from, and the
// person's own.
func (a *app) configCommand() *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Show, check and change the settings", Args: cobra.NoArgs}
	c.AddCommand(
		&cobra.Command{
			Use: "show", Short: "List every setting with its value and where that comes from", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				s, err := config.Load(a.sources(a.world()))
				if s == nil {
					return err
				}
				return a.report(report{data: entriesOf(s.Entries()), text: settingsText(s.Entries()), warnings: s.Warnings, failure: err})
			},
		},
		&cobra.Command{
			Use: "path", Short: "List the files that settings are looked for in, in rising precedence", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.configPath() },
		},
		&cobra.Command{
			Use: "get KEY", Short: "Print one setting, or all below a key", Args: cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error { return a.configGet(args[0]) },
		},
		&cobra.Command{
			Use: "set KEY VALUE", Short: "Write one setting into the person's own file", Args: cobra.ExactArgs(2),
			Long: "Write one setting into the person's own file. VALUE is plain text for a string, else JSON.",
			RunE: func(_ *cobra.Command, args []string) error {
				if err := a.personal(fault.T("change settings", "修改设置")); err != nil {
					return err
				}
				return a.configSet(args[0], args[1])
			},
		},
		a.validateCommand(),
		a.trustCommand(),
		&cobra.Command{
			Use: "schema", Short: "Print the JSON Schema of a configuration file", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				text, err := config.JSONSchema()
				if err != nil {
					return err
				}
				a.write(text)
				return nil
			},
		},
	)
	c.RunE = needsSubcommand("config", "show, path, get, set, validate, trust, schema")
	return c
}

func entriesOf(entries []config.Entry) schema.Document {
	return schema.Document{{Name: "entries", Value: entries}}
}

func settingsText(entries []config.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Key + " = " + string(e.Value) + "  # " + e.Origin.String() + "\n")
	}
	return b.String()
}

// source is a configuration file as far as it is there.
type source struct {
	Source  config.Source `json:"source"`
	Path    string        `json:"path"`
	Exists  bool          `json:"exists"`
	Trusted bool          `json:"trusted"` // to widen as well as narrow
	sha     string        // of the workspace's own, once it was read and found right
}

// look lists the files that settings are looked for in.
func look(o config.Options) []source {
	var sha string
	trusted := false
	if ask := o.Trusted; ask != nil {
		o.Trusted = func(s string) bool {
			sha, trusted = s, ask(s)
			return trusted
		}
	}
	_, _ = config.Load(o) // what is wrong with the files is not asked here; one that is wrong is not trusted
	found := make([]source, len(o.Files))
	for i, f := range o.Files {
		stat := os.Stat
		found[i] = source{Source: f.Source, Path: f.Path, Trusted: true}
		if f.Source == config.Workspace {
			stat = os.Lstat // a link there is not followed out of the workspace
			found[i].Trusted, found[i].sha = trusted, sha
		}
		_, err := stat(f.Path)
		found[i].Exists = !errors.Is(err, fs.ErrNotExist)
	}
	return found
}

func (a *app) configPath() error {
	files := look(a.sources(a.world()))
	var b strings.Builder
	for _, f := range files {
		b.WriteString(string(f.Source) + "  " + f.Path)
		switch {
		case !f.Exists:
			b.WriteString("  (absent)")
		case !f.Trusted:
			b.WriteString("  (not trusted)")
		}
		b.WriteByte('\n')
	}
	return a.report(report{data: schema.Document{{Name: "files", Value: files}}, text: b.String()})
}

func (a *app) configGet(key string) error {
	s, err := config.Load(a.sources(a.world()))
	if err != nil {
		return err
	}
	found := s.All(key)
	r := report{data: entriesOf(found), text: settingsText(found), warnings: s.Warnings}
	if e, err := s.Get(key); err == nil {
		r.text = plain(e.Value) + "\n"
	} else if len(found) == 0 {
		return err
	}
	return a.report(r)
}

// plain is a value as a shell wants it: a string without its quotes.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func (a *app) configSet(key, value string) error {
	entries, warnings, err := a.change(a.world(), key, value)
	if err != nil {
		return err
	}
	return a.report(report{
		data: schema.Document{{Name: "file", Value: userConfig()}, {Name: "entries", Value: entries}},
		text: settingsText(entries), warnings: warnings,
	})
}

// change writes a setting into the person's own file and gives what then holds,
// with a warning where something else still decides.
func (a *app) change(env *tool.Env, key, value string) ([]config.Entry, []fault.Text, error) {
	if err := config.Set(userConfig(), key, value); err != nil {
		e := fault.As(err)
		if e.Hint.IsZero() {
			e = e.WithHint(fault.T("helve config show lists the settings, helve config schema describes them", "helve config show 列出设置项，helve config schema 给出其说明"))
		}
		return nil, nil, e
	}
	s, err := config.Load(a.sources(env))
	if err != nil {
		return []config.Entry{}, []fault.Text{fault.T("it was written, but nothing can be used yet: %s", "已写入，但目前仍无法使用：%s", fault.As(err).Message)}, nil
	}
	warnings := s.Warnings
	if e, err := s.Get(key); err == nil && e.Origin.File != userConfig() && e.Origin.Source != config.Default {
		warnings = append(warnings, fault.T("it was written, but %s still decides about %s", "已写入，但 %[2]s 仍由 %[1]s 决定", e.Origin.String(), key))
	}
	return s.All(key), warnings, nil
}
