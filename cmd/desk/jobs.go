package desk

import (
	"net/http"

	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools/cron"
	"github.com/helve-dev/helve/pkg/tools/job"
)

// jobs lists the commands in the background, the newest first.
func (d *Desk) jobs(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	listed, err := p.jobs.List()
	if err != nil {
		return nil, nil, err
	}
	shown := make([]job.Job, len(listed))
	for i := range listed {
		shown[len(listed)-1-i] = job.Show(&listed[i])
	}
	return struct {
		Jobs []job.Job `json:"jobs"`
	}{shown}, nil, nil
}

// job returns a part of the output of a command in the background.
func (d *Desk) job(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	const most = 200_000
	since, err := number(r, "since", -1, 0, 1<<40)
	if err != nil {
		return nil, nil, err
	}
	var from *int
	if since >= 0 {
		from = &since
	}
	part, err := job.Part(p.jobs, r.PathValue("id"), from, most)
	return part, nil, err
}

// stop ends a command in the background by the tool job.
func (d *Desk) stop(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	return d.call(p, job.Tool.Name, schema.Document{{Name: "id", Value: r.PathValue("id")}, {Name: "action", Value: "stop"}})
}

// schedule lists what is planned.
func (d *Desk) schedule(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	jobs, err := p.Jobs()
	if err != nil {
		return nil, nil, err
	}
	kept, err := jobs.List(r.Context())
	if err != nil {
		return nil, nil, err
	}
	shown := make([]cron.Job, len(kept))
	for i := range kept {
		shown[i] = cron.Show(&kept[i], d.Now(), d.Lang)
	}
	return struct {
		Jobs []cron.Job `json:"jobs"`
	}{shown}, nil, nil
}

// agents lists the sub-agents, the newest first.
func (d *Desk) agents(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	jobs, err := p.Agents()
	if err != nil {
		return nil, nil, err
	}
	kept, err := jobs.List(r.Context())
	if err != nil {
		return nil, nil, err
	}
	shown := make([]overview.Agent, len(kept))
	for i := range kept {
		shown[i] = overview.AgentOf(&kept[i])
	}
	return struct {
		Jobs []overview.Agent `json:"jobs"`
	}{shown}, nil, nil
}
