package extract

import (
	"strings"
	"testing"
)

func TestCloseTags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<script src="a.js"/><p>held</p>`:                         `<script src="a.js"></script><p>held</p>`,
		`<a name='x/>y' /><br/>`:                                  `<a name='x/>y' ></a><br/>`,
		`<!-- <script/> --><title/>`:                              `<!-- <script/> --><title></title>`,
		`<script>if (a<b) "<div/>"</script><div/>`:                `<script>if (a<b) "<div/>"</script><div></div>`,
		`<script><![CDATA[ "<div/>" ]]></script><![CDATA[<p/>]]>`: `<script><![CDATA[ "<div/>" ]]></script><![CDATA[<p/>]]>`,
		`a < b`:            `a < b`,
		`<`:                `<`,
		`<script>endless`:  `<script>endless`,
		`<p title="open/>`: `<p title="open/>`,
		`<!-- open`:        `<!-- open`,
		`<SCRIPT/>`:        `<SCRIPT></script>`,
		``:                 ``,
	} {
		if got := CloseTags(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Nothing is lost, and what is added ends elements.
func FuzzCloseTags(f *testing.F) {
	f.Add(`<script src="a.js"/><!-- <p/> --><![CDATA[<p/>]]><style>a</style><p/>`)
	f.Fuzz(func(t *testing.T, text string) {
		got := CloseTags(text)
		if len(got) < len(text) || strings.Count(got, "</") < strings.Count(text, "</") {
			t.Errorf("%q becomes %q", text, got)
		}
		if again := CloseTags(got); again != got {
			t.Errorf("%q becomes %q, and then %q", text, got, again)
		}
	})
}
