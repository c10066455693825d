package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/custom"
)

// manifests reads the custom tools: the workspace's own, the person's, and those
// in the directories that the settings name. Of what lies in the workspace,
// which whoever writes the repository writes, only the very bytes count that a
// person trusts.
func (a *app) manifests(home *tool.Env, s *settings) []manifest.Found {
	var dirs []manifest.Dir
	root, err := home.Root()
	if err == nil {
		dirs = append(dirs, manifest.Dir{Path: filepath.Join(root.Dir(), ".helve", "tools"), Trusted: trusted(home.State)})
	}
	for _, dir := range append([]string{userTools()}, s.Config.Tools.Manifests...) {
		d := manifest.Dir{Path: dir}
		if err == nil && inside(root.Dir(), dir) {
			d.Trusted = trusted(home.State)
		}
		dirs = append(dirs, d)
	}
	return manifest.Find(dirs, s.names())
}

// inside reports whether a directory is, or leads, below another.
func inside(top, dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(top, dir)
	return err != nil || filepath.IsLocal(rel)
}

// names are those that a manifest cannot take, and the switches it can require.
func (s *settings) names() manifest.Options {
	o := manifest.Options{Switches: config.SwitchNames(), Builtin: []string{"help", "completion"}}
	for _, t := range tools.Builtin() {
		o.Builtin = append(append(o.Builtin, t.Name), otherNames(t)...)
	}
	for _, c := range newApp(nil, nil, nil).hostCommands() { // helve NAME would be another thing
		o.Builtin = append(o.Builtin, c.Name())
	}
	for _, b := range s.Config.Tools.Bound {
		o.Taken = append(o.Taken, b.Name)
	}
	return o
}

// custom reads the custom tools when they are wanted.
func (a *app) custom(home *tool.Env, s *settings) func() []tools.Custom {
	return func() []tools.Custom {
		var all []tools.Custom
		for _, f := range a.manifests(home, s) {
			c := tools.Custom{Name: f.Name}
			switch {
			case f.Usable():
				c.Tool, c.Requires = custom.New(f.Tool, os.Environ()), f.Tool.Requires
			case !f.Trusted && f.SHA != "":
				c.Why = fault.T("the workspace brings it along and no person trusts it (helve config trust)", "它由工作区自带，尚未得到用户信任（helve config trust）")
			default:
				c.Why = fault.T("its manifest cannot be used (helve tools validate)", "其清单无法使用（helve tools validate）")
			}
			all = append(all, c)
		}
		return all
	}
}

// untrusted tells of the tools that the workspace brings along and nobody
// trusts; it is empty when there is none.
func untrusted(found []manifest.Found) fault.Text {
	var names []string
	for _, f := range found {
		if f.SHA != "" && !f.Trusted {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return fault.Text{}
	}
	return fault.T("the workspace's own tools are ignored: %s; a person who trusts them runs helve config trust",
		"工作区自带的工具已被忽略：%s；信任它们的用户可运行 helve config trust", strings.Join(names, ", "))
}

// registerCommand is "helve tools register".
func (a *app) registerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "register FILE", Short: "Make a manifest's program a tool, in every workspace", Args: cobra.ExactArgs(1),
		Long: "Copy a manifest to the person's own, so that its program is a tool in every workspace. What it says is taken as it is now: later changes of FILE change nothing.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.personal(fault.T("register tools", "注册工具")); err != nil {
				return err
			}
			s, err := a.load(a.world())
			if err != nil {
				return err
			}
			data, err := a.manifestFile(args[0])
			if err != nil {
				return err
			}
			o := s.names()
			for _, f := range a.manifests(a.world(), s) {
				if f.Tool != nil && f.Trusted {
					o.Taken = append(o.Taken, f.Name)
				}
			}
			t, problems := manifest.Parse(args[0], data, o)
			if err := problems.Err(); err != nil {
				return err
			}
			file, err := manifest.Store(userTools(), t, data)
			if err != nil {
				return err
			}
			return a.registered(t.Name, file, true)
		},
	}
}

// unregisterCommand is "helve tools unregister".
func (a *app) unregisterCommand() *cobra.Command {
	return &cobra.Command{
		Use: "unregister NAME", Short: "Take back what register did", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.personal(fault.T("unregister tools", "注销工具")); err != nil {
				return err
			}
			for _, f := range manifest.Find([]manifest.Dir{{Path: userTools()}}, manifest.Options{Switches: config.SwitchNames()}) {
				if f.Name != args[0] {
					continue
				}
				if err := manifest.Remove(f.File); err != nil {
					return err
				}
				return a.registered(f.Name, f.File, false)
			}
			return fault.New(fault.NotFound, fault.T("no tool %q was registered", "没有注册过名为 %q 的工具", args[0])).
				WithHint(fault.T("helve tools list says where each comes from; helve tools disable takes any of them away", "helve tools list 会列出来源；helve tools disable 可停用任意工具"))
		},
	}
}

// validateTools is "helve tools validate".
func (a *app) validateTools() *cobra.Command {
	return &cobra.Command{
		Use: "validate [FILE]…", Short: "Say what is wrong with manifests: those given, or all that are looked at", Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			home := a.world()
			s, err := a.load(home)
			if err != nil {
				return err
			}
			var problems manifest.Problems
			valid := []string{}
			for _, file := range args {
				data, err := a.manifestFile(file)
				if err != nil {
					return err
				}
				t, wrong := manifest.Parse(file, data, s.names())
				if problems = append(problems, wrong...); t != nil {
					valid = append(valid, t.Name)
				}
			}
			if len(args) == 0 {
				for _, f := range a.manifests(home, s) {
					if problems = append(problems, f.Problems...); f.Tool != nil {
						valid = append(valid, f.Name)
					}
				}
			}
			return a.report(report{data: validated{valid}, text: strings.Join(slices.Concat(valid, []string{""}), " is valid\n"), failure: problems.Err()})
		},
	}
}

type validated struct {
	Valid []string `json:"valid"` // names of the tools that were found right
}

// manifestFile reads a manifest that a person names.
func (a *app) manifestFile(name string) ([]byte, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, fault.System(err, name)
	}
	data, err := config.Read(config.File{Source: config.Flag, Path: path})
	if err == nil && data == nil {
		err = fault.New(fault.NotFound, fault.T("there is no file %s", "文件 %s 不存在", name)).
			WithHint(fault.T("give the path of a manifest", "请给出清单文件的路径"))
	}
	return data, err
}

func (a *app) registered(name, file string, there bool) error {
	text := name + " is registered: " + file + "\n"
	if !there {
		text = name + " is no longer registered\n"
	}
	return a.report(report{data: struct {
		Name       string `json:"name"`
		File       string `json:"file"`
		Registered bool   `json:"registered"`
	}{name, file, there}, text: text})
}
