// Command wheel packs the Python package helve-tools: the files of scripts/python and
// the program helve, with its manual pages and completions, in a wheel for each platform.
// The same input gives the same bytes.
//
//	wheel -dist DIR -out DIR                                      what goreleaser built
//	wheel -binary FILE -platform OS/ARCH -version V -out DIR      one program
//
// It runs at the top of the tree. A wheel is a ZIP file, described in
// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/scripts/released"
)

func main() { released.Main("wheel", pack) }

// pack writes the wheel of each program.
func pack(r released.Release, out string) error {
	public, err := pythonVersion(r.Version)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, p := range r.Programs {
		if strings.HasSuffix(p.Platform, "/"+released.All) { // there is one for each processor, too
			continue
		}
		tag, err := platformTag(p.Platform)
		if err != nil {
			return err
		}
		w, err := assemble(r, p, public, tag)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("helve_tools-%s-py3-none-%s.whl", public, tag)
		if err := os.WriteFile(filepath.Join(out, name), w, 0o644); err != nil {
			return err
		}
		fmt.Println(name)
	}
	return nil
}

// platformTag returns the tags of a platform, with dots between them. On Linux the
// program needs no library, so that it runs with glibc and musl; the Go release sets the
// oldest kernel and macOS.
// https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/
func platformTag(platform string) (string, error) {
	switch platform {
	case "linux/amd64":
		return "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", nil
	case "linux/arm64":
		return "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", nil
	case "darwin/amd64":
		return "macosx_12_0_x86_64", nil
	case "darwin/arm64":
		return "macosx_12_0_arm64", nil
	case "windows/amd64":
		return "win_amd64", nil
	case "windows/arm64":
		return "win_arm64", nil
	}
	return "", fmt.Errorf("no wheel is known for %q", platform)
}

// pythonVersion returns a semantic version in the spelling of Python, such as 1.2.3rc1
// for 1.2.3-rc.1. A version that is not of a release, such as 1.2.3-next, is a
// development release.
// https://packaging.python.org/en/latest/specifications/version-specifiers/
func pythonVersion(version string) (string, error) {
	release, pre, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	numbers := strings.Split(release, ".")
	for _, n := range numbers {
		if !digits(n) {
			return "", fmt.Errorf("%q is no version such as 1.2.3", version)
		}
	}
	if len(numbers) != 3 {
		return "", fmt.Errorf("%q is no version such as 1.2.3", version)
	}
	if pre == "" {
		return release, nil
	}
	phase, n, _ := strings.Cut(pre, ".")
	short := map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[phase]
	if short == "" || !digits(n) {
		return release + ".dev0", nil
	}
	return release + short + n, nil
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
