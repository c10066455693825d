package cmd

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config/clients"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// registration reports one agent.
type registration struct {
	Agent   string `json:"agent"`
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Added   string `json:"added,omitzero"`
	title   string
	change  clients.Change
}

// chosen returns the agents that are named: by their names, or "all" that are installed.
func chosen(all []clients.Client, names []string) ([]clients.Client, error) {
	var picked []clients.Client
	for _, name := range names {
		if name == "all" {
			picked = append(picked, installed(all)...)
			continue
		}
		at := slices.IndexFunc(all, func(c clients.Client) bool { return c.Name == name })
		if at < 0 {
			return nil, fault.New(fault.Usage, fault.T("--agent %s: there is no agent of that name", name)).
				WithHint(fault.T("the agents are: %s; all is those on this machine", strings.Join(agentNames(all), ", ")))
		}
		picked = append(picked, all[at])
	}
	return picked, nil
}

// installed returns the agents that there is a sign of on this machine.
func installed(all []clients.Client) []clients.Client {
	var found []clients.Client
	for _, c := range all {
		if c.Installed() {
			found = append(found, c)
		}
	}
	return found
}

func agentNames(all []clients.Client) []string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	return names
}

// planned returns what registers helve with agents, without doing it.
func planned(h *host.Host, picked []clients.Client) ([]registration, error) {
	server, err := h.Server()
	if err != nil {
		return nil, err
	}
	all := []registration{}
	for _, c := range picked {
		change, err := c.Plan(server)
		if err != nil {
			return nil, err
		}
		r := registration{Agent: c.Name, File: change.File, Changed: !change.Nothing(), title: c.Title, change: change}
		if r.Changed {
			r.Added = change.Added()
		}
		all = append(all, r)
	}
	return all, nil
}

// registerWith registers helve with the agents that are named. Nothing is changed if the file
// of one cannot be.
func registerWith(h *host.Host, p *out.Printer, known []clients.Client, record clients.Record, names []string) error {
	picked, err := chosen(known, names)
	if err != nil {
		return err
	}
	all, err := planned(h, picked)
	if err != nil {
		return err
	}
	text, err := carriedOut(p, record, all)
	if err != nil {
		return err
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "agents", Value: all}}, Text: text})
}

// carriedOut registers helve, and returns what there is to say of it.
func carriedOut(p *out.Printer, record clients.Record, all []registration) (string, error) {
	var b strings.Builder
	for _, r := range all {
		if !r.Changed {
			b.WriteString(p.Text("%s has helve already: %s\n", r.title, r.File))
			continue
		}
		if err := record.Do(r.change); err != nil {
			return "", err
		}
		b.WriteString(p.Text("registered with %s: %s\n", r.title, r.File) + r.Added)
	}
	if len(all) > 0 {
		b.WriteString(p.Text("start %s anew and ask it: use helve to list this directory\n", all[len(all)-1].title))
	}
	return b.String(), nil
}

// unregister takes back what init did to the files of agents.
func unregister(p *out.Printer, record clients.Record) error {
	files, err := record.Undo()
	var b strings.Builder
	for _, file := range files {
		b.WriteString(p.Text("taken out of %s\n", file))
	}
	if len(files) == 0 && err == nil {
		b.WriteString(p.Text("helve is registered with no agent\n"))
	}
	if files == nil {
		files = []string{}
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "restored", Value: files}}, Text: b.String(), Failure: err})
}

// offered names the agents of this machine, for the person to choose.
func offered(p *out.Printer, found []clients.Client) string {
	if len(found) == 0 {
		return p.Text("try it: helve ls\n")
	}
	return p.Text("to let the agents of this machine use helve: helve init --agent %s\n", strings.Join(agentNames(found), ","))
}
