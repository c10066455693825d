package line

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Offered are words that a shell may complete.
type Offered = []cobra.Completion

// completionTime limits the time that a completion may take.
const completionTime = time.Second

// Soon returns what list offers for what was typed, nothing if that takes too long. Of
// items that commas separate, the last is completed.
func Soon(list func() Offered, typed string) (Offered, cobra.ShellCompDirective) {
	if list == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	found := make(chan Offered, 1)
	go func() {
		defer func() {
			if recover() != nil {
				found <- nil
			}
		}()
		found <- list()
	}()
	var all Offered
	select {
	case all = <-found:
	case <-time.After(completionTime):
	}
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var fit Offered
	for _, one := range all {
		if one = before + one; strings.HasPrefix(one, typed) {
			fit = append(fit, one)
		}
	}
	return fit, cobra.ShellCompDirectiveNoFileComp
}
