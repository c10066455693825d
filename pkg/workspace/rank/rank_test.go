package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// order returns the paths that fit a query, the best first, each with its hit.
func order(query string, paths ...string) []string {
	q := Compile(query)
	if q == nil {
		return nil
	}
	r := q.Ranker()
	type scored struct {
		path string
		Score
	}
	var all []scored
	for _, p := range paths {
		name := p[strings.LastIndexByte(p, '/')+1:]
		r.Enter(strings.TrimSuffix(p, name))
		if s := r.Rank(name, Some); s.Tier < None {
			all = append(all, scored{p, s})
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(a.Compare(b.Score), strings.Compare(a.path, b.path)) })
	var found []string
	for _, s := range all {
		found = append(found, s.path+" "+s.Hit())
	}
	return found
}

func ExampleRanker() {
	r := Compile("fileState").Ranker()
	r.Enter("src/")
	for _, name := range []string{"fileState", "fileState.go", "myFileState.go", "file_state.py", "filestat.py", "other.py"} {
		fmt.Printf("%-15s%s\n", name, r.Rank(name, Near).Hit())
	}
	// Output:
	// fileState      name
	// fileState.go   name
	// myFileState.go name
	// file_state.py  parts
	// filestat.py    similar
	// other.py       similar
}

func TestOrder(t *testing.T) {
	for _, tt := range []struct {
		query string
		paths string // the best first, then those that do not fit
		want  string // the hits
	}{
		{"main.go", "main.go cmd/main.go main.go.txt domain.go", "name name name name"},
		{"main", "main main.go cmd/main.go main_test.go domain.go x.go", "name name name name name"},
		{"src/a.go", "src/a.go x/src/a.go xsrc/a.go b/a.go", "path path path similar"},
		{"src/app", "src/app src/app.ts x/src/app.ts src/apple.ts src/app/x.ts", "path path path path path"},
		{"user service", "service_of_user.ts user/service.ts users.ts", "words words similar"},
		{"state file", "file_state.py file/x.py", "words"},
		{"foo bar", "foo_bar.py foobar.py foo_1_bar.py foo_2_bar.py foo_3_bar.py foo_4_bar.py foo_5_bar.py", "words words words words words words words"},
		{"HTMLParser", "html_parser.py html/parser.py parser.py", "parts parts similar"},
		{"user-service.ts", "UserService.ts user_service_test.ts", "parts parts"},
		{"serach.py", "search.py x/search.py search.js sarcasm.py", "similar similar similar"},
		{"abd", "abc xbd", "similar"},
		{"ab", "ac", ""},
		{"abcd", "abce abxy", "similar"},
		{"abcdef", "abcdxy abwxyz", "similar"},
		{"useFetch.js", "useFetch.ts useFetcher.ts", "similar similar"},
		{"authentication middleware", "auth/middleware.py middleware/auth.py authentication.py other.py", "similar similar similar"},
		{"virtual reality button", "VRButton.js reality.js", "similar similar"},
		{"database session", "session_db.py", "similar"},
		{"signal dispatchers", "dispatch/dispatcher.py a/signals.py tests/a_signals.py", "similar similar similar"},
		{"relabeling configuration", "relabel/relabel.go testdata/relabel_config.yml", "similar similar"},
		{"test runners implementation", "test/runner.py main/runner.py", "similar similar"},
		{"the main file", "main.go x.go", "similar"},
		{"a|b", "a b c", "name name"},
		{"GRÖßE", "größe.txt", "name"},
		{"größe", "GRÖßE.txt", "name"},
		{"Kelvin", "\u212aelvin", "name"}, // one letter that takes three bytes, and one in lower case
		{".gitignore", ".gitignore", "name"},
		{"gitignore", ".gitignore", "name"},
		{"js", "a.js jsx.c xjsx", "name name name"},
		{strings.Repeat("x", 300), strings.Repeat("x", 300), ""},
	} {
		var want []string
		paths := strings.Fields(tt.paths)
		for i, hit := range strings.Fields(tt.want) {
			want = append(want, paths[i]+" "+hit)
		}
		shuffled := slices.Clone(paths)
		slices.Reverse(shuffled)
		if got := order(tt.query, shuffled...); !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", tt.query, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	for query, want := range map[string]string{
		"./src/a.go": "src/a.go", "/src/a.go": "src/a.go", "../../a": "a", `src\a.go`: "src/a.go", "`a.go`": "a.go", `"a.go",`: "a.go", "src/": "src",
		"a.go:12": "a.go", "a.go:12:5": "a.go", "a.go:10-20": "a.go", "a.go#L12": "a.go", "a.go#L1-L9": "a.go", "a:b": "a:b", "a:": "a:", ".": "", "..": "", " ": "",
		"~/x": "x", ".env": ".env", "a.go:x1": "a.go:x1",
	} {
		if got := clean(query); got != want {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for word, want := range map[string]string{
		"fileState": "file State", "file_state-x.py": "file state x py", "HTMLParser": "HTML Parser", "Vector4": "Vector4", "ABC": "ABC", "__x__": "x",
		"größeÄnderung": "größeÄnderung", "": "",
	} {
		if got := strings.Join(split(word), " "); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
}

// TestEnough shows which tiers are wanted after so many hits.
func TestEnough(t *testing.T) {
	for _, tt := range []struct {
		found [None]int
		worst Tier // the worst that is still wanted
	}{
		{[None]int{}, Some},
		{[None]int{Exact: 1}, Part},
		{[None]int{Tail: 1}, Parts},
		{[None]int{Part: 4}, Near},
		{[None]int{Part: 5}, Part},
		{[None]int{Part: 3, Words: 2}, Words},
		{[None]int{Near: 1}, Near},
	} {
		worst := Exact
		for tier := range None {
			if !Enough(&tt.found, tier) {
				worst = tier
			}
		}
		if worst != tt.worst {
			t.Errorf("%v: up to %d, want %d", tt.found, worst, tt.worst)
		}
	}
}

// TestWorst checks that a rank that is not wanted is not given, and that the others do
// not depend on it.
func TestWorst(t *testing.T) {
	r := Compile("serach user").Ranker()
	r.Enter("users/")
	for _, name := range []string{"serach user", "serach user.go", "serach_user.go", "user_serach.py", "userserach", "search_user.py", "search.go", "x"} {
		full := r.Rank(name, Some)
		for worst := range None {
			got := r.Rank(name, worst)
			if full.Tier <= worst && got != full || full.Tier > worst && full.Tier > Part && got.Tier <= Part {
				t.Errorf("%s up to %d: %+v, and with all %+v", name, worst, got, full)
			}
		}
	}
}

// FuzzRank checks that any query and any path can be ranked, that a path fits itself,
// and that a ranker forgets what it ranked before.
func FuzzRank(f *testing.F) {
	f.Add("src/fileState.go:12|x", "src/", "file_state.go")
	f.Add("the größe of Ä", "ä/", "GRÖSSE")
	f.Add("\xff\u212a", "\xfe/", "\u0130\xff")
	f.Fuzz(func(t *testing.T, query, dir, name string) {
		if name == "" || strings.Contains(name, "/") || len(name) > longest || len(dir) > 4096 || len(query) > 4096 {
			return
		}
		if dir = strings.Trim(dir, "/"); dir != "" {
			dir += "/"
		}
		if q := Compile(query); q != nil {
			r := q.Ranker()
			r.Enter(dir)
			first := r.Rank(name, Some)
			r.Enter("other/")
			r.Rank("another", Some)
			r.Enter(dir)
			if again := r.Rank(name, Some); again != first {
				t.Errorf("%+v, then %+v", first, again)
			}
		}
		if itself := clean(name); itself == name && !strings.Contains(name, "|") {
			r := Compile(name).Ranker()
			r.Enter(dir)
			if s := r.Rank(name, Exact); s.Tier != Exact {
				t.Errorf("%q does not fit itself: %+v", name, s)
			}
		}
	})
}
