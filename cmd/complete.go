package cmd

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/cmd/history"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/search/filetype"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// completer offers what a shell completes: ids, names and settings that there are now. It
// offers nothing where it cannot look, and reports no error: nobody would read it.
type completer struct{ host *host.Host }

// completionIDs limits the number of ids that a completion offers.
const completionIDs = 50

// addCompletions adds completions to all commands.
func addCompletions(root *cobra.Command, h *host.Host) {
	k := completer{h}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.ValidArgsFunction = k.argument
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { k.flag(c, f) })
		for _, sub := range c.Commands() {
			if sub.Name() != "completion" {
				walk(sub)
			}
		}
	}
	walk(root)
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { k.flag(root, f) })
}

// argument offers an argument of a command.
func (k completer) argument(c *cobra.Command, given []string, typed string) (line.Offered, cobra.ShellCompDirective) {
	if t := line.Builtin(c.Annotations[line.ToolKey]); t != nil {
		names := line.Positionals(t)
		if len(given) >= len(names) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		f, _ := t.Schema().Field(names[len(given)])
		if names[len(given)] == t.Input && t.Input != t.DefaultArg {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return k.value(t.Name, f, typed)
	}
	var list func() line.Offered
	switch path := c.CommandPath(); {
	case path == "helve history", path == "helve tools register", path == "helve tools validate", path == "helve config validate":
		return nil, cobra.ShellCompDirectiveDefault
	case path == "helve config set" && len(given) == 1:
		list = func() line.Offered { return config.Values(given[0]) }
	case path == "helve spawn wait":
		list = func() line.Offered { return k.agents(given, false) }
	case path == "helve spawn cancel":
		list = func() line.Offered { return k.agents(given, true) }
	case path == "helve help":
		list = func() line.Offered { return subcommands(c.Root(), given) }
	case len(given) > 0:
	case path == "helve approve", path == "helve deny":
		list = func() line.Offered { return k.approvals(true) }
	case path == "helve approvals show":
		list = func() line.Offered { return k.approvals(false) }
	case path == "helve config get", path == "helve config set":
		list = config.Keys
	case path == "helve tools enable", path == "helve tools disable", path == "helve policy explain":
		list = k.tools
	case path == "helve tools show", path == "helve tools unregister":
		list = func() line.Offered { return append(k.tools(), k.servers()...) }
	case path == "helve tools refresh", path == "helve tools test", path == "helve tools login":
		list = k.servers
	case path == "helve spawn status", path == "helve spawn logs", path == "helve spawn result":
		list = func() line.Offered { return k.agents(nil, false) }
	case path == "helve restore":
		list = k.checkpoints
	}
	return line.Soon(list, typed)
}

// flag adds what completes the value of a flag, unless it is registered.
func (k completer) flag(c *cobra.Command, f *pflag.Flag) {
	if f.Hidden || line.ValueOf(f) == "" {
		return
	}
	if a, ok := f.Value.(*line.Argument); ok {
		tool := c.Annotations[line.ToolKey]
		k.register(c, f, func(_ *cobra.Command, _ []string, typed string) (line.Offered, cobra.ShellCompDirective) {
			return k.value(tool, a.Field, typed)
		})
		return
	}
	var list func() line.Offered
	switch f.Name {
	case "output-format":
		list = formats
	case "lang":
		list = func() line.Offered { return line.Offered{"en", "zh"} }
	case "project":
		list = k.projects
	case "session":
		list = k.sessions
	case "approval":
		list = func() line.Offered { return k.approvals(false) }
	case "drop":
		list = k.checkpoints
	case "tools", "tool":
		list = k.tools
	case "dialect":
		list = dialect.Names
	case "content":
		list = func() line.Offered { return line.Offered{"text", "json"} }
	case "set":
		list = config.Keys
	case "sandbox", "network", "undoable", "require-read", "browser":
		list = func() line.Offered { return answers(f.Name) }
	case "root", "dir":
		k.register(c, f, func(*cobra.Command, []string, string) (line.Offered, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
		return
	case "config", "report":
		return // a file
	}
	if strings.HasSuffix(f.Name, "-file") {
		return
	}
	k.register(c, f, func(_ *cobra.Command, _ []string, typed string) (line.Offered, cobra.ShellCompDirective) {
		return line.Soon(list, typed)
	})
}

// register sets what completes a flag. Where another already does, that stays.
func (completer) register(c *cobra.Command, f *pflag.Flag, by cobra.CompletionFunc) {
	_ = c.RegisterFlagCompletionFunc(f.Name, by)
}

// value offers a value of a tool's argument.
func (k completer) value(tool string, f *schema.Field, typed string) (line.Offered, cobra.ShellCompDirective) {
	var list func() line.Offered
	switch {
	case f.Path != schema.NoPath:
		return nil, cobra.ShellCompDirectiveDefault
	case len(f.Type.Enum) > 0:
		list = func() line.Offered { return f.Type.Enum }
	case tool == "grep" && f.Name == "type":
		list = filetype.Names
	case tool == "undo" && f.Name == "id":
		list = k.changes
	case tool == "job" && f.Name == "id":
		list = k.jobs
	}
	return line.Soon(list, typed)
}

func (k completer) tools() line.Offered {
	c, err := k.host.Catalog()
	if err != nil {
		return nil
	}
	var names line.Offered
	for _, t := range c.All() {
		names = append(names, cobra.CompletionWithDesc(t.Name, t.Summary(k.host.Lang)))
	}
	for name := range c.Absent() {
		if line.Canonical(name) == name {
			names = append(names, name)
		}
	}
	return names
}

// servers offers the names of imported servers.
func (k completer) servers() (names line.Offered) {
	for _, f := range k.host.Records().List() {
		names = append(names, f.Name)
	}
	return names
}

func (k completer) approvals(pending bool) line.Offered {
	store, err := k.host.Approvals()
	if err != nil {
		return nil
	}
	all, err := store.List()
	if err != nil {
		return nil
	}
	var ids line.Offered
	for _, r := range slices.Backward(all) {
		if !pending || r.State == approval.Pending {
			ids = append(ids, cobra.CompletionWithDesc(r.ID, r.Tool+" "+string(r.State)))
		}
	}
	return ids[:min(len(ids), completionIDs)]
}

// changes offers the ids of the history, the last first.
func (k completer) changes() line.Offered {
	j, err := k.host.Workspace().Journal()
	if err != nil {
		return nil
	}
	listed, err := j.History("", completionIDs)
	if err != nil {
		return nil
	}
	var ids line.Offered
	for _, e := range listed {
		what := e.Tool
		if len(e.Files) > 0 {
			what += " " + e.Files[0].Path
		}
		ids = append(ids, cobra.CompletionWithDesc(e.ID, what))
	}
	return ids
}

func (k completer) sessions() line.Offered {
	names := line.Offered{"default"}
	if j, err := k.host.Workspace().Journal(); err == nil {
		if listed, err := j.History("", completionIDs); err == nil {
			for _, e := range listed {
				if !slices.Contains(names, e.Session) {
					names = append(names, e.Session)
				}
			}
		}
	}
	return names
}

func (k completer) jobs() line.Offered {
	dir, err := k.host.Workspace().State()
	if err != nil {
		return nil
	}
	all, err := job.NewStore(dir).List()
	if err != nil {
		return nil
	}
	var ids line.Offered
	for _, r := range all {
		ids = append(ids, cobra.CompletionWithDesc(r.ID, string(r.State)))
	}
	return ids
}

// agents offers the ids of sub-agents that are not given yet, or only those that have not
// ended.
func (k completer) agents(given []string, unended bool) line.Offered {
	jobs, err := k.host.Agents()
	if err != nil {
		return nil
	}
	all, err := jobs.List(context.Background())
	if err != nil {
		return nil
	}
	var ids line.Offered
	for _, j := range all {
		if !slices.Contains(given, j.ID) && !(unended && j.Status.Final()) {
			ids = append(ids, cobra.CompletionWithDesc(j.ID, string(j.Status)+" "+overview.FirstLine(j.Task)))
		}
	}
	return ids[:min(len(ids), completionIDs)]
}

func (k completer) checkpoints() line.Offered {
	w, err := history.Tracked(k.host.Workspace())
	if err != nil {
		return nil
	}
	all, err := w.Checkpoints()
	if err != nil {
		return nil
	}
	var names line.Offered
	for _, c := range all {
		names = append(names, c.Name)
	}
	return names
}

func (k completer) projects() line.Offered {
	s, err := k.host.Settings()
	if err != nil {
		return nil
	}
	var ids line.Offered
	for _, p := range s.Config.Projects {
		ids = append(ids, cobra.CompletionWithDesc(p.ID, p.Path))
	}
	return ids
}

// answers offers what a flag of init takes.
func answers(flag string) line.Offered {
	for _, q := range host.Questions() {
		if flagOf(q) == flag {
			return q.Values()
		}
	}
	return nil
}

// subcommands offers the commands below the one that the words name.
func subcommands(root *cobra.Command, words []string) line.Offered {
	c, rest, err := root.Find(words)
	if err != nil || len(rest) > 0 {
		return nil
	}
	var names line.Offered
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return names
}
