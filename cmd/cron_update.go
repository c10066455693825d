package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools/cron"
)

// changedJob is the argument of cron_add that names the job to change.
const changedJob = "job"

// cronUpdateCommand is "helve cron update": a call of cron_add about a job that there is,
// so that what it does is decided about as if it were new.
func cronUpdateCommand(h *host.Host, out *Printer) *cobra.Command {
	c := &cobra.Command{
		Use: "update ID", Args: takes(1, 1),
		Short:   out.Text("Change a job: what is not given stays"),
		Example: out.Examples("helve cron update standup --cron '0 10 * * 1-5'", out.Text("run it at other times")),
	}
	given := newMembers(c, cron.Add.Schema().Without([]string{changedJob}).In(out.Lang), out)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		env, tools, err := h.Env()
		if err != nil {
			return err
		}
		t, err := tools.Find(cron.Add.Name)
		if err != nil {
			return err
		}
		job, err := schema.Marshal(schema.Document{{Name: changedJob, Value: strings.TrimSpace(args[0])}})
		if err != nil {
			return err
		}
		out.Result(t, guard.Run(cmd.Context(), env, t, given.into(job)))
		return nil
	}
	return c
}
