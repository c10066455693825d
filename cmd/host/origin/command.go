package origin

import (
	"fmt"
	"strings"
)

const (
	module   = "github.com/helve-dev/helve"
	releases = "https://" + module + "/releases"
)

// Command returns the command that installs a version, such as 1.2.3, where o was installed;
// of a system, such as linux, and a processor, such as amd64. It is "" where there is none,
// or where the version, which then is "", must be known.
func (o Origin) Command(version, system, processor string) string {
	switch o.By {
	case Deb, RPM, APK:
		return o.packaged(version, processor)
	case Homebrew:
		return strings.Join(strings.Fields("brew upgrade "+o.argument+" helve"), " ")
	case Scoop:
		return "scoop update helve"
	case Winget:
		return "winget upgrade --exact --id HelveDev.Helve"
	case NPM:
		if o.argument == "npx" {
			return "npx helve@latest"
		}
		return strings.Join(strings.Fields("npm install "+o.argument+" helve@latest"), " ")
	case Pip:
		return quoted(o.argument) + " -m pip install --upgrade helve-tools"
	case Pipx:
		return "pipx upgrade helve-tools"
	case UV:
		if o.argument == "tool" {
			return "uv tool upgrade helve-tools"
		}
		return "uv pip install --upgrade helve-tools"
	case Go:
		return "go install " + module + "@latest"
	case Container:
		return "docker pull " + o.argument
	case Archive:
		if system == "windows" {
			return fmt.Sprintf("& ([scriptblock]::Create((irm %s/latest/download/install.ps1))) -Dir '%s'", releases, strings.ReplaceAll(o.argument, "'", "''"))
		}
		return fmt.Sprintf("curl -fsSL %s/latest/download/install.sh | sh -s -- --dir %s", releases, quoted(o.argument))
	case Source:
	}
	return ""
}

// packaged returns the command that installs a package of a release, whose names have its
// version and each distribution's name of the processor.
func (o Origin) packaged(version, processor string) string {
	if version == "" {
		return ""
	}
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[processor]
	address := func(file string) string { return releases + "/download/v" + version + "/" + file }
	switch o.By {
	case RPM:
		return "sudo rpm --upgrade " + address("helve-"+version+"-1."+machine+".rpm")
	case APK:
		file := "helve_" + version + "_" + machine + ".apk"
		return fmt.Sprintf("wget %s && sudo apk add --allow-untrusted ./%s", address(file), file)
	default:
		file := "helve_" + version + "_" + processor + ".deb"
		return fmt.Sprintf("curl -fsSLO %s && sudo dpkg --install %s", address(file), file)
	}
}
