package dialect

import (
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// context takes {"context":{"session","channel","chat","turn"}} off a document, and
// unwraps {"calls": …}, the form in which an array can have one. "to" is another word for
// chat. An empty member keeps the value that the process was started with. The fault for
// a wrong context is invalid_arguments.
func (d document) context() (_ document, o tool.Origin, err error) {
	raw := d.object.object("context")
	// Azure's messages have a context of their own.
	if !d.object.has("context") || raw.has("citations") || raw.has("intent") {
		return d, o, nil
	}
	if raw == nil {
		return d, o, badContext(fault.T("context is not an object"))
	}
	if d.object.has("calls") {
		d = open(d.object["calls"])
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		var field *string
		switch name {
		case "session":
			field = &o.Session
		case "channel":
			field = &o.Channel
		case "chat", "to":
			field = &o.Chat
		case "turn":
			field = &o.Turn
		default:
			return d, o, badContext(fault.T("context has no %q", name))
		}
		if !raw.has(name) {
			continue
		}
		if !startsWith(raw[name], '"') {
			return d, o, badContext(fault.T("context.%s is not a string", name))
		}
		value := raw.text(name)
		if *field != "" && *field != value {
			return d, o, badContext(fault.T("context.chat and context.to differ"))
		}
		if strings.ContainsRune(value, 0) {
			return d, o, badContext(fault.T("context.%s contains a NUL", name))
		}
		*field = value
	}
	if o.Session != "" {
		err = state.CheckSession(o.Session)
	}
	return d, o, err
}

func badContext(what fault.Text) *fault.Error {
	return fault.New(fault.InvalidArguments, what).
		WithHint(fault.T(`it is {"session":"…","channel":"…","chat":"…","turn":"…"}, each optional`))
}
