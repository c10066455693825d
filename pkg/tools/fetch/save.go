package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
	"github.com/helve-dev/helve/pkg/web"
)

const (
	// saveBytes is the largest file that is saved, in bytes.
	saveBytes = 100 << 20
	// newMode is the mode of a new file that is moved into the workspace.
	newMode = 0o644
)

// judge returns the risk: a call that saves writes.
func judge(_ context.Context, call *tool.Call, a Args) (*tool.Judgement, Args, error) {
	j := &tool.Judgement{Risk: policy.Read, Flags: []string{}}
	if a.Save == "" {
		return j, a, nil
	}
	if len(a.URLs) > 0 {
		return nil, a, schema.Invalid("/save", fault.T("saves one file, and urls are several")).
			WithHint(fault.T("pass one url and save, once for each file"))
	}
	// Arguments that were cut off are completed for a call that reads; a path must be whole.
	if _, _, err := schema.ReadRepaired(call.Input, nil, true); err != nil {
		return nil, a, err
	}
	j.Risk = policy.Write
	j.Reasons = []fault.Text{fault.T("it saves %s to %s", web.Shorten(web.OneLine(a.URL), maxLabel), a.Save)}
	return j, a, nil
}

// savedTo returns the file that is saved: it is locked only when all of it has come.
func savedTo(_ context.Context, _ *tool.Call, a Args) ([]tool.Target, error) {
	if a.Save == "" {
		return nil, nil
	}
	return []tool.Target{{Use: schema.WritePath, Path: a.Save, Late: true}}, nil
}

// preview says what is saved where.
func preview(ctx context.Context, call *tool.Call, a Args) (string, error) {
	if a.Save == "" {
		text, err := schema.Marshal(a)
		return string(text), err
	}
	old, err := destined(ctx, call.Silent(), a.Save)
	if err != nil {
		return "", err
	}
	what := fault.T("save %s\nto   %s, a new file", a.URL, a.Save)
	if old.exists {
		what = fault.T("save %s\nto   %s, in place of its %d bytes", a.URL, a.Save, old.bytes)
	}
	return what.In(call.Env.Lang) + "\n", nil
}

// destination describes the file at the path that a file is saved to.
type destination struct {
	real   string
	exists bool
	bytes  int64
	sha    string // "" if the file is too large for one
}

// destined returns what is at a path, and the fault of overwriting it: the rules are those
// of write.
func destined(ctx context.Context, call *tool.Call, path string) (destination, error) {
	big, err := textfile.OpenLarge(call, path, 0)
	if err != nil {
		return destination{}, err
	}
	var at destination
	var known bool
	if big != nil {
		known, err = big.Lost(ctx)
		at = destination{real: big.Real, exists: true, bytes: big.Info.Size(), sha: big.SHA}
		if err = errors.Join(err, big.Close()); err != nil {
			return at, err
		}
	} else {
		old, err := textfile.Load(call, path)
		if err != nil {
			return at, err
		}
		at = destination{real: old.Real, exists: old.Exists, bytes: old.Bytes, sha: old.SHA}
		if !old.Exists {
			return at, nil
		}
		k, err := old.Known()
		if err != nil {
			return at, err
		}
		if known = k.Known; known {
			if err := k.Lost(); err != nil {
				return at, err
			}
		}
	}
	switch {
	case known || call.Env.RequireRead == "off":
	case call.Env.RequireRead == "on":
		return at, fault.New(fault.Unread, fault.T("%s would be overwritten, and this session has not read it", path)).
			WithHint(fault.T("read it first, or save to a path that is free")).
			WithDetails(map[string]any{"sha": at.sha, "bytes": at.bytes})
	default:
		call.WarnDone(fault.T("%s was overwritten although this session has not read it", path))
	}
	return at, nil
}

// save writes what a server sends into a file of the workspace.
func save(ctx context.Context, call *tool.Call, a Args) (_ *Page, err error) {
	client, err := tool.Service[*web.Client](call.Env)
	if err != nil {
		return nil, err
	}
	before, err := destined(ctx, call.Silent(), a.Save) // before anything is asked for
	if err != nil {
		return nil, err
	}
	dir, err := call.Env.State()
	if err != nil {
		return nil, err
	}
	spool, err := dir.Spool()
	if err != nil {
		return nil, err
	}
	defer spool.Discard()
	r, err := download(ctx, client, call, a, spool)
	if err != nil {
		return nil, err
	}
	name := nameOf(r, r.FinalURL.URL())
	k := kind.Of(r.Body, name, spool, r.Size)
	p := &Page{
		URL: r.URL.String(), FinalURL: r.FinalURL.String(), Status: r.Status, MIME: k.MIME, Untrusted: true, Redirects: r.Redirects,
		Format: page.Raw, Extractor: page.AsSent, Saved: &Saved{Path: a.Save, Bytes: r.Size},
	}
	if k.Class == kind.Text && isText(r.MIME) {
		p.MIME = r.MIME
	}
	if r.Size == 0 {
		call.Warn(fault.T("the server sent nothing: the file is empty"))
	}
	return p, p.Saved.install(ctx, call, spool, before)
}

// download writes the body of a success to a file.
func download(ctx context.Context, client *web.Client, call *tool.Call, a Args, to *state.Spool) (*web.Response, error) {
	asked, err := web.Parse(a.URL)
	if err != nil {
		return nil, err
	}
	q := web.Request{
		URL: asked, Timeout: time.Duration(a.Timeout) * time.Second, MaxBytes: saveBytes,
		Into: func() (io.Writer, error) { return to, to.Empty() },
	}
	if raw, ok := source(asked); ok && a.Main {
		q.URL = raw
	}
	r, err := ask(ctx, client, call, q)
	if err != nil {
		return nil, err
	}
	for _, w := range r.Warnings {
		call.Warn(w)
	}
	if err := failure(r, r.FinalURL.URL()); err != nil {
		return nil, err
	}
	if r.Status == http.StatusPartialContent {
		return nil, fault.New(fault.HTTPStatus, fault.T("the server sent only a part of the file (HTTP 206)")).
			WithHint(fault.T("nothing was saved; use another address for the same file"))
	}
	if q.URL != asked {
		call.Warn(fault.T("this is the file itself: %s", r.FinalURL))
	}
	return r, nil
}

// install puts the file into its place, which must still hold what it held before.
func (s *Saved) install(ctx context.Context, call *tool.Call, spool *state.Spool, before destination) (err error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(spool, 0, s.Bytes)); err != nil {
		return fault.System(err, s.Path)
	}
	s.SHA = hex.EncodeToString(hash.Sum(nil))[:16]
	j, err := call.Env.Journal()
	if err != nil {
		return err
	}
	tx, err := j.Begin(ctx, before.real)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Close()) }()
	for _, w := range tx.Warnings() {
		call.Warn(w)
	}
	now, err := destined(ctx, call, s.Path)
	if err != nil {
		return err
	}
	if now != before {
		return fault.New(fault.Stale, fault.T("%s has changed while the file was fetched; nothing was saved", s.Path)).
			WithHint(fault.T("look at it, then call again"))
	}
	changes, err := s.changes(spool, now)
	if err != nil {
		return err
	}
	own := *call
	own.Tx = tx
	if s.UndoID, err = textfile.Apply(ctx, &own, "fetch", changes...); err != nil {
		return err
	}
	textfile.Record(call, now.real, s.SHA, nil, nil) // the session made it: to replace it loses nothing of others
	return nil
}

// changes returns what makes the file that was fetched the one at its path. What is too
// large to be held in memory is moved there.
func (s *Saved) changes(spool *state.Spool, at destination) ([]journal.Change, error) {
	if s.Bytes <= state.MaxBlob && at.bytes <= state.MaxBlob {
		content := bytes.NewBuffer(make([]byte, 0, s.Bytes+bytes.MinRead))
		if _, err := content.ReadFrom(io.NewSectionReader(spool, 0, s.Bytes)); err != nil {
			return nil, fault.System(err, s.Path)
		}
		expect := journal.Absent
		if at.exists {
			expect = at.sha
		}
		return []journal.Change{{Op: journal.Write, Path: at.real, Content: content.Bytes(), Expect: expect}}, nil
	}
	if err := spool.Close(); err != nil { // some systems move no open file
		return nil, fault.System(err, s.Path)
	}
	in := []journal.Change{{Op: journal.MoveIn, Path: at.real, Source: spool.Path()}, {Op: journal.Chmod, Path: at.real, Mode: newMode}}
	if at.exists {
		in = append([]journal.Change{{Op: journal.MoveOut, Path: at.real, Expect: at.sha}}, in...)
	}
	return in, nil
}
