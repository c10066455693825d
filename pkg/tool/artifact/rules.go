package artifact

import (
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/tool"
)

// Rules returns the person's own rules about output, for [output.Source]. They are read
// when that asks for them. Each file that cannot be used is left out with a warning.
func Rules(call *tool.Call) func() []output.File {
	return sync.OnceValue(func() []output.File {
		if call.Env.OutputRules == nil {
			return nil
		}
		var all []output.File
		for _, f := range call.Env.OutputRules() {
			file := output.File{Name: f.Name(), Path: f.Path, Text: f.Text}
			err := f.Err
			if err == nil {
				err = file.Check()
			}
			if err != nil {
				call.Warn(fault.T("rules about output that cannot be used are left out: %s", fault.As(err).Message))
				continue
			}
			all = append(all, file)
		}
		return all
	})
}
