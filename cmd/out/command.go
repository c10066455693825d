package out

import (
	"context"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
)

// Group makes c a command that only holds others.
func Group(c *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	c.AddCommand(subcommands...)
	c.Args, c.RunE = cobra.ArbitraryArgs, NeedsSubcommand
	return c
}

// NeedsSubcommand refuses a command that does nothing by itself.
func NeedsSubcommand(c *cobra.Command, args []string) error {
	what := fault.T("helve %s needs a subcommand", c.Name())
	if len(args) > 0 {
		what = fault.T("helve %s has no subcommand %q", c.Name(), args[0])
	}
	return fault.New(fault.Usage, what).WithHint(fault.T("the subcommands are: %s", names(c.Commands())))
}

// Args returns a check of the number of arguments.
func Args(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		what := fault.T("wrong number of arguments to %s: %d, want %d", c.CommandPath(), len(args), least)
		if least < most {
			what = fault.T("wrong number of arguments to %s: %d, want %d to %d", c.CommandPath(), len(args), least, most)
		}
		return fault.New(fault.Usage, what).WithHint(fault.T("usage: %s", c.UseLine()))
	}
}

// names lists the names of commands.
func names(all []*cobra.Command) string {
	var names []string
	for _, c := range all {
		names = append(names, c.Name())
	}
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "help" }), ", ")
}

// Duration refuses a negative duration, the value of the flag called name.
func Duration(name string, d time.Duration) error {
	if d >= 0 {
		return nil
	}
	return fault.New(fault.Usage, fault.T("--%s %v: want a duration that is not below zero", name, d)).
		WithHint(fault.T("such as 30s or 5m"))
}

// UntilSignal returns a context that is done when the process is asked to end. Work that is
// going on then still gets its grace period.
func UntilSignal(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(cmd.Context(), process.Endings()...)
}

// RunsAnyway annotates a command that reports faults of environment variables itself.
const RunsAnyway = "runs-anyway"

// ErrorsToStderr marks a command whose standard output is read by a program that expects
// nothing but a protocol, from the first byte.
const ErrorsToStderr = "errors-to-stderr"

// Examples returns the examples of a command as its help shows them: what one does, and
// below that the command, which is never broken. pairs are commands, each followed by what
// it does.
func (p *Printer) Examples(pairs ...string) string {
	lines := make([]string, 0, len(pairs))
	for i := 0; i < len(pairs); i += 2 {
		lines = append(lines, "  # "+pairs[i+1], "  "+pairs[i])
	}
	return strings.Join(lines, "\n")
}
