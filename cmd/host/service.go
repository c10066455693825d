package host

import (
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/service"
)

// passedToService are the variables that a scheduler of the system gets as they are now:
// where helve's own files are, and what commands need to be found. None holds a secret.
var passedToService = [...]string{"HELVE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HELVE_LANG", "PATH"}

// Service returns how the system keeps a scheduler of this workspace running. kind is
// one of those of package service; "" is the usual one of the system. With tick it is
// started every minute instead.
func (h *Host) Service(kind string, tick bool) (*service.Service, error) {
	env := h.Workspace()
	root, err := env.Root()
	if err != nil {
		return nil, err
	}
	dir, err := env.State()
	if err != nil {
		return nil, err
	}
	state, err := dir.Path()
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fault.System(err, "helve")
	}
	home, err := homeDir()
	if err != nil {
		return nil, fault.New(fault.NotConfigured, fault.T("the home directory is not known")).
			WithHint(fault.T("set HOME")).Because(err)
	}
	s := service.Spec{
		ID: service.ID(root.Dir()), What: "helve cron: jobs of " + root.Dir(), Program: program, Args: []string{"--root", root.Dir()},
		Minutes: tick || kind == service.Crontab, Files: state, Home: home, Config: filepath.Join(home, ".config"),
	}
	if given := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(given) {
		s.Config = given
	}
	if h.Config != "" {
		file, err := filepath.Abs(h.Config)
		if err != nil {
			return nil, fault.System(err, h.Config)
		}
		s.Args = append(s.Args, "--config", file)
	}
	s.Args = append(s.Args, "cron", "run")
	if s.Minutes {
		s.Args[len(s.Args)-1] = "tick"
	}
	if h.Everywhere {
		s.Args = append(s.Args, "--all")
	}
	for _, name := range passedToService {
		if value := os.Getenv(name); value != "" {
			s.Env = append(s.Env, name+"="+value)
		}
	}
	if kind == "" {
		kind = service.Usual()
	}
	return service.Describe(kind, s)
}
