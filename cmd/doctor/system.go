package doctor

import (
	"cmp"
	"context"
	"runtime"
	"strings"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/zone"
)

// helve says which helve this is.
func (v *visit) helve(context.Context) []Check {
	return fine("helve", fault.T("%s, built with %s for %s/%s", cmp.Or(v.host.Release(), "unreleased"), runtime.Version(), runtime.GOOS, runtime.GOARCH))
}

// system says what it runs on.
func (v *visit) system(context.Context) []Check {
	name := distribution()
	if name == "" {
		name = runtime.GOOS
	}
	return fine("system", fault.T("%s, kernel %s", name, process.Kernel()))
}

// zones says in which time zone times are meant, and which databases of zones there are.
func (v *visit) zones(context.Context) []Check {
	const name = "time zone"
	loc, unknown, err := zone.Person(v.settings.Config.Timezone, v.env.TZ)
	if err != nil {
		return failed(Warning, name, err)
	}
	if !unknown.IsZero() {
		return wrong(Warning, name, unknown, fault.T("set TZ to a name such as Asia/Shanghai, or the setting timezone"))
	}
	own, system := zone.Releases()
	if system == "" {
		return fine(name, fault.T("%s, by helve's own database %s", loc, own))
	}
	return fine(name, fault.T("%s, by the newer of helve's own database %s and the system's %s", loc, own, system))
}

// distribution returns the name of a Linux distribution by os-release(5), "" elsewhere.
func distribution() string {
	for _, path := range [...]string{"/etc/os-release", "/usr/lib/os-release"} {
		text, err := config.Read(config.File{Source: config.System, Path: path})
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
				return strings.Trim(name, `"'`)
			}
		}
	}
	return ""
}

// caller says whether a person sees what helve itself can do, or what a command of an
// agent can.
func (v *visit) caller(context.Context) []Check {
	if !host.UnderHelve() {
		return fine("caller", fault.T("a person, or a program that helve did not start"))
	}
	return could("caller", fault.T("a program that helve started: its sandbox limits what is found below"),
		fault.T("run helve doctor in a terminal of your own to see what helve itself can do"))
}
