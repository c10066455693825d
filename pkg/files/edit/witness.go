package edit

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// witness returns the record of the text that the caller was shown, or nil if none of it
// has changed.
func witness(now string, o Options) *shown.Record {
	if len(o.Shown) == 0 {
		return nil
	}
	return shown.New(now, viewed(o.Shown), func() []shown.Version { return viewed(o.all()) })
}

// all returns all versions that the caller was shown.
func (o Options) all() []shown.Version {
	if o.All == nil {
		return nil
	}
	return o.All()
}

// viewed returns versions with the line endings of a view.
func viewed(versions []shown.Version) []shown.Version {
	views := make([]shown.Version, len(versions))
	for i, v := range versions {
		views[i] = shown.Version{Text: newView(v.Text).text, Lines: v.Lines, Aside: v.Aside}
	}
	return views
}

// made returns the line of an edit that has been made already: where the caller was shown
// the old text, the file has what the edit makes of it. Of places that the caller was shown
// and that still have the old text, it may mean one.
func (d *document) made(old, new string, e Edit, places []place) (line int, ok bool) {
	if d.before == nil || e.Occurrence > 0 || e.LineHint > 0 || e.After != "" || e.Within != "" {
		return 0, false
	}
	record := d.before()
	for _, p := range places {
		if record.Saw(shown.Lines{Start: p.line, End: d.line(max(p.start, p.end-1))}) {
			return 0, false
		}
	}
	at, ok := record.Made(d.finder(old, new, e, true), new)
	return at.Start, ok
}

// locations returns the present locations of the places at which the caller was shown the
// old text. exact says that the present has the text exactly: then only versions that
// have it exactly count.
func (d *document) locations(old, new string, e Edit, exact bool) []shown.Location {
	return d.shown.Trace(d.finder(old, new, e, exact))
}

// finder returns what finds the old text in a version.
func (d *document) finder(old, new string, e Edit, exact bool) func(text string) []shown.Span {
	return func(text string) []shown.Span {
		if exact && !strings.Contains(text, old) {
			return nil
		}
		then := &document{view: view{src: text, text: text}, path: d.path, sensitive: d.sensitive}
		h, err := then.find(old, new)
		if err != nil || exact && h.strategy != Exact {
			return nil
		}
		places, err := then.narrowed(h.places, e)
		if err != nil {
			return nil // an anchor is new, and so are the lines it points to
		}
		if e.After != "" && len(places) > 0 && e.Occurrence == 0 {
			places = places[:1]
		}
		var spans []shown.Span
		for _, p := range apart(places) {
			spans = append(spans, shown.Span{Start: p.start, End: p.end})
		}
		return spans
	}
}

// meant returns the locations that the edit can mean: all, or those that occurrence or
// line_hint names in the version that was shown last. named says that they do.
func meant(locations []shown.Location, e Edit) (chosen []shown.Location, named bool) {
	if e.Occurrence == 0 && e.LineHint == 0 {
		return locations, false
	}
	for _, f := range locations {
		switch {
		case f.Version != locations[0].Version:
		case e.Occurrence > 0 && f.Nth != e.Occurrence:
		case e.LineHint > 0 && (e.LineHint < f.Was.Start || e.LineHint > f.Was.End):
		default:
			chosen = append(chosen, f)
		}
	}
	return chosen, true
}

// shownPlace chooses the place of a text that the caller was shown. It returns none if the
// record does not decide; the text is then matched as if nothing had been shown.
func (d *document) shownPlace(places []place, locations []shown.Location, new string, e Edit) ([]place, *fault.Error) {
	locations, named := meant(locations, e)
	gone := slices.IndexFunc(locations, changed)
	switch {
	case len(locations) == 0:
		return nil, nil
	case gone >= 0 && slices.ContainsFunc(locations, unchanged):
		return nil, d.wasAmbiguous(locations, places)
	case gone >= 0:
		return nil, d.stale(locations[gone], new, places)
	}
	var there []place
	for _, p := range places {
		if slices.ContainsFunc(locations, func(f shown.Location) bool { return p.start < f.Now.End && f.Now.Start < p.end }) {
			there = append(there, p)
		}
	}
	switch {
	case len(there) == 0:
		// The places that were shown are laid out in another way, and the text is
		// found where it was not shown.
		return nil, d.stale(locations[0], new, places)
	case named && len(there) == 1 && !d.alsoNamed(places, there[0], e.LineHint):
		return there, nil
	case named && len(there) == 1:
		return nil, d.ambiguous(places)
	case len(places) == 1 && len(locations) > 1:
		return nil, d.wasAmbiguous(locations, places)
	}
	return nil, nil
}

// alsoNamed reports whether line_hint names another place than the given one if it
// counts the lines of the present, not those that were shown.
func (d *document) alsoNamed(places []place, p place, hint int) bool {
	return hint > 0 && slices.ContainsFunc(places, func(o place) bool { return o.start != p.start && d.covers(o, hint) })
}

func changed(f shown.Location) bool   { return f.Changed }
func unchanged(f shown.Location) bool { return !f.Changed }

// rewritten refuses to replace all places if one is in lines that have replaced
// others, which were shown with the text in them.
func (d *document) rewritten(places []place, old string) *fault.Error {
	if d.shown == nil {
		return nil
	}
	for _, p := range places {
		if d.shown.Rewritten(p.start, p.end, old) {
			start, end := lineStart(d.text, p.start), lineEnd(d.text, max(p.start, p.end-1))
			line := d.line(start)
			return d.changedSince(LineRange{line, d.line(max(start, end-1))}, shown.Lines{}, nil)
		}
	}
	return nil
}

// changedElsewhere reports whether lines that the caller was shown have changed,
// other than those that are replaced.
func (d *document) changedElsewhere(made []replacement) bool {
	return slices.ContainsFunc(d.shown.Unseen(), func(l shown.Lines) bool {
		return !slices.ContainsFunc(made, func(r replacement) bool { return r.old.Start <= l.Start && l.End <= r.old.End })
	})
}
