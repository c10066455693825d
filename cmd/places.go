package cmd

import (
	"os"
	"path/filepath"
	"runtime"
)

// owned finds a directory of helve's own: in HELVE_HOME, which moves them all, in
// what a variable of the XDG Base Directory Specification or of Windows names, or
// in the home directory. It is "" where there is no home.
func owned(under, xdg, windows, home string) string {
	if dir := os.Getenv("HELVE_HOME"); dir != "" {
		return filepath.Join(dir, under)
	}
	if dir := os.Getenv(xdg); filepath.IsAbs(dir) { // the specification has relative ones ignored
		return filepath.Join(dir, "helve")
	}
	if dir := os.Getenv(windows); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "helve", under)
	}
	if dir, err := os.UserHomeDir(); err == nil {
		return filepath.Join(dir, home, "helve")
	}
	return ""
}

// stateBase is where the state of all workspaces lies.
func stateBase() string {
	if dir := owned("state", "XDG_STATE_HOME", "LOCALAPPDATA", ".local/state"); dir != "" {
		return dir
	}
	return filepath.Join(os.TempDir(), "helve-state")
}

// cacheBase is where what can be had again lies.
func cacheBase() string {
	if dir := owned("cache", "XDG_CACHE_HOME", "LOCALAPPDATA", ".cache"); dir != "" {
		return dir
	}
	return filepath.Join(os.TempDir(), "helve-cache")
}

// pageCache is where pages of the web are kept, which commands cannot read.
func pageCache() string { return filepath.Join(cacheBase(), "web") }

// commandCaches is where toolchains that commands run keep their caches.
func commandCaches() string {
	dir := filepath.Join(cacheBase(), "exec")
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return dir
}

// userConfig is the person's own file.
func userConfig() string {
	dir := owned("", "XDG_CONFIG_HOME", "APPDATA", ".config")
	if dir == "" {
		dir = filepath.Join(string(filepath.Separator), "nonexistent", "helve")
	}
	return filepath.Join(dir, "config.json")
}

// userTools is where a person's custom tools are, beside the person's file.
func userTools() string { return filepath.Join(filepath.Dir(userConfig()), "tools") }

// systemConfig is the administrator's file.
func systemConfig() string {
	if dir := os.Getenv("ProgramData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "helve", "config.json")
	}
	return "/etc/helve/config.json"
}
