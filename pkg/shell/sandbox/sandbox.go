package sandbox

import (
	"fmt"
	"slices"
)

// Confinement is a profile with the kind that enforces it. The sandbox of a system embeds
// it.
type Confinement struct {
	Profile Profile
	Support Support
	Kind    Kind
	report  Report
	crowded []string // directories of which not all can be read
	changed func() []string
}

// Report names the limits that are enforced for a process. They may be wider than those of
// its profile.
type Report struct {
	Kind       Kind       `json:"tier"`
	Filesystem Filesystem `json:"filesystem"`
	Network    Network    `json:"network"`
	// Degraded are stable words for what the profile asks for and the kind cannot
	// enforce, sorted.
	Degraded []string `json:"degraded,omitempty"`
}

// Confine checks a profile and binds it to a kind. The code of a fault is
// invalid_arguments, or sandbox_unavailable when the kind cannot be had. What the kind
// cannot enforce of the profile is in the report.
func Confine(p Profile, s Support, k Kind) (*Confinement, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if !s.Has(k) {
		return nil, notAvailable(k)
	}
	if p.Preview != nil && k != Namespaces {
		return nil, noPreview()
	}
	without := p.Network == Hosts && (k != Namespaces || p.Port == 0)
	if without {
		p.withoutHosts(k)
	}
	if p.Port != 0 && (k != Namespaces || !p.Network.Private()) {
		return nil, noPort()
	}
	p.protectTargets()
	c := &Confinement{Profile: p, Support: s, Kind: k, report: report(p, s, k)}
	if without {
		c.Degrade("no_hosts")
	}
	return c, nil
}

// withoutHosts leaves of [Hosts] what a kind can have: a loopback that leads nowhere.
func (p *Profile) withoutHosts(k Kind) {
	p.Port, p.Network = 0, Local
	if k == Seatbelt { // whose loopback is the machine's
		p.Network = NoNetwork
	}
}

// Report returns what the sandbox enforces.
func (c *Confinement) Report() Report { return c.report }

// report returns what a kind enforces of a profile.
func report(p Profile, s Support, k Kind) Report {
	r := Report{Kind: k, Filesystem: p.Filesystem, Network: p.Network}
	lacks := func(words ...string) { r.Degraded = append(r.Degraded, words...) }
	switch k {
	case Namespaces:
		if s.LandlockABI == 0 {
			lacks("no_landlock")
		}
	case Landlock:
		lacks("no_namespaces", "protected_paths_restored")
		if !s.Broker {
			lacks("file_metadata")
		}
		if !s.Sockets {
			r.withoutSockets(s)
		}
		for _, need := range landlockGaps {
			if s.LandlockABI < need.abi {
				lacks(fmt.Sprintf("landlock_abi<%d:%s", need.abi, need.what))
			}
		}
	case Seatbelt:
		lacks("file_metadata")
	default:
		if p.Closed {
			lacks("reads")
		}
		r.Filesystem, r.Network = Host, Full
		lacks("no_sandbox")
	}
	if p.Survey != nil && p.Survey.Partial {
		lacks(Partial)
	}
	slices.Sort(r.Degraded)
	return r
}

// WithoutSockets says in the report that a command under [Landlock] has no sockets of its own.
func (c *Confinement) WithoutSockets() { c.report.withoutSockets(c.Support) }

func (r *Report) withoutSockets(s Support) {
	if r.Network == Local {
		r.Network = NoNetwork
		r.Degraded = append(r.Degraded, "no_loopback")
	}
	if s.LandlockABI < unixABI {
		r.Degraded = append(r.Degraded, "no_unix_sockets")
	}
	slices.Sort(r.Degraded)
	r.Degraded = slices.Compact(r.Degraded)
}

// unixABI is the version of Landlock from which on it confines sockets with paths.
const unixABI = 9

// Crowd says in the report that of some directories, beside something hidden, not all can be
// read that the profile lets be read.
func (c *Confinement) Crowd(dirs []string) {
	if c.crowded = dirs; len(dirs) > 0 {
		c.Degrade(Overblocked)
	}
}

// Replaceable has the report of refused accesses know paths that the profile opens and at
// which something else is than when the command started; changed returns them.
func (c *Confinement) Replaceable(changed func() []string) { c.changed = changed }

// Overblocked is the word of a report for a directory with more entries beside something
// hidden than there is time for. NewUnreadable is the word for files that were made beside
// something hidden and could not be read before the command ended.
const (
	Overblocked   = "secrets_overblocked"
	NewUnreadable = "new_files_unreadable"
)

// Partial is the word of a report for a tree in which not everything is looked at that
// other programs execute or obey.
const Partial = "protected_paths_partial"

// Degrade adds a word to the report for what turned out to be missing.
func (c *Confinement) Degrade(word string) {
	if !slices.Contains(c.report.Degraded, word) {
		c.report.Degraded = append(c.report.Degraded, word)
		slices.Sort(c.report.Degraded)
	}
}

// landlockGaps lists the versions of Landlock from which on each thing is enforced, by the
// table in the kernel's Documentation/userspace-api/landlock.rst.
var landlockGaps = [...]struct {
	abi  int
	what string
}{{2, "rename"}, {3, "truncate"}, {4, "tcp"}, {5, "devices"}, {6, "scope"}}
