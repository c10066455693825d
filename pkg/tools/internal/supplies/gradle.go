package supplies

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// gradleLacks returns what Gradle fetches: its own distribution, which the wrapper at
// script names, a plugin, or a library whose version the project states.
func (w World) gradleLacks(script string, args []string) string {
	if has(args, "--offline", "-v", "--version", "-h", "--help", "-?", "--stop", "--status", "-g", "--gradle-user-home") {
		return "" // it fetches nothing, or keeps it elsewhere
	}
	home := w.Env("GRADLE_USER_HOME")
	switch {
	case home == "" && w.Home == "":
		return ""
	case home == "":
		home = filepath.Join(w.Home, ".gradle")
	case !filepath.IsAbs(home):
		home = filepath.Join(w.Dir, home)
	}
	dir := w.Dir
	for _, option := range [...]string{"-p", "--project-dir"} {
		if given := value(args, option); filepath.IsAbs(given) {
			dir = given
		} else if given != "" {
			dir = filepath.Join(w.Dir, given)
		}
	}
	if strings.HasPrefix(filepath.Base(script), "gradlew") {
		if !filepath.IsAbs(script) {
			script = filepath.Join(w.Dir, script)
		}
		if lacks := w.distribution(filepath.Dir(script), home); lacks != "" {
			return lacks
		}
	}
	for _, c := range coordinatesOf(dir) {
		if !w.inCache(filepath.Join(home, "caches", "modules-2", "files-2.1"), filepath.Join(c.group, c.name, c.version)) {
			return c.group + ":" + c.name + ":" + c.version
		}
	}
	return ""
}

// distribution returns the distribution that a wrapper downloads.
func (w World) distribution(project, home string) string {
	url := wrapperURL(read(filepath.Join(project, "gradle", "wrapper", "gradle-wrapper.properties")))
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || scheme == "file" {
		return ""
	}
	archive := path.Base(rest)
	name := strings.TrimSuffix(archive, ".zip")
	if name == "" || name == "." || strings.ContainsAny(archive, `/\*?[`) {
		return ""
	}
	// The directory between is a hash of the URL. The mark says that all is unpacked.
	if w.inCache(filepath.Join(home, "wrapper", "dists"), filepath.Join(name, "*", archive+".ok")) {
		return ""
	}
	return archive
}

// wrapperURL returns the distributionUrl of a file of properties, in which a backslash
// quotes the next character. It is "" for a distribution that is not kept in the home.
func wrapperURL(properties []byte) (url string) {
	for line := range strings.Lines(string(properties)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "distributionUrl":
			url = strings.ReplaceAll(value, `\`, "")
		case "distributionBase":
			if value != "GRADLE_USER_HOME" {
				return ""
			}
		case "distributionPath":
			if value != "wrapper/dists" {
				return ""
			}
		}
	}
	return url
}

// coordinate names a library in a repository of Maven's kind.
type coordinate struct{ group, name, version string }

// coordinatesOf returns the plugins and libraries that the build files of a project and
// of its direct subdirectories name with their versions.
func coordinatesOf(dir string) (all []coordinate) {
	for _, pattern := range [...]string{"build.gradle", "build.gradle.kts", "*/build.gradle", "*/build.gradle.kts"} {
		files, err := filepath.Glob(filepath.Join(escape(dir), pattern))
		if err != nil {
			continue
		}
		for _, file := range files[:min(len(files), maxUp)] {
			all = append(all, parseGradle(read(file))...)
		}
	}
	return all[:min(len(all), maxItems)]
}

// parseGradle reads a build file line by line, in Groovy or Kotlin: what is computed, or
// written in another way, it does not see.
func parseGradle(text []byte) (all []coordinate) {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		word := line[:len(line)-len(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
		quoted := quotedIn(line)
		switch {
		case word == "id" && len(quoted) == 2 && strings.Contains(line, "version") && !strings.Contains(line, "apply"):
			all = append(all, coordinate{quoted[0], quoted[0] + ".gradle.plugin", quoted[1]})
		case isConfiguration(word) && len(quoted) == 1 && !strings.Contains(line, "platform"):
			if parts := strings.Split(quoted[0], ":"); len(parts) == 3 {
				all = append(all, coordinate{parts[0], parts[1], parts[2]})
			}
		}
	}
	return slices.DeleteFunc(all, func(c coordinate) bool { return !plain(c.group) || !plain(c.name) || !plain(c.version) })
}

// isConfiguration reports whether a word declares a library that building or testing
// needs.
func isConfiguration(word string) bool {
	for _, kind := range [...]string{"implementation", "api", "compileOnly", "runtimeOnly", "annotationProcessor"} {
		if word == kind || word == "test"+strings.ToUpper(kind[:1])+kind[1:] {
			return true
		}
	}
	return word == "classpath"
}

// quotedIn returns the texts in quotes of a line, up to a comment.
func quotedIn(line string) (all []string) {
	for {
		i := strings.IndexAny(line, `'"`)
		if comment := strings.Index(line, "//"); i < 0 || comment >= 0 && comment < i {
			return all
		}
		text, rest, closed := strings.Cut(line[i+1:], line[i:i+1])
		if !closed {
			return all
		}
		all, line = append(all, text), rest
	}
}

// plain reports whether part of a coordinate is written out: no variable, no range, no
// "latest".
func plain(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.HasPrefix(s, "latest.") &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}
