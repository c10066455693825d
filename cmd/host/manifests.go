package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/custom"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Catalog returns the tools that the settings leave and add. Manifests are read
// when a name is not that of another tool, or when all tools are wanted.
func (s *Settings) Catalog() *tools.Catalog {
	return tools.New(catalogOptions(&s.Config, s.commands, func() []tools.Custom {
		var all []tools.Custom
		for _, f := range s.Manifests() {
			c := tools.Custom{Name: f.Name}
			switch {
			case f.Usable():
				c.Tool, c.Requires = custom.New(f.Tool, os.Environ()), f.Tool.Requires
			case !f.Trusted && f.SHA != "":
				c.Why = fault.T("the workspace defines it and no person trusts it (helve config trust)")
			default:
				c.Why = fault.T("its manifest cannot be used (helve tools validate)")
			}
			all = append(all, c)
		}
		return append(all, s.servers()...)
	}))
}

// commands returns the names of commands, which no tool can take.
func (s *Settings) commands() []string {
	names := []string{"help", "completion"}
	if commands := s.host.Commands; commands != nil { // helve NAME would run the command
		names = append(names, commands()...)
	}
	return names
}

func catalogOptions(c *config.Config, commands func() []string, custom func() []tools.Custom) tools.Options {
	o := tools.Options{Commands: commands, Disabled: c.Tools.Disabled, Custom: custom, Offers: offers, On: c.Switches.On(), Project: c.Project, Served: c.MCP.Toolsets,
		Shell: func(lang fault.Lang) string { return shellOf(&c.Exec, lang) }}
	names, _ := c.Tools.Published()
	for _, n := range names {
		o.Names = append(o.Names, tools.Name{Of: n.Tool, As: tool.Publication{Name: n.Name, Doc: n.Doc, DocZH: n.DocZH, Arguments: n.Arguments}})
	}
	for _, set := range c.Tools.Sets {
		o.Sets = append(o.Sets, tools.Set(set))
	}
	for _, b := range c.Tools.Bound {
		o.Presets = append(o.Presets, tools.Preset{Name: b.Name, Of: b.Uses, Doc: b.Description, Fixed: b.Bindings(), Requires: b.Requires})
	}
	return o
}

// ToolWarnings returns what is wrong with tools.names and tools.bound, for the tools that
// there are.
func (s *Settings) ToolWarnings(c *tools.Catalog) []fault.Text {
	_, wrong := s.Config.Tools.Published()
	return append(wrong, c.Warnings()...)
}

// Manifests reads the manifests of custom tools: the workspace's own, the
// person's, and those in the directories that the settings name. Anybody who
// writes to the repository may have written a manifest in the workspace, so it
// counts only if a person trusts exactly these bytes.
func (s *Settings) Manifests() []manifest.Found {
	var dirs []manifest.Dir
	root, err := s.home.Root()
	if err == nil {
		dirs = append(dirs, manifest.Dir{Path: filepath.Join(root.Dir(), ".helve", "tools"), Trusted: s.host.trusted(s.home.State)})
	}
	for _, dir := range append([]string{s.host.Dirs.UserTools()}, s.Config.Tools.Manifests...) {
		d := manifest.Dir{Path: dir}
		if err == nil && inside(dir, root.Dir()) {
			d.Trusted = s.host.trusted(s.home.State)
		}
		dirs = append(dirs, d)
	}
	for i := range dirs {
		dirs[i].Reads = s.host.seen.note
	}
	return manifest.Find(dirs, s.ManifestOptions())
}

// ManifestOptions returns the names that a manifest cannot take and the switches
// that it can require.
func (s *Settings) ManifestOptions() manifest.Options {
	o := manifest.Options{Switches: config.SwitchNames(), Builtin: s.commands()}
	for _, t := range tools.Builtin() {
		o.Builtin = append(append(o.Builtin, t.Name), t.PresetNames()...)
	}
	for _, b := range s.Config.Tools.Bound {
		o.Taken = append(o.Taken, b.Name)
	}
	return o
}

// Register makes a manifest's program a tool in every workspace: it copies the
// manifest to the person's own. file is the name that problems are reported with.
func (s *Settings) Register(file string, data []byte) (name, stored string, err error) {
	o := s.ManifestOptions()
	for _, f := range s.Manifests() {
		if f.Tool != nil && f.Trusted {
			o.Taken = append(o.Taken, f.Name)
		}
	}
	t, problems := manifest.Parse(file, data, o)
	if err := problems.Err(); err != nil {
		return "", "", err
	}
	stored, err = manifest.Store(s.host.Dirs.UserTools(), t, data)
	return t.Name, stored, err
}

// Unregister removes a manifest of the person's own and returns its file.
func (d Dirs) Unregister(name string) (file string, err error) {
	all := manifest.Find([]manifest.Dir{{Path: d.UserTools()}}, manifest.Options{Switches: config.SwitchNames()})
	i := slices.IndexFunc(all, func(f manifest.Found) bool { return f.Name == name })
	if i < 0 {
		return "", fault.New(fault.NotFound, fault.T("no tool %q is registered", name)).
			WithHint(fault.T("helve tools list says where each tool comes from; helve tools disable turns off any of them"))
	}
	return all[i].File, manifest.Remove(all[i].File)
}

// inside reports whether a directory is below another one, links resolved. One
// that cannot be compared counts as inside, as that needs trust.
func inside(dir, top string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	sameVolume := filepath.IsAbs(dir) && strings.EqualFold(filepath.VolumeName(dir), filepath.VolumeName(top))
	return !sameVolume || workspace.WithinOS(dir, top)
}
