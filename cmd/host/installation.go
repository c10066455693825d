package host

import (
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/helve-dev/helve/cmd/host/origin"
	"github.com/helve-dev/helve/pkg/fault"
)

// ReleasesVariable is the variable with another address of the latest release.
const ReleasesVariable = "HELVE_RELEASES_URL"

// Installation returns how this copy of helve was installed. release says whether it is of a
// release.
func Installation(release bool) (origin.Origin, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err != nil {
		return origin.Origin{}, fault.New(fault.IOError, fault.T("the program's own path is not known: %v", err)).
			WithHint(fault.T("start helve by its path")).Because(err)
	}
	info, _ := debug.ReadBuildInfo()
	root := filepath.VolumeName(program) + string(filepath.Separator)
	return origin.Find(origin.Copy{Program: program, Root: os.DirFS(root), Info: info, Release: release}), nil
}

// Releases returns the address of the latest release that the environment gives; "" is the
// usual one.
func Releases() string { return os.Getenv(ReleasesVariable) }
