package process

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
)

// Show opens an address in the person's browser, by the program of the system for that.
// The browser is no child of this process, and outlives it.
func Show(ctx context.Context, address string, environ []string) error {
	c, err := shower(ctx, address)
	if err == nil {
		c.Env = environ
		err = c.Run()
	}
	if err != nil {
		return fault.New(fault.Unsupported, fault.T("no browser could be opened: %v", err)).
			WithHint(fault.T("open the address yourself")).Because(err)
	}
	return nil
}
