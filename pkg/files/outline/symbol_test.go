package outline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const shapes = `package a

type Server struct{}

func (s *Server) Run() {}

type Client struct{}

func (c *Client) Run() {}

func Run() {}
func Stop() {}
`

const header = `class Box {
  void open();
  int size() { return 1; }
};
void Box::open() {
}
struct Bag { void open() {} };
`

const impls = `impl Set {
    fn new() {}
}
impl Display for Set {
    fn fmt() {}
}
impl Display for Bag {
    fn fmt() {}
}
`

func paths(found []Symbol) string {
	var all []string
	for _, s := range found {
		all = append(all, s.Path)
	}
	return strings.Join(all, " | ")
}

func TestFind(t *testing.T) {
	for _, tt := range []struct{ lang, source, name, want string }{
		{"Go", shapes, "Server.Run", "Server.Run"},
		{"Go", shapes, "(*Server).Run()", "Server.Run"},
		{"Go", shapes, "Run", "Run"}, // the complete name of one
		{"Go", shapes, "Stop", "Stop"},
		{"Go", shapes, "Server", "Server"},
		{"Go", shapes, "run", ""},
		{"Go", shapes, "", ""},
		{"Go", shapes, "a.Server.Run", ""},
		{"C++", header, "Box::open", "Box::open"}, // where it is defined
		{"C++", header, "Box.size", "Box.size"},
		{"C++", header, "open", "Box::open | Bag.open"},
		{"Rust", impls, "Set.new", "Set.new"},
		{"Rust", impls, "Set::fmt", "Display for Set.fmt"},
		{"Rust", impls, "fmt", "Display for Set.fmt | Display for Bag.fmt"},
		{"Rust", impls, "Set", "Set | Display for Set"},
		{"Markdown", "# A b\n## c.d\n# E\n## c.d\n", "A b", "A b"},
		{"Markdown", "# A b\n## c.d\n# E\n", "c.d", "A b.c.d"},
		{"Markdown", "# A b\n## c.d\n# E\n## c.d\n", "c.d", "A b.c.d | E.c.d"},
	} {
		if got := paths(Find(Outline(tt.lang, tt.source), tt.name)); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.lang, tt.name, got, tt.want)
		}
	}
}

func TestAlike(t *testing.T) {
	for name, want := range map[string]string{
		"Servr":      "Server",
		"Server.run": "Server.Run | Client.Run | Run",
		"Other.Stop": "Stop",
		"erve":       "Server",
		"xyz":        "",
		"...":        "",
	} {
		if got := paths(Alike(Outline("Go", shapes), name, 3)); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := paths(Alike(Outline("Go", shapes), "run", 2)); got != "Server.Run | Client.Run" {
		t.Error(got)
	}
}

func TestAround(t *testing.T) {
	defs := Outline("Python", "import a\n\n# Doc.\nclass A:\n    def b(self):\n        pass\n\n    x = 1\ny = 2\n")
	var got []string
	for line := range 10 {
		s, _ := Around(defs, line)
		got = append(got, s.Path)
	}
	if diff := cmp.Diff([]string{"", "", "", "A", "A", "A.b", "A.b", "A", "A", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
