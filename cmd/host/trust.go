package host

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Untrusted lists the parts of the workspace that take effect only once a person trusts
// them.
type Untrusted struct {
	Ignored config.Ignored   // what its own settings would widen; SHA is "" if nothing
	Tools   []manifest.Found // custom tools, also those in directories that only its settings name

	sources config.Options
	dir     *state.Dir
}

// Untrusted returns what there is to trust in the workspace. The bytes that were
// read are the ones that [Untrusted.Trust] records, so that a file which changes
// in between is not trusted.
func (h *Host) Untrusted() (*Untrusted, error) {
	env := h.Workspace()
	d, err := env.State()
	if err != nil {
		return nil, err
	}
	o := h.sources(env)
	s, err := config.Load(o)
	if err != nil {
		return nil, err
	}
	if err := s.Unused.Err(); err != nil {
		return nil, err
	}
	u := &Untrusted{sources: o, dir: d}
	if s.Ignored != nil {
		u.Ignored = *s.Ignored
	}
	o.Trusted = func(string) bool { return true }
	if s, err = config.Load(o); err == nil {
		all := (&Settings{Settings: s, host: h, home: env}).Manifests()
		u.Tools = slices.DeleteFunc(all, func(f manifest.Found) bool { return f.Trusted || f.Tool == nil })
	}
	return u, nil
}

// Empty reports whether there is nothing to trust.
func (u *Untrusted) Empty() bool { return u.Ignored.SHA == "" && len(u.Tools) == 0 }

// Sources lists the files that were looked at.
func (u *Untrusted) Sources() []Source { return Look(u.sources) }

// Trust records that a person trusts all of it. The warning, if any, says that
// the record may not last.
func (u *Untrusted) Trust(ctx context.Context) (warning fault.Text, err error) {
	var shas []string
	if u.Ignored.SHA != "" {
		shas = append(shas, u.Ignored.SHA)
	}
	for _, f := range u.Tools {
		shas = append(shas, f.SHA)
	}
	if err := config.Trust(ctx, u.dir, shas...); err != nil {
		return fault.Text{}, err
	}
	return u.dir.Warning(), nil
}

// Distrust forgets everything that is trusted of the workspace.
func (h *Host) Distrust(ctx context.Context) error {
	d, err := h.Workspace().State()
	if err != nil {
		return err
	}
	return config.Distrust(ctx, d)
}

// trusted returns a function that reports whether a person trusts a file, by the
// SHA-256 of its bytes. It opens the state directory at its first call.
func (h *Host) trusted(dir func() (*state.Dir, error)) func(sha string) bool {
	load := sync.OnceValue(func() func(string) bool {
		d, err := dir()
		if err != nil {
			return func(string) bool { return false }
		}
		if path, err := d.Path(); err == nil {
			h.seen.note(filepath.Join(path, config.TrustFile))
		}
		ask, err := config.Trusted(d)
		if err != nil {
			return func(string) bool { return false }
		}
		return ask
	})
	return func(sha string) bool { return load()(sha) }
}
