package host

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/process"
)

// Browse opens an address in the person's browser, if there is a screen for one. The
// browser does not get what marks the children of helve.
func Browse(ctx context.Context, address string) error {
	environ := slices.DeleteFunc(os.Environ(), func(have string) bool {
		name, _, _ := strings.Cut(have, "=")
		return name == "HELVE" || name == approval.RunVariable || name == approval.AgentVariable
	})
	if runtime.GOOS != "windows" && runtime.GOOS != "darwin" && os.Getenv("DISPLAY")+os.Getenv("WAYLAND_DISPLAY")+os.Getenv("BROWSER") == "" {
		return fault.New(fault.Unsupported, fault.T("there is no screen to open a browser on")).
			WithHint(fault.T("open the address yourself"))
	}
	return process.Show(ctx, address, environ)
}
