package desk

import "github.com/helve-dev/helve/pkg/fault"

// What is said to who may not use the desk.
func startedByHelve() fault.Text {
	return fault.T("a process that helve started may not use the desk")
}
