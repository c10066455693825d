package moves

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want line
	}{
		{[]string{"-qf", "a", "-b", "n", "b"}, line{options: []option{{"-q", ""}, {"-f", ""}, {"-b", "n"}}, operands: []string{"a", "b"}}},
		{[]string{"-bn", "--", "-x"}, line{options: []option{{"-b", "n"}}, paths: []string{"-x"}, dashed: true}},
		{[]string{"--onto", "n", "--ont=m", "-"}, line{options: []option{{"--onto", "n"}, {"--ont", "m"}}, operands: []string{"-"}}},
		{[]string{"--on", "n", "-b"}, line{options: []option{{"--on", "n"}, {"-b", ""}}}},
	} {
		got := split(c.args, "-b --onto")
		if d := cmp.Diff(c.want, got, cmp.AllowUnexported(line{}, option{})); d != "" {
			t.Errorf("%q: %s", c.args, d)
		}
	}
	if l := split([]string{"--har"}, ""); !l.has("-f --hard") || l.has("--merge") {
		t.Error("an option may be shortened")
	}
}

// TestParse reads what git printed about a merge, about a rename and about commits.
func TestParse(t *testing.T) {
	t.Parallel()
	const one, two = "0cfbf08886fca9a91cb753ec8734c84fcbe52c9f", "00750edc07d6415dcc07ae0351e9397b0222b7ba"
	const none = "0000000000000000000000000000000000000000"
	got := parse(two + "\x00\n:100644 000000 " + one + " " + none + " D\x00:a\x00::100644 100644 100755 " + one + " " + one + " " + two + " MM\x00b\x00" +
		one + "\x00\n:100644 100644 " + one + " " + one + " R100\x00c\x00d\x00")
	want := []entry{
		{commit: two, newMode: "000000", oldBlob: one, status: "D", path: ":a"},
		{commit: two, newMode: "100755", newBlob: two, status: "MM", path: "b"},
		{commit: one, newMode: "100644", oldBlob: one, newBlob: one, status: "R100", path: "c", to: "d"},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(entry{})); d != "" {
		t.Error(d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(":100644 100644 1 2 M\x00a\x00")
	f.Add("::100644 100644 100644 1 2 3 MM\x00a\x00:")
	f.Add("id\x00\n:100644 100644 1 2 R1\x00a\x00b\x00")
	f.Fuzz(func(t *testing.T, out string) {
		for _, e := range parse(out) {
			if e.status == "" {
				t.Errorf("%+v", e)
			}
		}
	})
}

func TestUnpacking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		argv  []string
		list  []string
		to    string
		strip int
	}{
		{[]string{"tar", "xzf", "a.tgz", "-C", "d", "--strip-components=1"}, []string{"tar", "--list", "--file=a.tgz"}, "d", 1},
		{[]string{"tar", "-x", "--file", "a.tar"}, []string{"tar", "--list", "--file=a.tar"}, "", 0},
		{[]string{"tar", "czf", "a.tgz", "d"}, nil, "", 0},
		{[]string{"tar", "xzf", "-"}, nil, "", 0},
		{[]string{"unzip", "-qo", "a.zip", "-d", "d"}, []string{"unzip", "-Z1", "--", "a.zip"}, "d", 0},
		{[]string{"unzip", "-l", "a.zip"}, nil, "", 0},
	} {
		list, to, strip := unpacking(c.argv)
		if d := cmp.Diff(c.list, list); d != "" || to != c.to || strip != c.strip {
			t.Errorf("%q: %q %d %s", c.argv, to, strip, d)
		}
	}
}
