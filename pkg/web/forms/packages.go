package forms

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"slices"
	"strings"
)

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// fenced returns a text as a block of code.
func fenced(text, language string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	language = strings.ToLower(strings.Join(strings.Fields(language), "-"))
	return fence + strings.Trim(language, "`") + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// arxiv returns the form of a paper: of its abstract the entry in the export API, of its
// PDF the page with its full text.
// https://info.arxiv.org/help/api/user-manual.html
func arxiv(steps []string) Form {
	id := strings.TrimSuffix(strings.Join(steps[1:], "/"), ".pdf")
	if id == "" || len(id) > 40 || strings.Trim(id, "0123456789./-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return Form{}
	}
	switch steps[0] {
	case "abs":
		return Form{URL: "https://export.arxiv.org/api/query?id_list=" + id, read: readPaper}
	case "pdf":
		return Form{URL: "https://arxiv.org/html/" + id}
	}
	return Form{}
}

func readPaper(bodies []string) (*Thread, error) {
	var feed struct {
		Entries []struct {
			ID        string `xml:"id"`
			Title     string `xml:"title"`
			Summary   string `xml:"summary"`
			Published string `xml:"published"`
			Updated   string `xml:"updated"`
			Comment   string `xml:"comment"`
			Journal   string `xml:"journal_ref"`
			DOI       string `xml:"doi"`
			Authors   []struct {
				Name string `xml:"name"`
			} `xml:"author"`
			Categories []struct {
				Term string `xml:"term,attr"`
			} `xml:"category"`
			Links []struct {
				Href string `xml:"href,attr"`
				Type string `xml:"type,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(bodies[0]), &feed); err != nil {
		return nil, err
	}
	if len(feed.Entries) == 0 || !strings.Contains(feed.Entries[0].ID, "/abs/") || feed.Entries[0].Summary == "" {
		return nil, errEmpty
	}
	e := feed.Entries[0]
	var authors, categories []string
	for _, a := range e.Authors {
		authors = append(authors, a.Name)
	}
	for _, c := range e.Categories {
		categories = append(categories, c.Term)
	}
	t := &Thread{Title: join([]string{e.Title}), Site: "arXiv", Author: strings.Join(authors, ", "), Date: e.Published, About: []string{strings.Join(categories, ", ")}}
	var body strings.Builder
	body.WriteString(strings.Join(strings.Fields(e.Summary), " ") + "\n\n")
	for _, line := range [...][2]string{{"Updated", e.Updated}, {"Comment", e.Comment}, {"Journal", e.Journal}, {"DOI", e.DOI}} {
		if text := join([]string{line[1]}); text != "" {
			body.WriteString("- " + line[0] + ": " + text + "\n")
		}
	}
	for _, l := range e.Links {
		if l.Type == "application/pdf" {
			body.WriteString("- PDF: " + join([]string{l.Href}) + "\n")
		}
	}
	t.Posts = []Post{{Body: body.String()}}
	return t, nil
}

// pypi returns the form of a project. https://docs.pypi.org/api/json/
func pypi(steps []string) Form {
	if steps[0] != "project" || step(steps, 1) == "" || len(steps) > 3 {
		return Form{}
	}
	return Form{URL: "https://pypi.org/pypi/" + strings.Join(steps[1:], "/") + "/json", read: readProject}
}

func readProject(bodies []string) (*Thread, error) {
	p, err := decode[struct {
		Info struct {
			Name        string            `json:"name"`
			Version     string            `json:"version"`
			Summary     string            `json:"summary"`
			Description string            `json:"description"`
			Type        string            `json:"description_content_type"`
			Author      string            `json:"author"`
			License     string            `json:"license_expression"`
			Python      string            `json:"requires_python"`
			Requires    []string          `json:"requires_dist"`
			URLs        map[string]string `json:"project_urls"`
		} `json:"info"`
		Files []struct {
			Uploaded string `json:"upload_time_iso_8601"`
		} `json:"urls"`
	}](bodies[0])
	if err != nil {
		return nil, err
	}
	i := p.Info
	if i.Name == "" {
		return nil, errEmpty
	}
	t := &Thread{Title: i.Name + " " + i.Version, Site: "PyPI", Author: i.Author, About: []string{i.License}}
	if i.Python != "" {
		t.About = append(t.About, "Python "+i.Python)
	}
	if len(p.Files) > 0 {
		t.Date = p.Files[0].Uploaded
	}
	body := join([]string{i.Summary}) + "\n\n" + listed(i.URLs)
	if len(i.Requires) > 0 {
		body += "- Requires: " + join([]string{strings.Join(i.Requires[:min(len(i.Requires), 100)], "; ")}) + "\n"
	}
	t.Posts = []Post{{Body: body}}
	if description := strings.TrimSpace(i.Description); description != "" {
		if strings.Contains(i.Type, "rst") {
			description = fenced(description, "rst")
		}
		t.Posts = append(t.Posts, Post{Title: "Description", Body: description})
		t.Posts[0].Title = "Project"
	}
	return t, nil
}

// listed returns named addresses as a list.
func listed(addresses map[string]string) string {
	var b strings.Builder
	for _, name := range sorted(addresses) {
		if text := join([]string{addresses[name]}); text != "" {
			b.WriteString("- " + join([]string{name}) + ": " + text + "\n")
		}
	}
	return b.String()
}

// npm returns the form of a package.
// https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md
func npm(steps []string) Form {
	name := strings.Join(steps[1:], "/")
	if steps[0] != "package" || name == "" || len(steps) > 3 || len(steps) == 3 && !strings.HasPrefix(name, "@") && !strings.HasPrefix(name, "%40") {
		return Form{}
	}
	return Form{URL: "https://registry.npmjs.org/" + strings.Replace(name, "/", "%2F", 1), read: readPackage}
}

func readPackage(bodies []string) (*Thread, error) {
	p, err := decode[struct {
		Name        string                     `json:"name"`
		Description string                     `json:"description"`
		Readme      string                     `json:"readme"`
		Homepage    string                     `json:"homepage"`
		Tags        map[string]string          `json:"dist-tags"`
		Time        map[string]json.RawMessage `json:"time"`
		Versions    map[string]struct {
			License      json.RawMessage   `json:"license"`
			Dependencies map[string]string `json:"dependencies"`
			Deprecated   json.RawMessage   `json:"deprecated"`
		} `json:"versions"`
	}](bodies[0])
	if err != nil {
		return nil, err
	}
	if p.Name == "" {
		return nil, errEmpty
	}
	latest := p.Tags["latest"]
	t := &Thread{Title: strings.TrimSpace(p.Name + " " + latest), Site: "npm", Date: text(p.Time[latest])}
	version := p.Versions[latest]
	t.About = append(t.About, text(version.License))
	if why := text(version.Deprecated); why != "" {
		t.About = append(t.About, "deprecated: "+why)
	}
	body := join([]string{p.Description}) + "\n\n"
	if home := join([]string{p.Homepage}); home != "" {
		body += "- Homepage: " + home + "\n"
	}
	if len(version.Dependencies) > 0 {
		names := sorted(version.Dependencies)
		body += "- Dependencies: " + join([]string{strings.Join(names[:min(len(names), 100)], ", ")}) + "\n"
	}
	t.Posts = []Post{{Body: body}}
	if p.Readme != "" {
		t.Posts[0].Title = "Package"
		t.Posts = append(t.Posts, Post{Title: "Readme", Body: p.Readme})
	}
	return t, nil
}

// text returns a string of JSON, "" of any other value.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

// crate returns the form of a crate, whose page is empty without scripts.
// https://crates.io/data-access
func crate(steps []string) Form {
	if steps[0] != "crates" || step(steps, 1) == "" || len(steps) > 3 {
		return Form{}
	}
	return Form{URL: "https://crates.io/api/v1/crates/" + steps[1], read: readCrate}
}

func readCrate(bodies []string) (*Thread, error) {
	c, err := decode[struct {
		Crate struct {
			Name          string `json:"name"`
			Description   string `json:"description"`
			Version       string `json:"max_stable_version"`
			Updated       string `json:"updated_at"`
			Homepage      string `json:"homepage"`
			Repository    string `json:"repository"`
			Documentation string `json:"documentation"`
			Downloads     int    `json:"downloads"`
		} `json:"crate"`
		Versions []struct {
			Number  string `json:"num"`
			Created string `json:"created_at"`
			License string `json:"license"`
			Rust    string `json:"rust_version"`
			Yanked  bool   `json:"yanked"`
		} `json:"versions"`
	}](bodies[0])
	if err != nil {
		return nil, err
	}
	if c.Crate.Name == "" {
		return nil, errEmpty
	}
	t := &Thread{Title: strings.TrimSpace(c.Crate.Name + " " + c.Crate.Version), Site: "crates.io", Date: c.Crate.Updated, About: []string{counted(c.Crate.Downloads, "download", "downloads")}}
	body := join([]string{c.Crate.Description}) + "\n\n" +
		listed(map[string]string{"Homepage": c.Crate.Homepage, "Repository": c.Crate.Repository, "Documentation": c.Crate.Documentation, "Readme and API": "https://docs.rs/crate/" + c.Crate.Name})
	t.Posts = []Post{{Title: "Crate", Body: body}}
	var b strings.Builder
	for _, v := range c.Versions[:min(len(c.Versions), 20)] {
		about := []string{v.Number, v.Created, v.License}
		if v.Rust != "" {
			about = append(about, "Rust "+v.Rust)
		}
		if v.Yanked {
			about = append(about, "yanked")
		}
		b.WriteString("- " + join(about) + "\n")
	}
	if b.Len() > 0 {
		t.Posts = append(t.Posts, Post{Title: "Versions", Body: b.String()})
	}
	return t, nil
}
