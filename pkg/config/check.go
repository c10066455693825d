package config

import (
	"net/netip"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// checkValues returns what is wrong with settings that fit their schema.
func checkValues(c *Config) schema.Problems {
	var problems schema.Problems
	report := func(pointer string, what fault.Text) {
		problems = append(problems, schema.Problem{Pointer: pointer, Message: what})
	}
	for i := range c.Rules {
		for _, p := range c.Rules[i].Check(SwitchNames()) {
			report("/rules/"+strconv.Itoa(i)+p.Pointer, p.Message)
		}
	}
	if dir := c.Files.Artifacts; dir != "" && (!filepath.IsLocal(filepath.FromSlash(dir)) || path.Clean(dir) != dir || dir == "." || strings.ContainsRune(dir, 0)) {
		report("/files/artifacts", fault.T("want a path below the workspace, without .."))
	}
	for i, name := range c.Search.Skip {
		if name == "" || strings.ContainsAny(name, "/\\*?") {
			report("/search/skip/"+strconv.Itoa(i), fault.T("%q is not the name of a directory", name))
		}
	}
	if c.Project != "" && !isID(c.Project) {
		report("/project", fault.T("%q is not an id of a project", c.Project))
	}
	for i, p := range c.Projects {
		at := "/projects/" + strconv.Itoa(i)
		if !isID(p.ID) {
			report(at+"/id", fault.T("%q: want letters, digits, -, _ and dots, a letter or digit first", p.ID))
		}
		if slices.ContainsFunc(c.Projects[:i], func(other Project) bool { return other.ID == p.ID }) {
			report(at+"/id", fault.T("another project has the id %q", p.ID))
		}
		if strings.ContainsRune(p.Path, 0) {
			report(at+"/path", fault.T("must not contain a NUL"))
		}
	}
	for i, b := range c.Tools.Bound {
		at := "/tools/bound/" + strconv.Itoa(i)
		if slices.ContainsFunc(c.Tools.Bound[:i], func(other Bound) bool { return other.Name == b.Name }) {
			report(at+"/name", fault.T("another bound tool has the name %q", b.Name))
		}
		for j, name := range b.Requires {
			if !slices.Contains(SwitchNames(), name) {
				report(at+"/requires/"+strconv.Itoa(j), fault.T("there is no switch %q; the switches are: %s", name, strings.Join(SwitchNames(), ", ")))
			}
		}
	}
	for i, set := range c.Tools.Sets {
		at := "/tools/sets/" + strconv.Itoa(i) + "/name"
		if !isID(set.Name) {
			report(at, fault.T("%q: want letters, digits, -, _ and dots, a letter or digit first", set.Name))
		}
		if slices.ContainsFunc(c.Tools.Sets[:i], func(other Toolset) bool { return other.Name == set.Name }) {
			report(at, fault.T("another toolset has the name %q", set.Name))
		}
	}
	patterns := func(at string, list []string) {
		for i, pattern := range list {
			if _, err := regexp.Compile(pattern); err != nil {
				report(at+"/"+strconv.Itoa(i), fault.T("not a regular expression: %s", err.Error()))
			}
		}
	}
	for i, host := range c.Exec.Hosts {
		if _, wrong := policy.ParseDestination(host); !wrong.IsZero() {
			report("/exec/hosts/"+strconv.Itoa(i), fault.T("%q: %s", host, wrong))
		}
	}
	checkWeb(&c.Web, report)
	checkMessages(&c.Messages, report)
	checkStore(&c.Store, report)
	checkSpawn(&c.Spawn, report)
	checkOnChange(c.OnChange, report)
	checkHooks(&c.Hooks, report)
	patterns("/audit/mask", c.Audit.Mask)
	patterns("/exec/deny", c.Exec.Deny)
	for _, list := range []struct {
		at    string
		paths []string
	}{{"/tools/manifests", c.Tools.Manifests}, {"/exec/writable", c.Exec.Writable}, {"/exec/readable", c.Exec.Readable}} {
		for i, dir := range list.paths {
			if dir == "" || strings.ContainsRune(dir, 0) {
				report(list.at+"/"+strconv.Itoa(i), fault.T("must be a path, without a NUL"))
			}
		}
	}
	return problems
}

// isID reports whether a text can be the id of a project, which stands in brackets
// before a path.
func isID(s string) bool {
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || strings.IndexByte("-_.", c) < 0) {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// checkWeb reports what is wrong with the settings of the web.
func checkWeb(w *Web, report func(pointer string, what fault.Text)) {
	for i, text := range w.AllowAddresses {
		if _, err := netip.ParsePrefix(text); err != nil {
			report("/web/allow_addresses/"+strconv.Itoa(i), fault.T("want a block of addresses, such as 198.18.0.0/15"))
		}
	}
	if w.Browser != "" && w.Browser != "auto" && !filepath.IsAbs(w.Browser) {
		report("/web/browser", fault.T("want auto or an absolute path"))
	}
	if w.Proxy == "" || w.Proxy == "direct" {
		return
	}
	u, err := url.Parse(w.Proxy)
	known := err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "socks5" || u.Scheme == "socks5h")
	if !known {
		report("/web/proxy", fault.T("want direct, or an address with http, https or socks5"))
	}
}
