package doctor

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// tools says how many tools there are, and which of a person's own cannot be used.
func (v *visit) tools(context.Context) (all []Check) {
	if v.usable != nil {
		return nil
	}
	s, err := v.host.Settings()
	if err != nil {
		return failed(Error, "tools", err)
	}
	c := s.Catalog()
	all = fine("tools", fault.T("%d are offered", len(c.All())))
	for _, f := range s.Manifests() {
		if f.Tool == nil {
			all = append(all, of(f.Name, wrong(Warning, "tool", fault.T("its manifest %s cannot be used", f.File), fault.T("helve tools validate %s says why", f.File)))...)
		}
	}
	for _, f := range v.host.Records().List() {
		if f.Err != nil {
			all = append(all, of(f.Name, failed(Warning, "server", f.Err))...)
		}
	}
	return all
}

// shared returns why messages and jobs cannot be kept in the state directory.
func (v *visit) shared() error {
	dir, err := v.host.Shared()
	if err != nil {
		return err
	}
	_, err = dir.Path()
	return err
}

// store says whether messages and jobs can be kept.
func (v *visit) store(ctx context.Context) []Check {
	const name = "store"
	if v.usable != nil {
		return nil // nobody knows which store it is
	}
	s, err := v.host.Store()
	if err != nil {
		return failed(Error, name, err)
	}
	if file, ok := s.(*bolt.Store); ok {
		report, err := file.Check(ctx)
		switch {
		case err != nil:
			v.storeless = true
			return failed(Error, name, err)
		case len(report.Damage) > 0:
			return wrong(Error, name, fault.T("%s is damaged in %d places", report.Path, len(report.Damage)), fault.T("helve store check --repair saves what can be read"))
		}
		if err := v.shared(); err != nil {
			return failed(Error, name, err)
		}
		if report.Bytes == 0 {
			return fine(name, fault.T("nothing is kept yet; the first message or job makes %s", report.Path))
		}
		return fine(name, fault.T("%s, %d bytes, no damage", report.Path, report.Bytes))
	}
	err = s.View(ctx, func(r store.Reader) error {
		_, err := r.Get("doctor") // any key: an engine connects when something is read
		return err
	})
	if err != nil {
		v.storeless = true
		return failed(Error, name, err)
	}
	return fine(name, fault.T("the server answers"))
}

// scheduler says whether somebody runs the jobs that there are.
func (v *visit) scheduler(ctx context.Context) []Check {
	const name = "scheduler"
	if v.usable != nil || v.storeless { // it is said already
		return nil
	}
	jobs, err := v.host.Jobs()
	if err != nil {
		return failed(Warning, name, err)
	}
	all, err := jobs.List(ctx)
	if err != nil {
		return failed(Warning, name, err)
	}
	status, err := jobs.SchedulerStatus(ctx)
	if err != nil {
		return failed(Warning, name, err)
	}
	enabled := 0
	for i := range all {
		if all[i].Enabled {
			enabled++
		}
	}
	switch {
	case status.Running:
		return fine(name, fault.T("running on %s as process %d, for %d jobs", status.Host, status.PID, enabled))
	case enabled > 0:
		return wrong(Warning, name, fault.T("not running, and %d jobs wait for one", enabled), status.Hint)
	}
	return fine(name, fault.T("not running, and there are no jobs"))
}
