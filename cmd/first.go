package cmd

import (
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/settings"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/clients"
	"github.com/helve-dev/helve/pkg/fault"
)

// first is the first run of a person: the settings, and the agents of the machine.
type first struct {
	h      *host.Host
	p      *out.Printer
	record clients.Record
	agents []clients.Client // those that may be offered
}

// started reports a first run.
type started struct {
	*host.Written
	Agents []registration `json:"agents,omitempty"`
}

// run asks what is open, where there is a terminal, and writes. Nothing is written before the
// last answer.
func (f first) run(workspace bool, choices []config.Choice, open []host.Question) error {
	file, err := f.h.NewFile(workspace)
	asks := f.h.Asks()
	// Who has settings already is only asked about agents.
	if err != nil && (!asks || !fault.Is(err, fault.AlreadyExists) || len(choices) > 0) {
		return err
	}
	there := err
	var picked []registration
	if asks {
		offers, warnings := f.offers()
		if there != nil && len(offers) == 0 {
			return there
		}
		said, agents, err := f.ask(file, open, offers, warnings)
		if err != nil {
			return err
		}
		choices, picked = append(choices, said...), agents
	}
	var done started
	var warnings []fault.Text
	text := ""
	if file != nil {
		if done.Written, warnings, err = file.Write(choices); err != nil {
			return err
		}
		text = f.p.Text("wrote %s\nwrote %s, by which editors complete it\n", done.File, done.Schema) + settings.SettingsText(done.Entries)
	}
	said, err := carriedOut(f.p, f.record, picked)
	if err != nil {
		return err
	}
	done.Agents = picked
	if text += said; len(picked) == 0 {
		text += offered(f.p, f.agents)
	}
	return f.p.Report(out.Report{Data: done, Text: text, Warnings: warnings})
}

// offers returns what would register helve with each agent that does not have it, and why it
// cannot be with others.
func (f first) offers() (offers []registration, warnings []fault.Text) {
	for _, c := range f.agents {
		one, err := planned(f.h, []clients.Client{c})
		switch {
		case err != nil:
			warnings = append(warnings, fault.As(err).Message)
		case one[0].Changed:
			offers = append(offers, one[0])
		}
	}
	return offers, warnings
}

// ask asks for the settings of a file, unless it is nil, and for agents.
func (f first) ask(file *host.NewFile, open []host.Question, offers []registration, warnings []fault.Text) (said []config.Choice, picked []registration, err error) {
	i, err := f.h.Interview()
	if err != nil {
		return nil, nil, err
	}
	defer i.Close()
	if file != nil {
		if said, err = i.Settings(file, open); err != nil {
			return nil, nil, err
		}
	}
	i.Say(warnings)
	if len(offers) == 0 {
		return said, nil, nil
	}
	things := make([]string, len(offers))
	for at, one := range offers {
		things[at] = one.title + ": " + one.File + "\n" + one.Added
	}
	numbers, err := i.Pick(fault.T("which of these agents may use helve? These lines are added to their files; helve init --undo takes them out."), things)
	for _, at := range numbers {
		picked = append(picked, offers[at])
	}
	return said, picked, err
}
