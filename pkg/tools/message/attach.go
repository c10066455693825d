package message

import (
	"context"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// attached returns the files that a call reads.
func attached(_ context.Context, _ *tool.Call, a Args) ([]tool.Target, error) {
	if len(a.Media) > bus.MaxFiles {
		return nil, schema.Invalid("/media", fault.T("has %d files, and a message at most %d", len(a.Media), bus.MaxFiles)).
			WithHint(fault.T("pack them into one archive with exec, or send several messages"))
	}
	all := make([]tool.Target, 0, len(a.Media))
	for i, path := range a.Media {
		at := "/media/" + strconv.Itoa(i)
		if strings.TrimSpace(path) == "" {
			return nil, schema.Invalid(at, fault.T("must not be empty")).WithHint(fault.T("name a file of the workspace"))
		}
		if strings.Contains(path, "://") {
			return nil, schema.Invalid(at, fault.T("%q is an address, and files of the workspace are sent", path)).
				WithHint(fault.T("save it with fetch and save first, or put the address into content"))
		}
		all = append(all, tool.Target{Use: schema.ReadPath, Path: path})
	}
	return all, nil
}

// attach copies files, so that what is sent does not change with them.
func attach(ctx context.Context, call *tool.Call, b *bus.Bus, paths []string) ([]bus.File, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	files := make([]bus.File, 0, len(paths))
	for _, path := range paths {
		clean, err := root.Clean(path)
		if err != nil {
			return nil, err
		}
		file, err := one(ctx, call, b, root.Show(clean.String()))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// one copies a file.
func one(ctx context.Context, call *tool.Call, b *bus.Bus, path string) (bus.File, error) {
	root, at, err := call.Confined(path)
	if err != nil {
		return bus.File{}, err
	}
	f, err := root.Open(at)
	if err != nil {
		return bus.File{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return bus.File{}, fault.System(err, path)
	}
	if info.IsDir() {
		return bus.File{}, fault.New(fault.IsDirectory, fault.T("%s is a directory", path)).
			WithHint(fault.T("name the files, or pack them into one archive with exec"))
	}
	kept, err := b.Keep(ctx, path, f)
	if err == nil && kept.Far() {
		call.WarnDone(fault.T("%s is too large for the store that hosts share: it can be read on %s alone", path, kept.Host))
	}
	return kept, err
}
