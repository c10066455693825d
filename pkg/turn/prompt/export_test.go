package prompt

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Call returns a call as a model writes it in a convention: arguments is a JSON
// object. The fault is that of JSON that is none.
func Call(f Format, name string, arguments []byte) (string, error) {
	c := conventionOf(f)
	if c == nil {
		return "", fault.New(fault.Usage, fault.T("unknown format %q", string(f)))
	}
	if err := schema.Check(arguments); err != nil {
		return "", err
	}
	return c.call(name, arguments)
}
