package agents

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// canceling limits the wait for the end of a job that was canceled: its keeper
// asks the worker, then kills it.
const canceling = 30 * time.Second

// spawnCancelCommand is "helve spawn cancel".
func spawnCancelCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "cancel ID… | --all",
		Short: p.Text("End sub-agents, with all processes that they started"),
		Long:  p.Text("End sub-agents, with all processes that they started, and wait until they have ended. What they changed stays; helve undo takes it back."),
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case !all:
				return takesJobs(c, args)
			case len(args) > 0:
				return fault.New(fault.Usage, fault.T("--all and ids exclude each other")).
					WithHint(fault.T("usage: %s", c.UseLine()))
			}
			return nil
		},
		Example: p.Examples(
			"helve spawn cancel fix-tests", p.Text("one"),
			"helve spawn cancel --all", p.Text("all that have not ended"),
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("cancel sub-agents")); err != nil {
				return err
			}
			jobs, err := h.Agents()
			if err != nil {
				return err
			}
			chosen, err := chosenJobs(cmd.Context(), jobs, args)
			if all {
				chosen, err = unended(cmd.Context(), jobs)
			}
			if err != nil {
				return err
			}
			if err := cancelJobs(cmd.Context(), h, jobs, chosen); err != nil {
				return err
			}
			return reportCanceled(p, chosen)
		},
	}
	c.Flags().BoolVar(&all, "all", false, p.Text("all that have not ended"))
	return c
}

// unended returns the jobs that have not ended.
func unended(ctx context.Context, jobs *agent.Jobs) (some []agent.Job, err error) {
	all, err := jobs.List(ctx)
	for _, j := range all {
		if !j.Status.Final() {
			some = append(some, j)
		}
	}
	return some, err
}

// cancelJobs asks for the end of jobs, and waits for it for a while. It replaces each by
// what has become of it.
func cancelJobs(ctx context.Context, h *host.Host, jobs *agent.Jobs, all []agent.Job) (err error) {
	for i := range all {
		if all[i], err = jobs.Cancel(ctx, all[i].ID); err != nil {
			return err
		}
	}
	ctx, stop := context.WithTimeout(ctx, canceling)
	defer stop()
	return awaiting{host: h, jobs: jobs}.wait(ctx, all)
}

// reportCanceled prints what became of jobs that were canceled.
func reportCanceled(p *out.Printer, all []agent.Job) error {
	r := out.Report{Data: schema.Document{{Name: "jobs", Value: showJobs(all)}}}
	var working []string
	for i := range all {
		r.Text += all[i].ID + "  " + jobState(p, &all[i]) + "\n"
		if !all[i].Status.Final() {
			working = append(working, all[i].ID)
		}
	}
	if len(all) == 0 {
		r.Text = p.Text("no sub-agents\n")
	}
	if len(working) > 0 {
		r.Failure = stillWorking(working...)
	}
	return p.Report(r)
}

// stillWorking is the error of jobs that have not ended although that was asked for.
func stillWorking(ids ...string) error {
	return fault.New(fault.Timeout, fault.T("not ended yet: %s", strings.Join(ids, ", "))).
		WithHint(fault.T("their end was asked for, and their workers have not obeyed yet; see: helve spawn wait %s", strings.Join(ids, " ")))
}

// keptFor is the default age at which gc removes jobs that have ended.
const keptFor = 7 * 24 * time.Hour

// age is a flag for a duration that may be given in days.
type age time.Duration

func (a *age) Type() string { return "age" }

func (a *age) String() string {
	d := time.Duration(*a)
	if d > 0 && d%(24*time.Hour) == 0 {
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
	return d.String()
}

// longestAge is the most days of an age.
const longestAge = 36500

func (a *age) Set(text string) error {
	if days, is := strings.CutSuffix(text, "d"); is {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil || n > longestAge {
			return errAge(text)
		}
		*a = age(time.Duration(n) * 24 * time.Hour)
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errAge(text)
	}
	*a = age(d)
	return nil
}

func errAge(text string) error {
	return fault.New(fault.Usage, fault.T("want an age such as 7d, 36h or 0s, got %q", text))
}

// spawnCollectCommand is "helve spawn gc".
func spawnCollectCommand(h *host.Host, p *out.Printer) *cobra.Command {
	older := age(keptFor)
	c := &cobra.Command{
		Use: "gc", Args: out.Args(0, 0),
		Short:   p.Text("Forget the sub-agents that ended long ago, with their transcripts"),
		Example: p.Examples("helve spawn gc --older-than 30d", p.Text("those of the last month stay")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := host.Personal(fault.T("remove sub-agents")); err != nil {
				return err
			}
			gone, left := h.ForgetAgents(cmd.Context(), time.Duration(older))
			ids := []string{}
			for i := range gone {
				ids = append(ids, gone[i].ID)
			}
			return p.Report(out.Report{
				Data: schema.Document{{Name: "removed", Value: ids}}, Failure: left,
				Text: p.Text("removed %d\n", len(ids)),
			})
		},
	}
	c.Flags().Var(&older, "older-than", p.Text("how long ago they ended at least, such as 36h; 0s is all that have ended"))
	return c
}
