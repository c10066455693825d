package supplies

import (
	"encoding/xml"
	"path/filepath"
	"slices"
	"strings"
)

// project holds the relevant parts of pom.xml; see the POM Reference of Maven.
type project struct {
	Group        string     `xml:"groupId"`
	Version      string     `xml:"version"`
	Packaging    string     `xml:"packaging"`
	Parent       artifact   `xml:"parent"`
	Dependencies []artifact `xml:"dependencies>dependency"`
	Plugins      []artifact `xml:"build>plugins>plugin"`
	Modules      []string   `xml:"modules>module"`
	Properties   struct {
		All []property `xml:",any"`
	} `xml:"properties"`
}

type artifact struct {
	Group    string  `xml:"groupId"`
	Name     string  `xml:"artifactId"`
	Version  string  `xml:"version"`
	Scope    string  `xml:"scope"`
	Optional string  `xml:"optional"`
	System   string  `xml:"systemPath"`
	Relative *string `xml:"relativePath"`
}

type property struct {
	XMLName xml.Name
	Value   string `xml:",chardata"`
}

// mavenLacks returns an artifact that Maven fetches: a plugin of the phases that it
// runs, the parent, or a dependency whose version the project names.
func (w World) mavenLacks(args []string) string {
	var phases []string
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			phases = append(phases, a)
		}
	}
	if has(args, "-o", "--offline", "-v", "--version", "-h", "--help") || len(phases) == 0 {
		return ""
	}
	file := "pom.xml"
	if given := value(args, "-f"); given != "" {
		file = given
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(w.Dir, file)
	}
	repository := value(args, "-Dmaven.repo.local")
	switch {
	case repository == "" && w.Home == "":
		return ""
	case repository == "":
		repository = filepath.Join(w.Home, ".m2", "repository")
	case !filepath.IsAbs(repository):
		repository = filepath.Join(w.Dir, repository)
	}
	m := maven{World: w, repository: repository, left: maxUp}
	for _, plugin := range pluginsOf(phases) {
		if !m.inRepository(artifact{Group: "org.apache.maven.plugins", Name: "maven-" + plugin + "-plugin"}, "") {
			return "maven-" + plugin + "-plugin"
		}
	}
	return m.missing(file)
}

// pluginsOf returns the plugins that Maven runs up to some phases of a project of Java.
func pluginsOf(phases []string) (plugins []string) {
	order := []struct{ phase, plugin string }{
		{"process-resources", "resources"}, {"compile", "compiler"}, {"test", "surefire"}, {"package", "jar"}, {"verify", ""}, {"install", "install"},
	}
	last := -1
	for i, step := range order {
		if slices.Contains(phases, step.phase) || step.phase == "test" && slices.Contains(phases, "test-compile") {
			last = i
		}
	}
	for _, step := range order[:last+1] {
		if step.plugin != "" {
			plugins = append(plugins, step.plugin)
		}
	}
	if slices.Contains(phases, "clean") {
		plugins = append(plugins, "clean")
	}
	return plugins
}

// maven looks for the artifacts of one build.
type maven struct {
	World
	repository string
	left       int // projects to look at
}

func (m *maven) missing(file string) string {
	if m.left--; m.left < 0 {
		return ""
	}
	p := parseProject(read(file))
	needs := slices.Concat(p.Dependencies, p.Plugins)
	if p.Parent.Name != "" && (p.Parent.Relative != nil && *p.Parent.Relative == "" || !exists(filepath.Join(filepath.Dir(file), "..", "pom.xml"))) {
		needs = append(needs, p.Parent)
	}
	for _, a := range needs[:min(len(needs), maxItems)] {
		a.Group, a.Version = p.expand(a.Group), p.expand(a.Version)
		if a.Group == "" {
			a.Group = "org.apache.maven.plugins"
		}
		if a.System == "" && a.Version != "" && a.Group != p.expand(p.Group) && !m.inRepository(a, a.Version) {
			return a.Group + ":" + a.Name + ":" + a.Version
		}
	}
	for _, module := range p.Modules {
		if filepath.IsLocal(filepath.FromSlash(module)) {
			if name := m.missing(filepath.Join(filepath.Dir(file), filepath.FromSlash(module), "pom.xml")); name != "" {
				return name
			}
		}
	}
	return ""
}

func parseProject(text []byte) (p project) {
	if xml.Unmarshal(text, &p) != nil {
		return project{}
	}
	return p
}

// expand replaces a property by its value. An unknown one is "".
func (p *project) expand(s string) string {
	s = strings.TrimSpace(s)
	for range 8 { // properties may name others
		begin := strings.Index(s, "${")
		if begin < 0 {
			return s
		}
		end := strings.IndexByte(s[begin:], '}')
		if end < 0 {
			return ""
		}
		name, by := s[begin+2:begin+end], ""
		switch name {
		case "project.version":
			by = p.Version
		case "project.groupId":
			by = p.Group
		}
		for _, one := range p.Properties.All {
			if one.XMLName.Local == name {
				by = strings.TrimSpace(one.Value)
			}
		}
		if by == "" {
			return ""
		}
		s = s[:begin] + by + s[begin+end+1:]
	}
	return ""
}

// inRepository reports whether the local repository has an artifact, in any version if
// none is given. A range of versions is not looked for.
func (m *maven) inRepository(a artifact, version string) bool {
	dir := filepath.Join(filepath.FromSlash(strings.ReplaceAll(a.Group, ".", "/")), a.Name)
	if !filepath.IsLocal(dir) || strings.ContainsAny(dir+version, `*?[](),\`) || filepath.Base(version) != version && version != "" {
		return true // Maven decides
	}
	if version == "" {
		version = "*"
	}
	return m.inCache(m.repository, filepath.Join(dir, version, a.Name+"-*.pom"))
}
