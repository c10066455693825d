package check

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"

	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// maxFormatted limits the bytes of a file that is formatted.
const maxFormatted = 4 << 20

// Format implements [tool.Responder].
func (c *Checker) Format(ctx context.Context, call *tool.Call, real string, raw []byte) (formatted []byte, ok bool) {
	rules := c.rulesFor([]string{real}, formats)
	if len(rules) == 0 || len(raw) == 0 || len(raw) > maxFormatted || !utf8.Valid(raw) {
		return nil, false
	}
	b, err := newBench(call)
	if err != nil {
		c.failed(call, err)
		return nil, false
	}
	defer b.done()
	now := raw
	for _, r := range rules {
		next, err := b.format(ctx, r, real, now)
		if err != nil {
			if fault.Is(err, fault.BadDocument) && len(c.rulesFor([]string{real}, checks)) > 0 {
				continue // the checker says it better
			}
			call.WarnOnce(fault.T("%s did not format %s: %s", path.Base(r.OnChange.Format[0]), real, fault.As(err).Message))
			continue
		}
		now = next
	}
	return now, string(now) != string(raw)
}

// format returns what a formatter makes of a file.
func (b *bench) format(ctx context.Context, r *rule, real string, raw []byte) (next []byte, err error) {
	d, err := b.call.Env.State()
	if err != nil {
		return nil, err
	}
	if b.Kind == sandbox.Namespaces {
		return b.onLayer(ctx, d, r, real, raw)
	}
	return b.onCopy(ctx, r, real, raw)
}

// onLayer runs a formatter on a layer over the workspace that has the new bytes of the file:
// the workspace stays as it is, whatever the program writes.
func (b *bench) onLayer(ctx context.Context, d *state.Dir, r *rule, real string, raw []byte) (next []byte, err error) {
	name := "formats/" + rand.Text()
	var layer sandbox.Preview
	for sub, dir := range map[string]*string{"upper": &layer.Upper, "work": &layer.Work} {
		if *dir, err = d.Directory(name + "/" + sub); err != nil {
			return nil, err
		}
	}
	defer func() { _ = d.RemoveDirectory(name) }() // the state directory forgets it later
	upper, err := workspace.Open(layer.Upper, workspace.Options{})
	if err != nil {
		return nil, err
	}
	defer upper.Close()
	if err := put(upper, real, raw); err != nil {
		return nil, err
	}
	p, err := b.profile(b.Root.Dir())
	if err != nil {
		return nil, err
	}
	p.Preview = &layer
	box, err := native.New(p, b.Support, b.Kind)
	if err != nil {
		return nil, err
	}
	c := b.formatter(r, b.Root.Path(real), real)
	c.Sandbox = box
	out, err := run.Run(ctx, c)
	if err := ended(out, err); err != nil {
		return nil, err
	}
	changes, _, err := box.Changes()
	if err != nil {
		return nil, err
	}
	var others []string
	for _, change := range changes {
		if change.Path != workspace.Unescape(real) && (change.Op != sandbox.Mode || change.Mode.IsRegular()) && !change.Mode.IsDir() {
			others = append(others, change.Path)
		}
	}
	b.refuse(r, others)
	return get(upper, real)
}

// refuse warns of other files that a formatter wrote or wanted to.
func (b *bench) refuse(r *rule, others []string) {
	if len(others) > 0 {
		b.call.Warn(fault.T("%s may write the file alone that it formats: what it did to %s was refused",
			path.Base(r.OnChange.Format[0]), strings.Join(others[:min(len(others), 5)], ", ")))
	}
}

// onCopy runs a formatter on a copy in a directory beside the file, where it finds the same
// settings: the only one that the program may write to.
func (b *bench) onCopy(ctx context.Context, r *rule, real string, raw []byte) (next []byte, err error) {
	dir := path.Dir(real)
	for there := existing(b.Root); !there(dir); {
		dir = path.Dir(dir)
	}
	scratch, err := os.MkdirTemp(b.Root.Path(dir), "helve-format-")
	if err != nil {
		return nil, fault.System(err, dir)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	copied, err := workspace.Open(scratch, workspace.Options{})
	if err != nil {
		return nil, err
	}
	defer copied.Close()
	name := path.Base(real)
	if err := put(copied, name, raw); err != nil {
		return nil, err
	}
	p, err := b.profile(copied.Dir())
	if err != nil {
		return nil, err
	}
	out, err := b.run(ctx, b.formatter(r, copied.Path(name), real), p)
	if err := ended(out, err); err != nil {
		return nil, err
	}
	var others []string
	for _, d := range out.Denials {
		if d.Op == "write" {
			others = append(others, b.Shown(d.Path))
		}
	}
	b.refuse(r, others)
	return get(copied, name)
}

// formatter returns the run of a formatter for a file, which is at the absolute path at.
func (b *bench) formatter(r *rule, at, real string) run.Command {
	var words []string
	for _, word := range r.OnChange.Format {
		words = append(words, strings.NewReplacer("{file}", at, "{dir}", filepath.Dir(at), "{root}", b.Root.Dir()).Replace(word))
	}
	return b.command(words, b.Root.Path(projectOf(path.Dir(real), existing(b.Root))), r.limit())
}

// ended returns a fault unless a formatter came to a good end.
func ended(out *run.Result, err error) error {
	switch {
	case out == nil:
		return err
	case out.Ended != run.NoReason:
		return fault.New(fault.Timeout, fault.T("it did not end in time"))
	case out.ExitCode != 0:
		return fault.New(fault.BadDocument, fault.T("it ended with %d: %s", out.ExitCode, firstLine(out.Stderr.Text+out.Output.Text)))
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line[:min(len(line), 300)]
}

// put writes a file below a directory.
func put(root *workspace.Root, rel string, raw []byte) error {
	if dir := path.Dir(rel); dir != "." {
		if _, err := root.MkdirAll(root.At(dir)); err != nil {
			return err
		}
	}
	f, err := root.Create(root.At(rel))
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	return fault.System(errors.Join(err, f.Close()), rel)
}

// get reads it.
func get(root *workspace.Root, rel string) ([]byte, error) {
	f, err := root.Open(root.At(rel))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFormatted))
	return raw, fault.System(err, rel)
}
