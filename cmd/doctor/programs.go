package doctor

import (
	"context"
	"os"
	"strings"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/web/browser"
)

// shell says which shell runs commands.
func (v *visit) shell(ctx context.Context) []Check {
	const name = "shell"
	found, err := host.Shell(&v.settings.Config.Exec)
	if err != nil {
		return failed(Error, name, err)
	}
	said, err := v.answers(ctx, found.Argv("echo hello")...)
	if err != nil || said != "hello" {
		return wrong(Error, name, fault.T("%s does not run: %s", found.Path, why(said, err)), fault.T("set exec.shell to another one"))
	}
	return fine(name, fault.T("%s (%s)", found.Name, found.Path))
}

// git says which git there is. helve itself needs none, but what models do mostly does.
func (v *visit) git(ctx context.Context) []Check {
	const name = "git"
	path := run.Look(name, host.Environ())
	if path == "" {
		return wrong(Warning, name, fault.T("it is not on the PATH"), fault.T("install git"))
	}
	said, err := v.answers(ctx, path, "--version")
	if err != nil || !strings.HasPrefix(said, "git version") {
		return wrong(Warning, name, fault.T("%s does not run: %s", path, why(said, err)), fault.T("install git anew"))
	}
	return fine(name, fault.T("%s (%s)", strings.TrimPrefix(said, "git version "), path))
}

// answers returns the first line that a program prints.
func (v *visit) answers(ctx context.Context, argv ...string) (string, error) {
	result, err := run.Run(ctx, run.Command{Argv: argv, Dir: os.TempDir(), Env: host.Environment(), Timeout: patience})
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(result.Output.Text, "\n")
	return strings.TrimSpace(line), nil
}

func why(said string, err error) fault.Text {
	if err != nil {
		return fault.As(err).Message
	}
	return fault.T("it prints %q", said)
}

// browser says whether pages can be shown that need their scripts.
func (v *visit) browser(context.Context) []Check {
	const name = "browser"
	program := v.settings.Config.Web.Browser
	if program == "" {
		return could(name, fault.T("none is allowed: pages that are empty without their scripts stay so"),
			fault.T("helve config set web.browser auto allows an installed Chromium"))
	}
	path, err := browser.Look(program, host.Environ(), v.support, os.Geteuid())
	if err != nil {
		return failed(Warning, name, err)
	}
	return fine(name, fault.T("%s may run the scripts of pages", path))
}

// proxies says through what the web is reached.
func (v *visit) proxies(context.Context) []Check {
	var through []string
	for _, p := range v.host.Proxies(&v.settings.Config.Web) {
		if p.Wrong {
			return wrong(Error, "proxy", fault.T("%s is no address of a proxy", p.Name), fault.T("correct it, such as http://proxy.example.org:3128, or set web.proxy to direct"))
		}
		through = append(through, p.Address+" ("+p.Name+")")
	}
	if len(through) == 0 {
		return fine("proxy", fault.T("none"))
	}
	return fine("proxy", fault.T("%s", strings.Join(through, ", ")))
}

// search says which search engine is used, and whether it has what it needs.
func (v *visit) search(context.Context) []Check {
	const name = "web search"
	s := &v.settings.Config.Web.Search
	engine := s.Provider
	one := s.Service(engine)
	switch {
	case engine == "searxng" && one.URL == "":
		return wrong(Warning, name, fault.T("web.search.provider is searxng, which needs an address"), fault.T("helve config set web.search.searxng.url https://…"))
	case engine == "auto", engine == "duckduckgo", engine == "searxng", one.Key != "":
		return fine(name, fault.T("provider %s", engine))
	}
	return wrong(Warning, name, fault.T("web.search.provider is %s, which has no key", engine),
		fault.T("set web.search.%s.key, or web.search.provider to auto", engine))
}
