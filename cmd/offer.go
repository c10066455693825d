package cmd

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// offered are words that a shell may complete.
type offered = []cobra.Completion

// completionTime limits the time that a completion may take.
const completionTime = time.Second

// soon returns what list offers for what was typed, nothing if that takes too long. Of
// items that commas separate, the last is completed.
func soon(list func() offered, typed string) (offered, cobra.ShellCompDirective) {
	if list == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	found := make(chan offered, 1)
	go func() {
		defer func() {
			if recover() != nil {
				found <- nil
			}
		}()
		found <- list()
	}()
	var all offered
	select {
	case all = <-found:
	case <-time.After(completionTime):
	}
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var fit offered
	for _, one := range all {
		if one = before + one; strings.HasPrefix(one, typed) {
			fit = append(fit, one)
		}
	}
	return fit, cobra.ShellCompDirectiveNoFileComp
}
