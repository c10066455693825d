package read

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/archive"
	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/language"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
)

// mostNested limits the nesting of archives.
const mostNested = 2

// archived shows the content of an archive, or one of its members. A compressed file has
// one, which is shown at once.
func archived(ctx context.Context, call *tool.Call, f io.ReaderAt, size int64, r Result, a Args) (Result, error) {
	f = watch(call, f, size, a.Path)
	name, left := a.Path, a.Member
	mime, at := r.MIME, ""
	for depth := 1; ; depth++ {
		opened, err := archive.Open(ctx, f, size, mime, name)
		if err != nil {
			return Result{}, fault.System(err, a.Path)
		}
		opened.At = at
		r.Document = &Document{Info: document.Info{Format: string(opened.Format)}}
		if left == "" && opened.Name == "" {
			l, err := opened.List(ctx)
			return r.contents(ctx, call, a, &l, l.Entries, err)
		}
		m, err := opened.Read(ctx, left)
		switch {
		case err != nil && (len(m.Data) == 0 || !fault.Is(err, fault.BadDocument)):
			return Result{}, fault.System(err, a.Path)
		case err != nil:
			call.Warn(fault.T("%s; this is what could be read", fault.As(err).Message))
		case m.Listing != nil:
			r.Member = at + m.Name
			return r.contents(ctx, call, a, m.Listing, m.Listing.Entries, nil)
		}
		k := kind.Of(m.Data[:min(len(m.Data), text.HeadBytes)], m.Name, bytes.NewReader(m.Data), int64(len(m.Data)))
		packed := archive.Reads(k.MIME)
		switch {
		case m.Rest == "" && !packed:
			r.Member = at + m.Name
			return r.member(ctx, call, a, &m, k)
		case m.Rest != "" && !packed:
			return Result{}, fault.New(fault.NotFound, fault.T("the archive has no member %s: %s is no archive", left, m.Name)).
				WithHint(fault.T("read the archive without member to list it"))
		case depth == mostNested:
			return Result{}, fault.New(fault.TooLarge, fault.T("%s is an archive in an archive in an archive", m.Name)).
				WithHint(fault.T("unpack the outer one with exec, then read what is in it"))
		}
		name, left, mime = m.Name, m.Rest, k.MIME
		f, size = bytes.NewReader(m.Data), int64(len(m.Data))
		at += m.Name + "/"
		r.Member = at
	}
}

// contents shows entries as lines of text. An error says why there are no more.
func (r *Result) contents(ctx context.Context, call *tool.Call, a Args, l *archive.Listing, entries []archive.Entry, err error) (Result, error) {
	if err != nil && (len(entries) == 0 || !fault.Is(err, fault.BadDocument)) {
		return Result{}, fault.System(err, a.Path)
	}
	if err := errors.Join(checkUses(&a, r.MIME, useMember), checkOutline(&a, false)); err != nil {
		return Result{}, err
	}
	switch {
	case err != nil:
		call.Warn(fault.T("%s; the entries before that are listed", fault.As(err).Message))
	case !l.Exact:
		call.Warn(fault.T("the archive is too large to list completely"))
	}
	total := Total{Entries: len(entries), Exact: err == nil && l.Exact}
	for _, e := range entries {
		total.Bytes += max(e.Bytes, 0)
	}
	a.Encoding = ""
	if err := r.turn(ctx, []byte(archive.Lines(entries)), a); err != nil {
		return Result{}, err
	}
	r.Kind, r.Document.Total = kind.Document, &total
	r.Content.SHA, r.Content.Bytes, r.Recommend = "", 0, nil
	return *r, nil
}

// member shows one member.
func (r *Result) member(ctx context.Context, call *tool.Call, a Args, m *archive.Member, k kind.Kind) (Result, error) {
	r.MIME = k.MIME
	in, size, head := bytes.NewReader(m.Data), int64(len(m.Data)), m.Data[:min(len(m.Data), text.HeadBytes)]
	isText := k.Class == kind.Text || k.Class == kind.Notebook || a.Encoding != ""
	if k.Class == kind.Document && open.Reads(k.MIME) && a.Encoding == "" {
		a.Member = ""
		return converted(ctx, call, in, size, *r, a)
	}
	if err := checkUses(&a, k.MIME, useMember); err != nil {
		return Result{}, err
	}
	if err := checkOutline(&a, isText); err != nil {
		return Result{}, err
	}
	switch {
	case k.Class == kind.Image && a.Encoding == "":
		r.Kind, r.Media = kind.Image, []Media{imageOf(in, size, m.Name, k.MIME)}
		if path, err := artifact.Image(call, m.Data, k.MIME); err != nil {
			call.Warn(fault.T("the image is not saved: %s", fault.As(err).Message))
		} else {
			r.Media[0].Path, r.Media[0].Alt = path, m.Name
		}
		if err := r.show(call, in, size, m.Name, k.MIME); err != nil {
			call.Warn(fault.T("the image is not shown: %s", fault.As(err).Message))
		}
		return *r, nil
	case !isText:
		return Result{}, unreadable(k, size, m.Name)
	}
	r.Kind, r.Language = kind.Text, language.Of(m.Name, head)
	if a.Outline || a.Symbol != "" {
		s, err := parse(ctx, in, size, r, &a, head)
		if err != nil {
			return Result{}, err
		}
		if a.Outline {
			s.list(r, &a)
			return *r, nil
		}
		if a.Range, err = s.rangeOf(r, &a); err != nil {
			return Result{}, err
		}
	}
	err := r.turn(ctx, m.Data, a)
	return *r, err
}
