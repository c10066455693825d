package cron

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools/cron"
)

// changedJob is the argument of cron_add that names the job to change.
const changedJob = "job"

// cronUpdateCommand is "helve cron update": a call of cron_add about a job that there is,
// so that what it does is decided about as if it were new.
func cronUpdateCommand(h *host.Host, p *out.Printer) *cobra.Command {
	c := &cobra.Command{
		Use: "update ID", Args: out.Args(1, 1),
		Short:   p.Text("Change a job: what is not given stays"),
		Example: p.Examples("helve cron update standup --cron '0 10 * * 1-5'", p.Text("run it at other times")),
	}
	given := line.NewGiven(c, cron.Add.Schema().Without([]string{changedJob}).In(p.Lang), p)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		env, tools, err := h.Env()
		if err != nil {
			return err
		}
		t, err := tools.Ours().Find(cron.Add.Name)
		if err != nil {
			return err
		}
		job, err := schema.Marshal(schema.Document{{Name: changedJob, Value: strings.TrimSpace(args[0])}})
		if err != nil {
			return err
		}
		p.Result(t, guard.Run(cmd.Context(), env, t, given.Into(job)))
		return nil
	}
	return c
}
