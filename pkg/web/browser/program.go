package browser

import (
	"path/filepath"
	"runtime"

	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// Auto is the program of [Options] that is the first one installed.
const Auto = "auto"

// Look returns the path of the program of [Options] for a user, and starts nothing. The
// fault is not_configured where there is none, and sandbox_unavailable where this machine
// cannot confine it.
func Look(program string, environ []string, s sandbox.Support, user int) (string, error) {
	path, err := find(program, environ)
	if err != nil {
		return "", err
	}
	if !run.IsProgram(path) {
		return "", noProgram(path)
	}
	if unconfined(s, user) {
		return "", noSandbox(s.Reason)
	}
	return path, nil
}

// find returns the path of the program. The fault is not_configured.
func find(program string, environ []string) (string, error) {
	switch {
	case runtime.GOOS == "windows":
		return "", unsupported()
	case program == "":
		return "", NotConfigured()
	case program != Auto && !filepath.IsAbs(program):
		return "", notAbsolute(program)
	case program != Auto:
		return program, nil
	}
	for _, name := range names() {
		if filepath.IsAbs(name) {
			if path := run.Look(filepath.Base(name), []string{"PATH=" + filepath.Dir(name)}); path != "" {
				return path, nil
			}
			continue
		}
		if path := run.Look(name, environ); path != "" {
			return path, nil
		}
	}
	return "", notInstalled()
}

// names are the names of Chromium and Chrome on this system, in the order they are tried.
func names() []string {
	if runtime.GOOS == "darwin" {
		return []string{
			"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"chromium", "google-chrome",
		}
	}
	return []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"}
}
