// Package released finds the programs that goreleaser built, for what packs them.
package released

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// Program is helve for one platform.
type Program struct {
	File     string
	Platform string // such as linux/amd64; darwin/all is for all processors
}

// All is the processor of a program that runs on all of its system.
const All = "all"

// Flags defines the flags that name programs: -dist, or -binary, -platform and -version.
// What it returns is to be called after they are parsed.
func Flags() func() (programs []Program, version string, err error) {
	dist := flag.String("dist", "", "`directory` with what goreleaser built")
	binary := flag.String("binary", "", "one program, as a `file`")
	platform := flag.String("platform", "", "what that program runs on, such as linux/amd64")
	version := flag.String("version", "", "version of that program, such as 1.2.3")
	return func() ([]Program, string, error) {
		if *dist != "" {
			return Programs(*dist)
		}
		return []Program{{*binary, *platform}}, *version, nil
	}
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
