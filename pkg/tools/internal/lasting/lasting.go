// Package lasting warns of a store that may not last.
package lasting

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/tool"
)

// Warn warns in the result of a call that has stored something, if the place may not last.
func Warn(call *tool.Call) {
	kept, err := tool.Service[store.Store](call.Home)
	if err != nil {
		return // the call has stored nothing
	}
	if place, ok := kept.(interface{ Warning() fault.Text }); ok {
		if why := place.Warning(); !why.IsZero() {
			call.WarnDone(why)
		}
	}
}
