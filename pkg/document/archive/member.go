package archive

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace/rank"
)

// Member is a member that was read.
type Member struct {
	Entry
	Data []byte
	// Rest is the rest of the wanted name, if the member is an archive and the name leads
	// on into it.
	Rest string
	// Listing are the entries of a directory; then there is no data.
	Listing *Listing
}

// Read reads the member of a name; an empty name is the one of a compressed file. Of
// several with the same name the last counts, as it does for tar. Its content may come with
// an error: what could be read of one that is damaged.
//
// The codes of its errors are not_found, with up to three names that are near, too_large,
// bad_document, encrypted_document, unsupported_content and not_a_file, for links.
func (a *Archive) Read(ctx context.Context, name string) (Member, error) {
	wanted := strings.TrimSuffix(plain(strings.ReplaceAll(name, `\`, "/")), "/")
	if _, alone := a.members.(*single); alone && wanted == "" {
		wanted = a.Name
	}
	var found *Member
	var broken error // of the member found
	listing := Listing{Exact: true}
	left := int64(maxUnpacked) // for all members of the name
	err := a.each(ctx, func(e Entry, open func() (io.ReadCloser, error)) bool {
		listing.add(e)
		rest, ok := after(wanted, strings.TrimSuffix(plain(e.Name), "/"))
		switch {
		case !ok, rest != "" && (e.dir() || e.Link != ""), found != nil && len(rest) > len(found.Rest):
			return true
		}
		found, broken = &Member{Entry: e, Rest: rest}, nil
		if !e.dir() && e.Link == "" {
			found.Data, broken = content(e, open)
			if left -= int64(len(found.Data)); left < 0 {
				found.Data = nil
				broken = fault.New(fault.TooLarge, fault.T("the archive has %s too often", e.Name)).
					WithHint(fault.T("unpack it with exec, then read the file"))
				return false
			}
		}
		return true
	})
	switch {
	case found == nil && err != nil && !errors.Is(err, errBudget):
		return Member{}, err
	case found == nil || found.dir():
		below := Listing{Entries: listing.Below(wanted), Exact: listing.Exact && err == nil}
		if len(below.Entries) > 0 || found != nil {
			return Member{Entry: Entry{Name: wanted + "/"}, Listing: &below}, nil
		}
		if err != nil { // the limit on what is unpacked
			return Member{}, fault.New(fault.TooLarge, fault.T("the archive is too large to look for %s", a.At+wanted)).
				WithHint(fault.T("unpack it with exec, then read the file"))
		}
		return Member{}, a.missing(wanted, &listing)
	case found.Link != "":
		return Member{}, fault.New(fault.NotAFile, fault.T("%s is a link to %s in the archive", a.At+wanted, found.Link)).
			WithHint(fault.T("read the member that it leads to"))
	}
	return *found, broken
}

// after returns the rest of the wanted name after the name of a member.
func after(wanted, name string) (rest string, ok bool) {
	if wanted == name {
		return "", true
	}
	return strings.CutPrefix(wanted, name+"/")
}

// content reads a member, up to the limit.
func content(e Entry, open func() (io.ReadCloser, error)) ([]byte, error) {
	tooLarge := fault.New(fault.TooLarge, fault.T("%s has more than %d bytes, the most that can be read in an archive", e.Name, MemberBytes)).
		WithHint(fault.T("unpack it with exec, then read the file"))
	if e.Bytes > MemberBytes {
		return nil, tooLarge
	}
	r, err := open()
	if err != nil {
		return nil, damaged(err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, MemberBytes+1))
	if len(data) > MemberBytes || errors.Is(err, errBudget) {
		return nil, tooLarge
	}
	return data, damaged(err)
}

// missing is the fault of a name that no member has.
func (a *Archive) missing(name string, l *Listing) error {
	e := fault.New(fault.NotFound, fault.T("the archive has no member %s", a.At+name))
	near := nearest(name, l.Entries)
	for i := range near {
		near[i] = a.At + near[i]
	}
	if len(near) == 0 {
		return e.WithHint(fault.T("read the archive without member to list it"))
	}
	return e.WithHint(fault.T("did you mean %s? Without member the archive is listed", strings.Join(near, ", "))).
		WithDetails(map[string]any{"similar": near})
}

// nearest returns up to three names of members that may be meant.
func nearest(name string, entries []Entry) []string {
	const most = 3
	type scored struct {
		name  string
		score rank.Score
	}
	q := rank.Compile(name)
	if q == nil {
		return nil
	}
	ranker := q.Ranker()
	var all []scored
	dir := "\x00"
	for _, e := range entries {
		path := plain(e.Name)
		if path == "" || e.dir() {
			continue
		}
		at := strings.LastIndexByte(path, '/') + 1
		if path[:at] != dir {
			dir = path[:at]
			ranker.Enter(dir)
		}
		if s := ranker.Rank(path[at:], rank.Near); s.Tier != rank.None {
			all = append(all, scored{path, s})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return a.score.Compare(b.score) })
	var names []string
	for _, s := range all[:min(len(all), most)] {
		names = append(names, s.name)
	}
	return names
}
