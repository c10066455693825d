package program

import (
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/workspace"
)

const (
	// resultBytes limits the bytes kept of a result: [agent.MaxResult] less room for a
	// note that names the file with the rest.
	resultBytes = agent.MaxResult - 1<<10
	// fileBytes limits the bytes read of a file with a result.
	fileBytes = 8 << 20
)

// result returns the result of a program that has ended well; "" if there is none.
func (p *program) result(said printed) (string, error) {
	if p.Agent.Result != "file" {
		return strings.TrimSpace(said.out), nil
	}
	text, err := readResult(p.temp, p.file)
	switch {
	case fault.Is(err, fault.NotFound):
		return "", p.noFile()
	case err != nil:
		return "", p.unreadable(err)
	}
	return strings.TrimSpace(text), nil
}

// readResult reads the file with the result, which the program made: it may be anything,
// and lead anywhere.
func readResult(dir, name string) (text string, err error) {
	root, err := workspace.Open(dir, workspace.Options{Symlinks: workspace.Never})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	f, err := root.Open(root.At(name))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return "", fault.System(err, name)
	}
	if info.IsDir() {
		return "", fault.New(fault.IsDirectory, fault.T("it is a directory"))
	}
	data, err := io.ReadAll(io.LimitReader(f, fileBytes))
	if err != nil {
		return "", fault.System(err, name)
	}
	text = output.Fit(run.Text(data, false), resultBytes, output.Source{Raw: true}).Text
	if info.Size() > int64(len(data)) {
		text = strings.TrimRight(text, "\n") + "\n" + fault.T("[the first %d of %d bytes]", len(data), info.Size()).In(fault.English) + "\n"
	}
	return text, nil
}
