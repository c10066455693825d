//go:build linux

package sandbox

import (
	"errors"

	"golang.org/x/sys/unix"
)

// startLandlock confines this thread for good and starts the command, which inherits
// the confinement.
func (p *Process) startLandlock(sb *Sandbox, c Command) error {
	rules, complete := landlockRules(sb.profile)
	if !complete {
		sb.degrade("secrets_overblocked")
	}
	confine := script{steps: make([]step, 0, 3*len(rules)+64)}
	set := confine.ruleset(sb.support.LandlockABI, rules, sb.report.Network != Full)
	confine.drop()
	confine.restrict(set)
	if err := confine.err(confine.run()); err != nil {
		unix.Close(int(*set))
		return notSetUp(err)
	}
	if err := p.filterCalls(sb); err != nil {
		return notSetUp(err)
	}
	return p.fork(c)
}

// filterCalls puts this thread under a seccomp filter and starts the goroutine that
// answers the calls which the filter hands over.
func (p *Process) filterCalls(sb *Sandbox) error {
	s := shield{Families: allowedFamilies(Landlock, sb.report.Network, sb.support.LandlockABI), WithoutNamespaces: true, Metadata: sb.support.Broker}
	fd, err := install(s.code(), s.Metadata)
	if s.Metadata && errors.Is(err, unix.EBUSY) {
		// An outer sandbox listens already, and there can be only one listener.
		sb.degrade("file_metadata")
		s.Metadata = false
		fd, err = install(s.code(), false)
	}
	if err != nil || !s.Metadata {
		return err
	}
	broker, err := newBroker(fd, sb.profile)
	if err != nil {
		unix.Close(fd)
		return err
	}
	p.system.broker = broker.file
	go broker.serve()
	return nil
}
