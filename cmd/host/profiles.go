package host

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/profile"
)

// Offered returns the tools that callers are offered: those of [Settings.Catalog], in the form
// of a profile if one is asked for. The fault is not_configured.
func (s *Settings) Offered() (*tools.Catalog, error) {
	c := s.Catalog()
	name := cmp.Or(s.host.As, s.Config.Profile)
	if name == "" {
		return c, nil
	}
	p, err := s.host.Dirs.Profile(name)
	if err != nil {
		return nil, err
	}
	return c.As(p), nil
}

// UserProfiles is the directory of the person's own profiles.
func (d Dirs) UserProfiles() string { return filepath.Join(filepath.Dir(d.UserConfig), "profiles") }

// profileEnd is the end of the name of a file that holds a profile.
const profileEnd = ".json"

// ProfileNames lists the profiles there are: the person's own and those of helve.
func (d Dirs) ProfileNames() ([]string, error) {
	names := profile.Shipped()
	own, err := config.Names(d.UserProfiles(), profileEnd)
	for _, file := range own {
		if name := strings.TrimSuffix(file, profileEnd); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// Profile returns the profile of a name: the person's own before one of helve. The fault is
// not_configured.
func (d Dirs) Profile(name string) (*profile.Profile, error) {
	p, problems, file, err := d.ReadProfile(name)
	if err != nil {
		return nil, err
	}
	if p != nil && len(p.Tools) > 0 {
		return p, nil
	}
	texts := make([]fault.Text, len(problems))
	for i, problem := range problems {
		texts[i] = problem.Text()
	}
	return nil, fault.New(fault.NotConfigured, fault.T("the profile %s cannot be used: %s", name, fault.Join(texts, "; "))).
		WithHint(fault.T("mend %s; helve profiles validate checks it", file))
}

// ReadProfile reads the profile of a name and checks it, if it is the person's own. file is
// where it is, "" for one of helve.
func (d Dirs) ReadProfile(name string) (p *profile.Profile, problems []profile.Problem, file string, err error) {
	data, file, err := d.profileFile(name)
	if err != nil {
		return nil, nil, file, err
	}
	if file == "" {
		p, problems = profile.Read(data, nil)
	} else {
		p, problems = tools.ReadProfile(data)
	}
	return p, problems, file, nil
}

// ProfileFile returns the file of a profile.
func (d Dirs) ProfileFile(name string) ([]byte, error) {
	data, _, err := d.profileFile(name)
	return data, err
}

// profileFile returns the file of a profile, and where it is; "" for one of helve. The fault
// is not_configured.
func (d Dirs) profileFile(name string) (data []byte, file string, err error) {
	if profile.IsName(name) {
		file = filepath.Join(d.UserProfiles(), name+profileEnd)
		if data, err = config.Read(config.File{Source: config.User, Path: file}); err != nil || data != nil {
			return data, file, err
		}
		if data, ok := profile.Load(name); ok {
			return data, "", nil
		}
	}
	all, err := d.ProfileNames()
	if err != nil {
		return nil, "", err
	}
	e := fault.New(fault.NotConfigured, fault.T("there is no profile %q", name))
	if near := similar.Name(name, all); near != "" {
		return nil, "", e.WithHint(fault.T("did you mean %s? The profiles are: %s", near, strings.Join(all, ", ")))
	}
	return nil, "", e.WithHint(fault.T("the profiles are: %s", strings.Join(all, ", ")))
}
