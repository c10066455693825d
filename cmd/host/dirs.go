package host

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
)

// Dirs are the directories and files of helve itself.
type Dirs struct {
	State        string // state of all workspaces
	Cache        string // what can be fetched or built again
	UserConfig   string // the person's settings, a file
	SystemConfig string // the administrator's settings, a file
	Homeless     bool   // State is below the temporary directory, as nothing names a home
}

// standardDirs returns the directories that the environment asks for.
func standardDirs(getenv func(string) string) Dirs {
	d := Dirs{
		State:        own(getenv, "state", "XDG_STATE_HOME", "LOCALAPPDATA", ".local/state"),
		Cache:        own(getenv, "cache", "XDG_CACHE_HOME", "LOCALAPPDATA", ".cache"),
		SystemConfig: "/etc/helve/config.json",
	}
	if d.State == "" {
		d.State, d.Homeless = filepath.Join(os.TempDir(), "helve-state"), true
	}
	if d.Cache == "" {
		d.Cache = filepath.Join(os.TempDir(), "helve-cache")
	}
	config := own(getenv, "", "XDG_CONFIG_HOME", "APPDATA", ".config")
	if config == "" {
		config = filepath.Join(string(filepath.Separator), "nonexistent", "helve")
	}
	d.UserConfig = filepath.Join(config, "config.json")
	if dir := getenv("ProgramData"); runtime.GOOS == "windows" && dir != "" {
		d.SystemConfig = filepath.Join(dir, "helve", "config.json")
	}
	return d
}

// own returns a directory of helve: in HELVE_HOME, which moves all of them, in
// the directory that a variable of the XDG Base Directory Specification or of
// Windows names, or in the home directory. It is "" where there is no home.
func own(getenv func(string) string, under, xdg, windows, home string) string {
	if dir := getenv("HELVE_HOME"); dir != "" {
		return filepath.Join(dir, under)
	}
	if dir := getenv(xdg); filepath.IsAbs(dir) { // the specification says to ignore relative ones
		return filepath.Join(dir, "helve")
	}
	if dir := getenv(windows); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "helve", under)
	}
	if dir, err := homeDir(); err == nil {
		return filepath.Join(dir, home, "helve")
	}
	return ""
}

// homeDir returns the home directory of the user. Services and jobs of cron may have no
// variable that names it, and then the system's list of users does.
func homeDir() (string, error) {
	dir, err := os.UserHomeDir()
	if err == nil {
		return dir, nil
	}
	if u, err := user.Current(); err == nil && filepath.IsAbs(u.HomeDir) {
		return u.HomeDir, nil
	}
	return "", err
}

// UserTools is the directory of the person's custom tools, beside the person's
// settings.
func (d Dirs) UserTools() string { return filepath.Join(filepath.Dir(d.UserConfig), "tools") }

// UserServers is the directory of the records of the servers whose tools the person took
// in, beside the person's settings.
func (d Dirs) UserServers() string { return filepath.Join(filepath.Dir(d.UserConfig), "servers") }

// OutputRules is the directory of the person's own rules about the output of programs,
// beside the person's settings.
func (d Dirs) OutputRules() string { return filepath.Join(filepath.Dir(d.UserConfig), "output") }

// pages is the directory of kept web pages, which commands cannot read.
func (d Dirs) pages() string { return filepath.Join(d.Cache, "web") }

// profiles is the directory of the profiles of browsers, each of which is there as long as
// its browser.
func (d Dirs) profiles() string { return filepath.Join(d.Cache, "browser") }

// texts is the directory of the kept texts of documents, which commands cannot read.
func (d Dirs) texts() string { return filepath.Join(d.Cache, "documents") }

// toolchains is the directory where toolchains that commands run keep their
// caches.
func (d Dirs) toolchains() string {
	dir := filepath.Join(d.Cache, "exec")
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return dir
}
