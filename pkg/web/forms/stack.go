package forms

import (
	"fmt"
	"html"
	"strings"
)

// stackSite returns the name of a site of Stack Exchange in its API, "" of another site.
func stackSite(host string) string {
	switch host {
	case "stackoverflow.com", "serverfault.com", "superuser.com", "askubuntu.com", "stackapps.com",
		"meta.stackoverflow.com", "pt.stackoverflow.com", "es.stackoverflow.com", "ru.stackoverflow.com", "ja.stackoverflow.com":
		return strings.TrimSuffix(host, ".com")
	case "mathoverflow.net":
		return host
	}
	name, ok := strings.CutSuffix(host, ".stackexchange.com")
	if !ok || name == "api" || name == "chat" || name == "data" || name == "area51" {
		return ""
	}
	return name
}

// stack returns the form of a question and its answers, the best first. The comments
// would be a request for the question and one for the answers, of 300 a day.
// https://api.stackexchange.com/docs/questions-by-ids
func stack(site string, steps []string) Form {
	id := step(steps, 1)
	if steps[0] != "questions" && steps[0] != "q" || !isNumber(id) {
		return Form{}
	}
	at := "https://api.stackexchange.com/2.3/questions/" + id
	return Form{
		URL:  at + "?filter=withbody&site=" + site,
		More: []string{at + "/answers?filter=withbody&order=desc&pagesize=50&site=" + site + "&sort=votes"},
		read: readQuestion,
	}
}

type stackPost struct {
	Title    string   `json:"title"`
	Body     string   `json:"body"` // HTML
	Score    int      `json:"score"`
	Created  float64  `json:"creation_date"`
	Accepted bool     `json:"is_accepted"`
	Answers  int      `json:"answer_count"`
	Tags     []string `json:"tags"`
	Closed   string   `json:"closed_reason"`
	Owner    struct {
		Name string `json:"display_name"`
	} `json:"owner"`
}

type stackPosts struct {
	Items []stackPost `json:"items"`
}

func readQuestion(bodies []string) (*Thread, error) {
	questions, err := decode[stackPosts](bodies[0])
	if err != nil {
		return nil, err
	}
	if len(questions.Items) == 0 || questions.Items[0].Body == "" {
		return nil, errEmpty
	}
	q := questions.Items[0]
	answers, err := decode[stackPosts](bodies[1])
	if err != nil && q.Answers > 0 {
		return nil, err // a question without its answers is less than the page
	}
	t := &Thread{Title: html.UnescapeString(q.Title), Site: "Stack Exchange", Author: html.UnescapeString(q.Owner.Name), Date: epoch(q.Created), Terse: true}
	if len(q.Tags) > 0 {
		t.About = append(t.About, strings.Join(q.Tags, ", "))
	}
	if q.Closed != "" {
		t.About = append(t.About, "closed: "+html.UnescapeString(q.Closed))
	}
	t.Posts = append(t.Posts, q.post("question"))
	for _, a := range answers.Items {
		kind := "answer"
		if a.Accepted {
			kind = "accepted answer"
		}
		t.Posts = append(t.Posts, a.post(kind))
	}
	t.Left = max(q.Answers-len(answers.Items), 0)
	return t, nil
}

func (s *stackPost) post(kind string) Post {
	return Post{
		Author: html.UnescapeString(s.Owner.Name), Date: epoch(s.Created), Notes: []string{fmt.Sprintf("score %d", s.Score), kind},
		Body: s.Body, HTML: true,
	}
}
