package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/host/origin"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

// latestRelease is the address of what GitHub knows of the latest release:
// https://docs.github.com/en/rest/releases/releases#get-the-latest-release
const latestRelease = "https://api.github.com/repos/helve-dev/helve/releases/latest"

// How this copy compares with the latest release.
const (
	upToDate = "current"
	outdated = "outdated"
	ahead    = "ahead"
	unknown  = "unknown" // it is of no release
)

// upgradeCommand is "helve upgrade": how this copy was installed, whether there is a newer
// release, and the command that installs it. It changes nothing: what has installed a copy
// keeps a record of its files.
func upgradeCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use: "upgrade", Args: out.Args(0, 0),
		Short: p.Text("Show how helve was installed and which command upgrades it"),
		Long:  p.Text("Say how this copy of helve was installed and which command upgrades it, without running that command. With --check, look up the latest release and say whether it is newer."),
		Example: p.Examples(
			"helve upgrade", p.Text("how it was installed"),
			"helve upgrade --check", p.Text("whether there is a newer release"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			u := upgrade{Version: current()}
			var err error
			if u.Installed, err = host.Installation(u.Version != unreleased); err != nil {
				return err
			}
			if check {
				if err := u.look(cmd.Context(), h); err != nil {
					return err
				}
			}
			if u.Status == "" || u.Status == outdated || u.Status == unknown {
				u.Command = u.Installed.Command(u.Latest, runtime.GOOS, runtime.GOARCH)
			}
			return p.Report(out.Report{Data: u, Text: u.text(p)})
		},
	}
	c.Flags().BoolVar(&check, "check", false, p.Text("look up the latest release"))
	return c
}

// upgrade is the result.
type upgrade struct {
	Version   string        `json:"version"`
	Installed origin.Origin `json:"installed"`
	Status    string        `json:"status,omitzero"` // of Version, compared with Latest
	Latest    string        `json:"latest,omitzero"`
	Published string        `json:"published,omitzero"` // RFC 3339
	URL       string        `json:"url,omitzero"`       // of the page about the latest release
	Command   string        `json:"command,omitzero"`   // that upgrades
}

// look looks the latest release up.
func (u *upgrade) look(ctx context.Context, h *host.Host) error {
	env, _, err := h.Env()
	if err != nil {
		return err
	}
	client, err := tool.Service[*web.Client](env)
	if err != nil {
		return err
	}
	address := cmp.Or(host.Releases(), latestRelease)
	r, err := client.Get(ctx, web.Request{URL: web.At(address), Accept: "application/vnd.github+json", Timeout: 20 * time.Second, MaxBytes: 1 << 20, NoStore: true})
	if err != nil {
		return offline(err)
	}
	if err := refused(r); err != nil {
		return err
	}
	var latest struct {
		Tag       string    `json:"tag_name"`
		URL       string    `json:"html_url"`
		Published time.Time `json:"published_at"`
	}
	if err := json.Unmarshal(r.Body, &latest); err != nil || !semver.IsValid(latest.Tag) {
		return fault.New(fault.UnsupportedContent, fault.T("%s does not describe a release", address)).
			WithHint(fault.T("unset %s, or let it be the address of a response such as that of the API of GitHub", host.ReleasesVariable)).Because(err)
	}
	u.Latest, u.URL = strings.TrimPrefix(latest.Tag, "v"), latest.URL
	if !latest.Published.IsZero() {
		u.Published = latest.Published.UTC().Format(time.RFC3339)
	}
	u.Status = compared(u.Version, u.Latest)
	return nil
}

// compared returns how a version compares with the latest release.
func compared(version, latest string) string {
	if !semver.IsValid("v" + version) {
		return unknown
	}
	switch c := semver.Compare("v"+version, "v"+latest); {
	case c < 0:
		return outdated
	case c > 0:
		return ahead
	}
	return upToDate
}

// offline adds to the fault of a request what to do without an answer.
func offline(err error) error {
	e := fault.As(err)
	if e.Code == fault.Unavailable || e.Code == fault.Timeout {
		e.Hint = fault.T("try again with a network, or see %s; helve upgrade without --check needs no network", releasesPage)
	}
	return e
}

const releasesPage = "https://github.com/helve-dev/helve/releases"

// refused returns the fault of a response that is none of a release; nil if it is one.
func refused(r *web.Response) error {
	e := fault.As(r.Err())
	switch {
	case e == nil:
		return nil
	case r.Status == http.StatusForbidden && r.Header.Get("X-RateLimit-Remaining") == "0": // GitHub's 429
		return fault.New(fault.RateLimited, fault.T("the API of GitHub has had enough requests from this address (HTTP 403)")).
			WithHint(fault.T("call again in an hour, or see %s", releasesPage)).WithDetails(e.Details)
	case r.Status == http.StatusNotFound:
		return e.WithHint(fault.T("there is no release yet; see %s", releasesPage))
	}
	return e.WithHint(fault.T("try again later, or see %s", releasesPage))
}

// text returns the result for people.
func (u *upgrade) text(p *out.Printer) string {
	var b strings.Builder
	b.WriteString(p.Text("helve %s  %s: %s\n", u.Version, u.by(p), u.Installed.Path))
	switch u.Status {
	case outdated:
		b.WriteString(p.Text("%s is newer: %s\n", u.Latest, u.URL))
	case upToDate:
		b.WriteString(p.Text("this is the latest release\n"))
	case ahead:
		b.WriteString(p.Text("the latest release is older: %s\n", u.Latest))
	case unknown:
		b.WriteString(p.Text("the latest release is %s; this copy is of none\n", u.Latest))
	}
	switch {
	case u.Command != "":
		b.WriteString(p.Text("to upgrade: %s\n", u.Command))
	case u.Status == "" && u.Installed.By != origin.Source:
		b.WriteString(p.Text("helve upgrade --check names the command that upgrades it\n"))
	}
	return b.String()
}

// by says how the copy was installed.
func (u *upgrade) by(p *out.Printer) string {
	switch u.Installed.By {
	case origin.Source:
		return p.Text("built from source")
	case origin.Archive:
		return p.Text("from an archive")
	case origin.Container:
		return p.Text("in its container image")
	case origin.Go:
		return p.Text("installed by go install")
	}
	return p.Text("installed by %s", u.Installed.By)
}
