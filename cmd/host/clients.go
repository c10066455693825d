package host

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"

	"github.com/helve-dev/helve/pkg/config/clients"
	"github.com/helve-dev/helve/pkg/fault"
)

// Clients lists the agents that helve can be registered with, and the record of what was done.
func (h *Host) Clients() ([]clients.Client, clients.Record, error) {
	home, err := homeDir()
	if err != nil {
		return nil, "", err
	}
	where := clients.Home{
		Dir: home, Config: filepath.Join(home, ".config"), Roaming: os.Getenv("APPDATA"), System: runtime.GOOS, Getenv: os.Getenv,
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		where.Config = dir
	}
	return clients.All(where), clients.Record(filepath.Join(h.Dirs.State, "clients.json")), nil
}

// Server returns how an agent starts this program: by the path that the person's shell finds
// it at, which stays when it is upgraded, else by where it is.
func (h *Host) Server() (clients.Server, error) {
	program, err := os.Executable()
	if err != nil {
		return clients.Server{}, fault.New(fault.Unavailable, fault.T("this program cannot be found")).Because(err)
	}
	if own, err := os.Stat(program); err == nil {
		for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
			at := filepath.Join(dir, filepath.Base(program))
			if found, err := os.Stat(at); err == nil && filepath.IsAbs(at) && os.SameFile(own, found) {
				program = at
				break
			}
		}
	}
	dir, err := os.Getwd()
	if err != nil && h.Root == "" {
		return clients.Server{}, fault.System(err, ".")
	}
	if dir, err = filepath.Abs(cmp.Or(h.Root, dir)); err != nil {
		return clients.Server{}, fault.System(err, h.Root)
	}
	return clients.Server{Command: program, Root: dir}, nil
}
