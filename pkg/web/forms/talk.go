package forms

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// maxDepth limits the depth of replies that are followed.
const maxDepth = 100

// hackerNews returns the form of an item with all its comments.
// https://hn.algolia.com/api
func hackerNews(u *url.URL, steps []string) Form {
	id := u.Query().Get("id")
	if steps[0] != "item" || !isNumber(id) {
		return Form{}
	}
	return Form{URL: "https://hn.algolia.com/api/v1/items/" + id, read: readItem}
}

type newsItem struct {
	Title    string     `json:"title"`
	URL      string     `json:"url"`
	Author   string     `json:"author"`
	Created  string     `json:"created_at"`
	Points   int        `json:"points"`
	Text     string     `json:"text"` // HTML
	Children []newsItem `json:"children"`
}

func readItem(bodies []string) (*Thread, error) {
	item, err := decode[newsItem](bodies[0])
	if err != nil {
		return nil, err
	}
	if item.Author == "" && item.Title == "" {
		return nil, errEmpty
	}
	t := &Thread{Title: item.Title, Site: "Hacker News", Author: item.Author, Date: item.Created}
	body := item.Text
	if item.URL != "" {
		address := html.EscapeString(item.URL)
		body = "<p><a href=\"" + address + "\">" + address + "</a></p>" + body
	}
	t.Posts = append(t.Posts, Post{Author: item.Author, Date: item.Created, Notes: []string{counted(item.Points, "point", "points")}, Body: body, HTML: true})
	var walk func(items []newsItem, depth int)
	walk = func(items []newsItem, depth int) {
		for _, c := range items {
			if c.Author != "" && c.Text != "" {
				t.Posts = append(t.Posts, Post{Author: c.Author, Date: c.Created, Depth: depth, Body: c.Text, HTML: true})
			}
			if depth < maxDepth {
				walk(c.Children, depth+1)
			}
		}
	}
	walk(item.Children, 0)
	return t, nil
}

// reddit returns the form of a post with its comments.
// https://www.reddit.com/dev/api#GET_comments_{article}
func reddit(steps []string) Form {
	if steps[0] != "r" && steps[0] != "user" || step(steps, 2) != "comments" || step(steps, 3) == "" || len(steps) > 6 {
		return Form{}
	}
	path := strings.TrimSuffix(strings.Join(steps, "/"), ".json")
	return Form{URL: "https://www.reddit.com/" + path + ".json?limit=200&raw_json=1", read: readReddit}
}

// redditThing is a listing, a post (t3), a comment (t1) or a note of more comments.
type redditThing struct {
	Kind string `json:"kind"`
	Data struct {
		Children  []redditThing   `json:"children"`
		Title     string          `json:"title"`
		Subreddit string          `json:"subreddit_name_prefixed"`
		Author    string          `json:"author"`
		Created   float64         `json:"created_utc"`
		Score     int             `json:"score"`
		Selftext  string          `json:"selftext"` // Markdown
		Body      string          `json:"body"`     // Markdown
		URL       string          `json:"url"`
		IsSelf    bool            `json:"is_self"`
		Flair     string          `json:"link_flair_text"`
		Count     int             `json:"count"`
		Replies   json.RawMessage `json:"replies"` // a listing, or ""
	} `json:"data"`
}

// redditMore is a note of more comments: its children are ids.
type redditMore struct {
	Kind string `json:"kind"`
	Data struct {
		Count int `json:"count"`
	} `json:"data"`
}

// UnmarshalJSON reads a thing. The children of a note are not things.
func (r *redditThing) UnmarshalJSON(data []byte) error {
	more := redditMore{}
	if err := json.Unmarshal(data, &more); err != nil {
		return err
	}
	if more.Kind == "more" {
		r.Kind, r.Data.Count = more.Kind, more.Data.Count
		return nil
	}
	type plain redditThing
	return json.Unmarshal(data, (*plain)(r))
}

func readReddit(bodies []string) (*Thread, error) {
	listings, err := decode[[]redditThing](bodies[0])
	if err != nil {
		return nil, err
	}
	if len(listings) == 0 || len(listings[0].Data.Children) == 0 || listings[0].Data.Children[0].Kind != "t3" {
		return nil, errEmpty
	}
	post := listings[0].Data.Children[0].Data
	t := &Thread{Title: post.Title, Site: "Reddit", Author: post.Author, Date: epoch(post.Created), About: []string{post.Subreddit, post.Flair}}
	body := post.Selftext
	if !post.IsSelf && post.URL != "" {
		body = "<" + post.URL + ">\n\n" + body
	}
	t.Posts = append(t.Posts, Post{Author: post.Author, Date: t.Date, Notes: []string{counted(post.Score, "point", "points")}, Body: body})
	var walk func(things []redditThing, depth int)
	walk = func(things []redditThing, depth int) {
		for i := range things {
			switch c := &things[i]; c.Kind {
			case "more":
				t.Left += max(c.Data.Count, 0)
			case "t1":
				t.Posts = append(t.Posts, Post{Author: c.Data.Author, Date: epoch(c.Data.Created), Notes: []string{counted(c.Data.Score, "point", "points")}, Depth: depth, Body: c.Data.Body})
				var replies redditThing
				if depth < maxDepth && json.Unmarshal(c.Data.Replies, &replies) == nil {
					walk(replies.Data.Children, depth+1)
				}
			}
		}
	}
	for _, l := range listings[1:] {
		walk(l.Data.Children, 0)
	}
	return t, nil
}

// discourse returns the form of a topic: its title, and the source of its first hundred
// posts. Any host may run it; the path tells.
// https://docs.discourse.org
func discourse(u *url.URL, steps []string) Form {
	id := step(steps, 2)
	if steps[0] != "t" || len(steps) < 3 || len(steps) > 4 || isNumber(steps[1]) || !isNumber(id) || len(steps) == 4 && !isNumber(steps[3]) {
		return Form{}
	}
	at := u.Scheme + "://" + u.Host
	return Form{URL: at + "/t/" + id + ".json", More: []string{at + "/raw/" + id}, read: readTopic}
}

func readTopic(bodies []string) (*Thread, error) {
	topic, err := decode[struct {
		Title   string `json:"title"`
		Created string `json:"created_at"`
		Count   int    `json:"posts_count"`
		Stream  struct {
			Posts []struct {
				Username string `json:"username"`
				Created  string `json:"created_at"`
				Cooked   string `json:"cooked"` // HTML
				Number   int    `json:"post_number"`
				ReplyTo  int    `json:"reply_to_post_number"`
				Accepted bool   `json:"accepted_answer"`
			} `json:"posts"`
		} `json:"post_stream"`
	}](bodies[0])
	if err != nil {
		return nil, err
	}
	if topic.Title == "" || len(topic.Stream.Posts) == 0 {
		return nil, errEmpty
	}
	t := &Thread{Title: topic.Title, Author: topic.Stream.Posts[0].Username, Date: topic.Created}
	for _, p := range topic.Stream.Posts {
		post := Post{Author: p.Username, Date: p.Created, Body: p.Cooked, HTML: true}
		if p.ReplyTo > 0 {
			post.Notes = append(post.Notes, fmt.Sprintf("to #%d", p.ReplyTo))
		}
		if p.Accepted {
			post.Notes = append(post.Notes, "accepted answer")
		}
		t.Posts = append(t.Posts, post)
	}
	if raw := rawPosts(bodies[1]); len(raw) > len(t.Posts) {
		t.Posts = append(t.Posts, raw[len(t.Posts):]...)
	}
	t.Left = max(topic.Count-len(t.Posts), 0)
	return t, nil
}

// rawPosts reads the source of a topic: of each post a line "name | date | #number", the
// text, and a line of hyphens.
func rawPosts(body string) []Post {
	var all []Post
	for piece := range strings.SplitSeq(body, "\n\n-------------------------\n\n") {
		line, text, _ := strings.Cut(strings.TrimLeft(piece, "\r\n"), "\n")
		about := strings.Split(strings.TrimSpace(line), " | ")
		if len(about) == 3 && strings.HasPrefix(about[2], "#") && isNumber(about[2][1:]) {
			all = append(all, Post{Author: about[0], Date: about[1], Body: text})
		} else if n := len(all); n > 0 && strings.TrimSpace(piece) != "" { // the hyphens were of the text
			all[n-1].Body += "\n\n---\n\n" + piece
		}
	}
	return all
}
