package forms

import (
	"fmt"
	"strings"
)

// github returns the forms of issues, pull requests, releases and commits.
// https://docs.github.com/rest/issues, https://docs.github.com/rest/releases
func github(steps []string) Form {
	const api = "https://api.github.com/repos/"
	if len(steps) < 3 {
		return Form{}
	}
	repository, number := steps[0]+"/"+steps[1], step(steps, 3)
	switch kind := steps[2]; {
	case kind == "pull" && isNumber(number) && (step(steps, 4) == "files" || step(steps, 4) == "changes"):
		return Form{URL: "https://github.com/" + repository + "/pull/" + number + ".diff"}
	case (kind == "issues" || kind == "pull") && isNumber(number) && len(steps) == 4:
		at := api + repository + "/issues/" + number
		return Form{URL: at, More: []string{at + "/comments?per_page=100"}, read: readIssue}
	case kind == "commit" && number != "" && len(steps) == 4 && !strings.Contains(number, "."):
		return Form{URL: "https://github.com/" + repository + "/commit/" + number + ".patch"}
	case kind == "releases" && len(steps) == 3:
		return Form{URL: api + repository + "/releases?per_page=10", read: readReleases}
	case kind == "releases" && number == "latest" && len(steps) == 4:
		return Form{URL: api + repository + "/releases/latest", read: readRelease}
	case kind == "releases" && number == "tag" && len(steps) == 5:
		return Form{URL: api + repository + "/releases/tags/" + steps[4], read: readRelease}
	}
	return Form{}
}

// gist returns the form of a gist: all its files.
func gist(steps []string) Form {
	id := step(steps, 1)
	if len(steps) == 1 {
		id = steps[0]
	}
	if len(steps) > 2 || len(id) < 16 || strings.Trim(id, "0123456789abcdef") != "" {
		return Form{}
	}
	return Form{URL: "https://api.github.com/gists/" + id, read: readGist}
}

type githubUser struct {
	Login string `json:"login"`
}

type githubIssue struct {
	Title     string     `json:"title"`
	State     string     `json:"state"`
	Reason    string     `json:"state_reason"`
	Body      string     `json:"body"`
	User      githubUser `json:"user"`
	CreatedAt string     `json:"created_at"`
	Comments  int        `json:"comments"`
	Labels    []struct {
		Name string `json:"name"`
	} `json:"labels"`
	PullRequest *struct {
		MergedAt string `json:"merged_at"`
	} `json:"pull_request"`
	Association string `json:"author_association"`
}

func readIssue(bodies []string) (*Thread, error) {
	issue, err := decode[githubIssue](bodies[0])
	if err != nil {
		return nil, err
	}
	if issue.Title == "" {
		return nil, errEmpty
	}
	t := &Thread{Title: issue.Title, Site: "GitHub", Author: issue.User.Login, Date: issue.CreatedAt}
	state := issue.State
	switch {
	case issue.PullRequest != nil && issue.PullRequest.MergedAt != "":
		state = "merged " + issue.PullRequest.MergedAt
	case issue.Reason != "":
		state += " (" + strings.ReplaceAll(issue.Reason, "_", " ") + ")"
	}
	t.About = append(t.About, state)
	for _, l := range issue.Labels {
		t.About = append(t.About, l.Name)
	}
	t.Posts = append(t.Posts, issue.post())
	if comments, err := decode[[]githubIssue](bodies[1]); err == nil {
		for _, c := range comments {
			t.Posts = append(t.Posts, c.post())
		}
	}
	t.Left = max(issue.Comments-len(t.Posts)+1, 0)
	return t, nil
}

// post returns an issue or a comment.
func (i *githubIssue) post() Post {
	p := Post{Author: i.User.Login, Date: i.CreatedAt, Body: i.Body}
	switch i.Association {
	case "OWNER", "MEMBER", "COLLABORATOR":
		p.Notes = []string{strings.ToLower(i.Association)}
	}
	return p
}

type githubRelease struct {
	Name        string     `json:"name"`
	Tag         string     `json:"tag_name"`
	Body        string     `json:"body"`
	PublishedAt string     `json:"published_at"`
	Prerelease  bool       `json:"prerelease"`
	Author      githubUser `json:"author"`
	Assets      []struct {
		Name string `json:"name"`
		Size int64  `json:"size"`
		URL  string `json:"browser_download_url"`
	} `json:"assets"`
}

func readRelease(bodies []string) (*Thread, error) {
	r, err := decode[githubRelease](bodies[0])
	if err != nil {
		return nil, err
	}
	return releases([]githubRelease{r})
}

func readReleases(bodies []string) (*Thread, error) {
	all, err := decode[[]githubRelease](bodies[0])
	if err != nil {
		return nil, err
	}
	return releases(all)
}

func releases(all []githubRelease) (*Thread, error) {
	t := &Thread{Title: "Releases", Site: "GitHub"}
	for _, r := range all {
		if r.Tag == "" {
			continue
		}
		p := Post{Body: r.Body}
		title := []string{r.Tag, r.PublishedAt, r.Author.Login}
		if r.Name != "" && r.Name != r.Tag {
			title = append([]string{r.Name}, title...)
		}
		if r.Prerelease {
			title = append(title, "pre-release")
		}
		p.Title = join(title)
		var b strings.Builder
		for _, a := range r.Assets {
			fmt.Fprintf(&b, "- %s (%d bytes): %s\n", escape(join([]string{a.Name})), a.Size, escape(join([]string{a.URL})))
		}
		if b.Len() > 0 {
			p.Body = strings.TrimSpace(p.Body) + "\n\n" + b.String()
		}
		t.Posts = append(t.Posts, p)
	}
	if len(t.Posts) == 0 {
		return nil, errEmpty
	}
	return t, nil
}

func readGist(bodies []string) (*Thread, error) {
	g, err := decode[struct {
		Description string     `json:"description"`
		CreatedAt   string     `json:"created_at"`
		Owner       githubUser `json:"owner"`
		Files       map[string]struct {
			Name      string `json:"filename"`
			Language  string `json:"language"`
			Content   string `json:"content"`
			Truncated bool   `json:"truncated"`
			RawURL    string `json:"raw_url"`
		} `json:"files"`
	}](bodies[0])
	if err != nil {
		return nil, err
	}
	t := &Thread{Title: g.Description, Site: "GitHub Gist", Author: g.Owner.Login, Date: g.CreatedAt}
	for _, name := range sorted(g.Files) {
		f := g.Files[name]
		p := Post{Title: f.Name, Body: fenced(f.Content, f.Language)}
		if f.Language == "Markdown" {
			p.Body = f.Content
		}
		if f.Truncated {
			p.Body += "\n\n[… " + escape(join([]string{f.RawURL})) + "]"
		}
		t.Posts = append(t.Posts, p)
	}
	return t, nil
}
