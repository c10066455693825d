// Package released finds the programs that goreleaser built and what is packed beside them,
// for what packs them otherwise.
package released

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Program is helve for one platform.
type Program struct {
	File     string
	Platform string // such as linux/amd64; darwin/all is for all processors
}

// All is the processor of a program that runs on all of its system.
const All = "all"

// Release is the input of a package.
type Release struct {
	Root     string // of the tree
	Version  string // such as 1.2.3
	Programs []Program
	Assets   string // directory that scripts/assets has written to
}

// Flags defines the flags that name a release: -dist, or -binary, -platform and -version,
// and -assets. What it returns is to be called after they are parsed.
func Flags() func() (Release, error) {
	dist := flag.String("dist", "", "`directory` with what goreleaser built")
	binary := flag.String("binary", "", "one program, as a `file`")
	platform := flag.String("platform", "", "what that program runs on, such as linux/amd64")
	version := flag.String("version", "", "version of that program, such as 1.2.3")
	assets := flag.String("assets", "build", "`directory` that scripts/assets has written to")
	return func() (r Release, err error) {
		r = Release{Root: ".", Version: *version, Programs: []Program{{*binary, *platform}}, Assets: *assets}
		if *dist != "" {
			r.Programs, r.Version, err = Programs(*dist)
		}
		return r, err
	}
}

// Pages returns the manual pages, by name, compressed.
func (r Release) Pages() ([]Entry, error) {
	files, err := filepath.Glob(filepath.Join(r.Assets, "man", "*.[1-8].gz"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no manual pages: run scripts/assets", r.Assets)
	}
	if err != nil {
		return nil, err
	}
	var pages []Entry
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		pages = append(pages, Entry{Name: filepath.Base(file), Data: data, Mode: 0o644})
	}
	return pages, nil
}

// completions are the scripts that complete commands, and where shells look for them below
// the directory share of a prefix.
var completions = [...]struct{ file, share string }{
	{"helve.bash", "bash-completion/completions/helve"},
	{"helve.fish", "fish/vendor_completions.d/helve.fish"},
	{"helve.zsh", "zsh/site-functions/_helve"},
}

// Share returns the files of the directory share of a prefix: manual pages and completions.
func (r Release) Share() ([]Entry, error) {
	pages, err := r.Pages()
	if err != nil {
		return nil, err
	}
	var files []Entry
	for _, c := range completions {
		data, err := os.ReadFile(filepath.Join(r.Assets, "completions", c.file))
		if err != nil {
			return nil, err
		}
		files = append(files, Entry{Name: c.share, Data: data, Mode: 0o644})
	}
	for _, page := range pages {
		section := filepath.Ext(strings.TrimSuffix(page.Name, ".gz"))
		page.Name = "man/man" + section[1:] + "/" + page.Name
		files = append(files, page)
	}
	return files, nil
}

// Programs returns the programs in goreleaser's directory, and their version.
func Programs(dist string) (programs []Program, version string, err error) {
	var metadata struct{ Version string }
	var artifacts []struct{ Path, Type, Goos, Goarch string }
	if err := errors.Join(decode(filepath.Join(dist, "metadata.json"), &metadata), decode(filepath.Join(dist, "artifacts.json"), &artifacts)); err != nil {
		return nil, "", err
	}
	for _, a := range artifacts {
		if a.Type == "Binary" || a.Type == "Universal Binary" {
			programs = append(programs, Program{filepath.FromSlash(a.Path), a.Goos + "/" + a.Goarch})
		}
	}
	if len(programs) == 0 {
		return nil, "", fmt.Errorf("%s has no programs", dist)
	}
	return programs, metadata.Version, nil
}

func decode(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
