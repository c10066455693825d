package read

import (
	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/schema"
)

// uses are the arguments that content of a kind has a use for.
type uses uint16

const (
	useMember uses = 1 << iota
	useSheet
	useValues
	usePages
	useImages
	useChanges
	usePassword
	useFold
)

// usesOf returns those of a document.
func usesOf(d open.Document) uses {
	u := useImages
	for _, one := range [...]struct {
		has bool
		use uses
	}{
		{d.Book != nil, useSheet | useValues}, {d.Format.Pages, usePages}, {d.Format.Changes, useChanges}, {d.Format.Password, usePassword},
	} {
		if one.has {
			u |= one.use
		}
	}
	return u
}

// plainUses returns those of what is shown as it is. Notebooks have images; texts of cells, such
// as CSV, are workbooks as far as callers care, of which none has an image.
func plainUses(k kind.Kind) uses {
	switch {
	case k.Class == kind.Notebook:
		return useImages
	case k.Class == kind.Text && open.Reads(k.MIME):
		return useImages | useFold
	case k.Class == kind.Text:
		return useFold
	}
	return 0
}

// checkUses refuses arguments that content of a type has no use for: whoever passes one
// expects something that will not happen.
func checkUses(a *Args, mime string, u uses) error {
	for _, one := range [...]struct {
		name   string
		passed bool
		use    uses
	}{
		{"member", a.Member != "", useMember},
		{"sheet", a.Sheet != "", useSheet},
		{"values", a.Values != "" && a.Values != "auto", useValues},
		{"pages", a.Pages != "", usePages},
		{"images", a.Images != "" && a.Images != saveImages, useImages},
		{"track_changes", a.Changes != "" && a.Changes != "accept", useChanges},
		{"password", a.Password != "", usePassword},
		{"fold", a.Fold, useFold},
	} {
		if one.passed && u&one.use == 0 {
			if one.name == "member" {
				return schema.Invalid("/member", fault.T("%s is no archive that can be read", a.Path)).
					WithHint(fault.T("leave member out"))
			}
			return schema.Invalid("/"+one.name, fault.T("%s means nothing for %s, which is %s", one.name, a.Path, mime)).
				WithHint(fault.T("leave %s out", one.name))
		}
	}
	return nil
}
