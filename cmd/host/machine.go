package host

import (
	"encoding/json"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// machine returns what commands run on.
func (s *Settings) machine(env *tool.Env) (_ *tool.Machine, err error) {
	h := s.host
	m := &tool.Machine{
		Settings: s.Config.Exec, Git: s.Config.Git, Environ: os.Environ(), Passwd: passwd, Stream: h.Stream,
		Hidden: []string{h.Dirs.State, h.Dirs.pages(), h.Dirs.texts(), h.Dirs.UserConfig, h.Dirs.UserServers()},
	}
	for _, p := range s.Config.Projects {
		if m.Projects == nil {
			m.Projects = map[string]string{}
		}
		m.Projects[p.ID] = p.Path
	}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		m.Home = filepath.Clean(home)
	}
	if u, err := user.Current(); err == nil {
		m.User = u.Username
		if filepath.IsAbs(u.HomeDir) && filepath.Clean(u.HomeDir) != m.Home {
			m.Homes = append(m.Homes, filepath.Clean(u.HomeDir))
		}
	}
	if m.Own, err = h.own(env); err != nil {
		return nil, err
	}
	dir, err := env.State()
	if err != nil {
		return nil, err
	}
	path, err := dir.Path()
	if err != nil {
		return nil, err
	}
	m.Hidden = append(m.Hidden, filepath.Dir(path)) // a temporary one if the usual one cannot be used
	m.Hidden = append(m.Hidden, keyFiles(&s.Config)...)
	m.Cache = filepath.Join(h.Dirs.toolchains(), filepath.Base(path))
	if m.Program, err = os.Executable(); err != nil {
		m.Program = "" // then nothing can run in the background
	}
	m.Supervision = func() (json.RawMessage, error) {
		_, spec, err := s.keeping(nil, 0)
		return spec, err
	}
	return m, nil
}

// keyFiles returns the files with keys and passwords that the settings name.
func keyFiles(c *config.Config) []string {
	files := []string{c.Spawn.KeyFile, c.Store.Credentials, c.Store.Key}
	for i := range c.Messages.Sinks {
		files = append(files, c.Messages.Sinks[i].SecretFile)
	}
	return slices.DeleteFunc(files, func(file string) bool { return file == "" })
}

// own returns the files and directories of a person's settings, custom tools and rules.
// Those in the workspace are created if necessary: a sandbox protects only what
// exists.
func (h *Host) own(env *tool.Env) ([]string, error) {
	own := []string{h.Dirs.UserConfig, h.Dirs.UserTools(), h.Dirs.UserServers(), h.Dirs.OutputRules()}
	if os.Getenv("HELVE_HOME") == "" {
		own = []string{filepath.Dir(h.Dirs.UserConfig)} // it holds nothing else
	}
	root, err := env.Root()
	if err != nil {
		return nil, err
	}
	for _, path := range own {
		if path != h.Dirs.UserConfig && inside(path, root.Dir()) {
			if err := os.MkdirAll(path, 0o700); err != nil {
				return nil, fault.System(err, path)
			}
		}
	}
	if file, err := filepath.Abs(h.Config); h.Config != "" && err == nil {
		own = append(own, file)
	}
	return own, nil
}

// passwd returns /etc/passwd, which lists users and their shells; nil where there
// is none.
func passwd() []byte {
	if runtime.GOOS == "windows" {
		return nil
	}
	etc, err := workspace.Open("/etc", workspace.Options{})
	if err != nil {
		return nil
	}
	defer etc.Close()
	f, err := etc.Open(etc.At("passwd"))
	if err != nil {
		return nil
	}
	defer f.Close()
	text := make([]byte, 1<<20)
	n, _ := f.Read(text) // an error leaves a shorter list
	return text[:n]
}
