package read

import (
	"cmp"
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/tool"
)

const (
	// mostFiles limits the files that one call reads.
	mostFiles = 100
	// leastShare is the number of bytes of a budget below which reading a part of a file
	// says nothing: fewer files are then read.
	leastShare = 256
	// leastTokens is the same in tokens.
	leastTokens = 64
)

// File is the outcome for one of several files: the result of reading it alone, or the
// reason why that failed.
type File struct {
	Path string `json:"path"`
	*Result
	Error *Failure `json:"error,omitzero"`
}

// Failure is why a file was not read.
type Failure struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint,omitzero"`
	Details any        `json:"details,omitzero"`
}

// several reads files under one budget. It fails if none of them can be read.
func several(ctx context.Context, call *tool.Call, a Args, c chosen) (Result, error) {
	n := min(len(c.paths), mostFiles, max(1, a.MaxBytes/leastShare))
	if a.MaxTokens > 0 {
		n = min(n, max(1, a.MaxTokens/leastTokens))
	}
	r := Result{Path: a.Path, Kind: "files", Files: make([]File, n)}
	if more := c.paths[n:]; len(more) > 0 {
		r.NextPaths = more[:min(len(more), mostFiles)]
	}
	if left := c.total - n; left > len(r.NextPaths) {
		r.NextTotal = left
	}
	var failed error
	read, shown := 0, 0
	left := budget{a.MaxBytes, a.MaxTokens, maxEntries}
	parts := tool.NewParts(n)
	for k, i := range bySize(call, c.paths[:n]) {
		f := &r.Files[i]
		f.Path = c.paths[i]
		if err := ctx.Err(); err != nil {
			return Result{}, context.Cause(ctx)
		}
		result, err := left.read(ctx, parts.Of(call), a, c, f.Path, n-k)
		parts.Done(call)
		if err != nil {
			f.Error = failureOf(fault.As(err), call.Env.Lang)
			failed = cmp.Or(failed, err)
			continue
		}
		read++
		if shown += len(result.pictures); shown > mostPictures {
			result.pictures = nil
		}
		f.Result = &result
	}
	if shown > mostPictures {
		call.Warn(fault.T("only %d of the images are shown", mostPictures))
	}
	if read == 0 {
		return Result{}, noneRead(r.Files, failed)
	}
	r.Truncated = len(r.NextPaths) > 0 || slices.ContainsFunc(r.Files, func(f File) bool { return f.Result != nil && f.Truncated })
	return r, nil
}

// budget is the rest of the budget that files share: bytes and tokens of content, and
// entries of directories.
type budget struct{ bytes, tokens, entries int }

// read reads one of the files, of which so many are left, with an equal share. What it
// does not need is left for the others.
func (b *budget) read(ctx context.Context, call *tool.Call, a Args, c chosen, path string, files int) (Result, error) {
	if err := c.failed[path]; err != nil {
		return Result{}, err
	}
	if err := permitted(call, path); err != nil {
		return Result{}, err
	}
	a.Path, a.Paths = path, nil
	a.MaxBytes = max(1, b.bytes/files)
	if a.MaxTokens > 0 {
		a.MaxTokens = max(1, b.tokens/files)
	}
	r, err := one(ctx, call.About(path), a, max(1, b.entries/files))
	r.among = true
	if r.Content != nil {
		b.bytes -= len(r.Content.Content)
		if a.MaxTokens > 0 {
			b.tokens -= tokens.Estimate(r.Content.Content)
		}
	}
	b.bytes -= len(r.listed)
	if a.MaxTokens > 0 {
		b.tokens -= tokens.Estimate(r.listed)
	}
	if r.Listing != nil {
		b.entries -= len(r.Entries)
	}
	return r, err
}

// bySize returns the indexes of files, the smallest first: those are read whole, and
// what they leave of their shares is for the others.
func bySize(call *tool.Call, paths []string) []int {
	sizes, order := make([]int64, len(paths)), make([]int, len(paths))
	for i, path := range paths {
		order[i] = i
		root, at, err := call.Confined(path)
		if err != nil {
			continue // reading it says so
		}
		if info, err := root.Stat(at); err == nil {
			sizes[i] = info.Size()
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(sizes[i], sizes[j]) })
	return order
}

func failureOf(e *fault.Error, lang fault.Lang) *Failure {
	return &Failure{e.Code, e.Message.In(lang), e.Hint.In(lang), e.Details}
}

// noneRead is the fault of a call that could read none of its files: that of the first
// one, with those of all as details.
func noneRead(files []File, first error) error {
	if len(files) == 1 {
		return first
	}
	e := fault.As(first)
	return fault.New(e.Code, fault.T("none of %d files could be read; the first: %s", len(files), e.Message)).
		WithHint(e.Hint).WithDetails(map[string]any{"files": files}).Because(first)
}
