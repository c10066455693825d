package doctor

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
)

// The space that should be left where helve writes, in bytes: below the lower one a write
// of a large file and its undo may fail.
const (
	little    = 1 << 30
	tooLittle = 50 << 20
)

// workspace says whether there is a directory to work in, and room in it.
func (v *visit) workspace(context.Context) []Check {
	const name = "workspace"
	root, err := v.env.Root()
	if err != nil {
		return failed(Error, name, err)
	}
	if err := tryWriting(root.Dir()); err != nil {
		return wrong(Warning, name, fault.T("%s cannot be written: %s", root.Dir(), reason(err, root.Dir())),
			fault.T("nothing need be done if it is only to be read; else let this user write to it"))
	}
	return append(fine(name, fault.T("%s can be written", root.Dir())), room("workspace", root.Dir())...)
}

// projects says which of the other roots are there.
func (v *visit) projects(context.Context) (all []Check) {
	for _, p := range v.settings.Config.Projects {
		const name = "project"
		switch info, err := os.Stat(p.Path); {
		case err != nil:
			all = append(all, of(p.ID, wrong(Warning, name, fault.As(fault.System(err, p.Path)).Message, mendProject()))...)
		case !info.IsDir():
			all = append(all, of(p.ID, wrong(Warning, name, fault.T("%s is not a directory", p.Path), mendProject()))...)
		default:
			all = append(all, of(p.ID, fine(name, fault.T("%s, mode %s", p.Path, cmp.Or(p.Mode, "read"))))...)
		}
	}
	return all
}

func mendProject() fault.Text {
	return fault.T("make the directory, or correct projects in the configuration")
}

// configurationDirectory says whether settings and rules can be written.
func (v *visit) configurationDirectory(context.Context) []Check {
	dir := filepath.Dir(v.host.Dirs.UserConfig)
	if err := tryWriting(dir); err != nil {
		return wrong(Warning, "configuration directory", fault.T("%s cannot be written, so settings and rules cannot be kept: %s", dir, reason(err, dir)),
			fault.T("let this user write to it, or set HELVE_HOME to a directory that can be written"))
	}
	return fine("configuration directory", fault.T("%s can be written", dir))
}

// state says whether undo, approvals and messages can be kept, by keeping something.
func (v *visit) state(context.Context) []Check {
	const name, trial = "state", "doctor.trial"
	dir, err := v.env.State()
	if err == nil {
		err = errors.Join(dir.WriteFile(trial, []byte("{}\n")), dir.Remove(trial))
	}
	if err != nil {
		return failed(Error, name, err)
	}
	path, err := dir.Path()
	if err != nil {
		return failed(Error, name, err)
	}
	if why := dir.Warning(); !why.IsZero() {
		return append(wrong(Warning, name, why, fault.T("let this user write to %s, or set HELVE_HOME to a directory outside of the workspace that can be written", v.host.Dirs.State)),
			room("state", path)...)
	}
	return append(fine(name, fault.T("%s can be written", path)), room("state", path)...)
}

// cache says whether pages, documents and tool chains can be kept.
func (v *visit) cache(context.Context) []Check {
	dir := v.host.Dirs.Cache
	if err := tryWriting(dir); err != nil {
		return wrong(Warning, "cache", fault.T("%s cannot be written, so nothing is kept there: %s", dir, reason(err, dir)),
			fault.T("let this user write to it, or set XDG_CACHE_HOME or HELVE_HOME to a directory that can be written"))
	}
	return fine("cache", fault.T("%s can be written", dir))
}

// temporary says whether there can be temporary files.
func (v *visit) temporary(context.Context) []Check {
	dir := os.TempDir()
	if err := tryWriting(dir); err != nil {
		return wrong(Error, "temporary files", fault.T("%s cannot be written: %s", dir, reason(err, dir)),
			fault.T("set TMPDIR to a directory that can be written"))
	}
	return append(fine("temporary files", fault.T("%s can be written", dir)), room("temporary", dir)...)
}

// room says how much can be written to the disk of a directory.
func room(which, dir string) []Check {
	const name = "disk"
	left, err := process.DiskLeft(dir)
	if err != nil {
		return of(which, failed(Warning, name, fault.System(err, dir)))
	}
	detail := fault.T("%d MB are left at %s", left/1e6, dir)
	switch {
	case left < tooLittle:
		return of(which, wrong(Error, name, detail, mendRoom()))
	case left < little:
		return of(which, wrong(Warning, name, detail, mendRoom()))
	}
	return of(which, fine(name, detail))
}

func mendRoom() fault.Text {
	return fault.T("make room: large writes, and keeping what undo needs, may fail")
}

// tryWriting makes a file in a directory and removes it. Of a directory that is not there
// yet, the next one above it that is must let it be made.
func tryWriting(dir string) error {
	f, err := os.CreateTemp(dir, ".helve-doctor-")
	if up := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && up != dir {
		if _, there := os.Lstat(dir); there == nil {
			return err // a link that leads nowhere
		}
		return tryWriting(up)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("trial\n")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// reason returns why the system refused something, without the name of a trial.
func reason(err error, dir string) fault.Text { return fault.As(fault.System(err, dir)).Message }
