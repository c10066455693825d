//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// startLandlock confines this thread for good and starts the command, which inherits
// the confinement.
func (p *process) startLandlock(sb *confined, c sandbox.Command) error {
	g := landlockRules(sb.Profile, c.Path)
	sb.Crowd(g.crowded)
	sb.Replaceable(opened(sb.Profile))
	if sb.births() {
		sb.veil = newVeil(sb.Profile, g.hidden)
	}
	defer func() {
		if sb.nursery == nil {
			sb.veil.close()
		}
	}()
	if err := p.restrict(sb, append(g.rules, sb.veil.provided()...)); err != nil {
		return notSetUp(err)
	}
	if err := p.filterCalls(sb); err != nil {
		return notSetUp(err)
	}
	if len(g.hidden) > 0 && sb.nursery == nil {
		sb.Degrade(sandbox.NewUnreadable)
	}
	return p.fork(c)
}

// opened returns a function that returns those paths outside of the workspace that a profile
// opens and at which something else is than now: rules belong to files, not to their names.
func opened(p sandbox.Profile) (changed func() []string) {
	was := map[string]identity{}
	note := func(path string) {
		if id := followed(path); !p.Inside(path) && id != (identity{}) {
			was[path] = id
		}
	}
	for _, path := range p.Readable {
		note(path)
	}
	for _, l := range p.Links {
		note(l.Path)
	}
	return func() (all []string) {
		for path, id := range was {
			if followed(path) != id {
				all = append(all, path)
			}
		}
		return all
	}
}

// followed returns what a path leads to.
func followed(path string) identity {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return identity{}
	}
	return identity{device: uint64(st.Dev), inode: st.Ino}
}

// restrict puts this thread under rules.
func (p *process) restrict(sb *confined, rules []rule) error {
	set, err := rulesetOf(sb.Support.LandlockABI, rules, sb.Report().Network != sandbox.Full)
	if err != nil {
		return err
	}
	defer unix.Close(set)
	var s script
	s.drop()
	if err := s.err(s.run()); err != nil {
		return err
	}
	if err := p.guard(sb.Support.LandlockABI); err != nil {
		return err
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(set), 0, 0); errno != 0 {
		return fmt.Errorf("landlock_restrict_self: %w", errno)
	}
	return nil
}

// guard puts this thread into the domain of a warden and starts that. Older kernels have
// none.
func (p *process) guard(abi int) error {
	if abi < wardenABI {
		return nil
	}
	var s script
	s.restrict(guarded(&s))
	if err := s.err(s.run()); err != nil {
		return err
	}
	w, err := newWarden()
	if err != nil {
		return err
	}
	if err := w.start(); err != nil {
		return errors.Join(err, unix.Munmap(w.memory))
	}
	p.warden = w
	return nil
}

// filterCalls puts this thread under a seccomp filter and starts what answers the calls
// that the filter hands over.
func (p *process) filterCalls(sb *confined) error {
	network := sb.Report().Network
	s := shield{
		Families: allowedFamilies(sandbox.Landlock, network, sb.Support.LandlockABI), WithoutNamespaces: true,
		Metadata: sb.Support.Broker, Births: sb.births(), Sockets: sb.Support.Sockets,
	}
	if s.Sockets {
		s.Streams = streamFamilies(network)
	}
	fd, err := install(s.code(), s.Metadata)
	if s.Metadata && errors.Is(err, unix.EBUSY) {
		// An outer sandbox listens already, and there can be only one listener.
		sb.Degrade("file_metadata")
		if s.Births {
			sb.Degrade(bornDegraded)
		}
		sb.WithoutSockets()
		s.Metadata, s.Births, s.Sockets, s.Streams = false, false, false, nil
		fd, err = install(s.code(), false)
	}
	if err != nil || !s.Metadata {
		return err
	}
	err = p.startBroker(sb, fd, s)
	if err != nil {
		unix.Close(fd)
	}
	return err
}

// startBroker starts what makes the calls that arrive at a descriptor.
func (p *process) startBroker(sb *confined, fd int, s shield) error {
	b, err := newBroker(fd, sb.Profile)
	if err != nil {
		return err
	}
	if s.Births {
		sb.nursery = sb.newNursery()
		b.nursery = sb.nursery
	}
	if s.Sockets {
		b.sockets = newSockets(sb.Profile, sb.Report().Network)
		b.sockets.nursery = b.nursery
	}
	if err := b.start(); err != nil {
		return err
	}
	p.broker = b
	return nil
}
