package workspace

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// MaxPath is the longest path, in bytes, that a caller may name: the limit of Linux.
const MaxPath = 4095

// Path is a path inside a workspace: relative to its root, without "..", and with the
// escapes of [Escape]. Only this package makes one, so a function that takes it gets a
// path that was confined by its letters. That is no license to open it by name: the kernel
// confines each opening anew.
type Path struct {
	rel   string // "." for the root
	given string // as the caller wrote it, for errors
}

// pathAt returns the Path of one that is clean already.
func pathAt(rel string) Path { return Path{rel, rel} }

// At returns a path by its names from the root, such as one that a walk found. No ".."
// leads above the root. Errors name it as [Root.Show] does.
func (r *Root) At(names string) Path {
	rel := "."
	if below := path.Clean("/" + filepath.ToSlash(Unescape(names)))[1:]; below != "" {
		rel = Escape(below)
	}
	return Path{rel, r.Show(rel)}
}

// String returns the path relative to the root, with "/" between names and "." for the
// root.
func (p Path) String() string { return p.rel }

// Clean returns the path that a caller wrote. It goes by the letters alone: "a/../b" is
// "b" even if a is a link, nothing is expanded or decoded, and the path need not exist. An
// absolute path may start with any name of the root directory.
func (r *Root) Clean(name string) (Path, error) {
	switch {
	case name == "":
		return Path{}, fault.New(fault.InvalidArguments, fault.T("the path is empty")).
			WithHint(fault.T("use . for the workspace root"))
	case strings.IndexByte(name, 0) >= 0:
		return Path{}, fault.New(fault.InvalidArguments,
			fault.T("the path contains a NUL byte: %q", name)).
			WithHint(fault.T("remove the NUL byte"))
	case len(name) > MaxPath:
		return Path{}, fault.New(fault.InvalidArguments,
			fault.T("the path is %d bytes long, more than %d", len(name), MaxPath)).
			WithHint(fault.T("use a shorter path"))
	}
	if runtime.GOOS == "windows" {
		if reason := windowsPathFault(name); !reason.IsZero() {
			return Path{}, fault.New(fault.InvalidArguments, fault.T("%s: %s", name, reason)).
				WithHint(fault.T("use a plain path inside the workspace"))
		}
	}
	given := name
	name, err := r.unlabel(name)
	if err != nil {
		return Path{}, err
	}
	if filepath.IsAbs(name) {
		rel, ok := r.within(filepath.Clean(Unescape(name)))
		if !ok && Unescape(name) != name { // the root itself may have a backslash in its name
			rel, ok = r.within(filepath.Clean(name))
			rel = Unescape(rel)
		}
		if !ok {
			return Path{}, r.refused(outside, given)
		}
		return Path{Escape(rel), given}, nil
	}
	rel := path.Clean(filepath.ToSlash(Unescape(name)))
	if !Within(rel, ".") {
		// It may come back, as ../project/x does.
		var ok bool
		if rel, ok = r.within(filepath.Join(r.spelled, filepath.FromSlash(rel))); !ok {
			return Path{}, r.refused(outside, given)
		}
	}
	return Path{Escape(rel), given}, nil
}

// Path returns the absolute path of the entry at a path relative to the root, as the
// system has it. It is for programs that are started: what is there may change.
func (r *Root) Path(rel string) string {
	return filepath.Join(r.dir, filepath.FromSlash(Unescape(rel)))
}

// Rel returns an absolute path that the system has relative to the root, if it is in
// it. It goes by the letters alone.
func (r *Root) Rel(abs string) (rel string, ok bool) {
	rel, ok = RelOS(abs, r.dir)
	return Escape(rel), ok
}

// within returns a clean absolute path relative to the root, if it is in it.
func (r *Root) within(abs string) (string, bool) {
	for _, base := range [...]string{r.dir, r.spelled} {
		if rel, ok := RelOS(abs, base); ok {
			return rel, true
		}
	}
	// A third spelling: /tmp/ws for /private/tmp/ws, or another case. Only
	// directories with the root's name are examined, so that a caller cannot probe
	// for any path, and none of the kernel's, which differ by process.
	if ofKernel(abs) {
		return "", false
	}
	for dir := abs; ; dir = filepath.Dir(dir) {
		name := filepath.Base(dir)
		if strings.EqualFold(name, filepath.Base(r.dir)) || strings.EqualFold(name, filepath.Base(r.spelled)) {
			if info, err := os.Stat(dir); err == nil && sameFile(info, r.self) {
				return RelOS(abs, dir)
			}
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

// linkRest returns the names below the root in the absolute target of a link. They
// may contain "..". Unlike [Root.within] it does not clean the target first: what
// ".." means in a link depends on the links before it.
func (r *Root) linkRest(target string) ([]string, bool) {
	names := pathNames(filepath.ToSlash(target))
	for _, base := range [...]string{r.dir, r.spelled} {
		start := pathNames(filepath.ToSlash(base))
		if len(names) >= len(start) && slices.EqualFunc(names[:len(start)], start, sameSpelling) {
			return names[len(start):], true
		}
	}
	return nil, false
}

func sameSpelling(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// pathNames returns the names in a slash-separated path, without those that are
// empty or ".".
func pathNames(p string) []string {
	return slices.DeleteFunc(strings.Split(p, "/"), func(s string) bool { return s == "" || s == "." })
}
