package windows

import (
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// shown returns the commands of a script with holes as "*", and its doubts.
func shown(s Script) []string {
	all := []string{}
	text := func(words []word.Word) string {
		texts := make([]string, len(words))
		for i, w := range words {
			texts[i] = strings.ReplaceAll(w.Text, string(word.Hole), "*")
		}
		return strings.Join(texts, "|")
	}
	for _, c := range s.Commands {
		line := text(c.Argv)
		if len(c.Reads) > 0 {
			line += " <" + text(c.Reads)
		}
		if len(c.Writes) > 0 {
			line += " >" + text(c.Writes)
		}
		if c.Piped {
			line = "piped " + line
		}
		all = append(all, line)
	}
	for _, set := range s.Sets {
		all = append(all, "set "+set.Name)
	}
	for _, d := range s.Doubts {
		all = append(all, []string{"syntax", "computed"}[d.Kind]+" "+d.Text)
	}
	return all
}

func TestCmd(t *testing.T) {
	for line, want := range map[string][]string{
		``:                                    {},
		`echo a  b`:                           {"echo|a|b"},
		`echo "a & b" c`:                      {"echo|a & b|c"},
		`echo a^&b & c`:                       {"echo|a&b", "c"},
		`a && b || c | d`:                     {"a", "b", "c", "piped d"},
		`(a & b) > x`:                         {"a", "b", " >x"},
		`a 2>&1 >b <c`:                        {"a <c >b"},
		`a1>b`:                                {"a1 >b"},
		`dir/s`:                               {"dir|/s"},
		`cd..`:                                {"cd|.."},
		`echo.x`:                              {"echo|x"},
		`echo.exe x`:                          {"echo.exe|x"},
		`%TEMP%\x a%USERNAME%b`:               {`*\x|a*b`},
		`echo 5% of`:                          {"echo|5%|of"},
		`echo %x & y %`:                       {"echo|%x", "y|%"},
		`echo %NOPE%`:                         {"echo|%NOPE%", "computed %NOPE%"},
		`echo %TEMP:~0,1%`:                    {"echo|%TEMP:~0,1%", "computed %TEMP:~0,1%"},
		`echo %MINE%`:                         {"echo|%MINE%", "computed %MINE%"},
		`echo !a! b!`:                         {"echo|*|b!"},
		`if exist x (a) else b`:               {"a", "b"},
		`if /i not "a"=="b" c d`:              {"c|d"},
		`if a == b c`:                         {"c"},
		`if a EQU b c`:                        {"c"},
		`if a b c`:                            {"syntax  c"},
		`for %i in (a b) do c %i %~nxi`:       {"c|*|*"},
		`for /f "x" %i in ('a ^| b') do c`:    {"a|||b", "syntax 'a ^| b'", "c"},
		`for /f %i in ('a b') do c %i`:        {"a|b", "c|*"},
		`for /f %i in (x y) do c`:             {" <x", " <y", "c"},
		`for %i in (a) echo`:                  {"syntax echo"},
		`a )`:                                 {"a|)"},
		`) a`:                                 {"syntax ) a"},
		`(a`:                                  {"a", "syntax "},
		`a & & b`:                             {"a", "syntax & b"},
		`a ^`:                                 {"a", "syntax "},
		`a "b\" c"`:                           {`a|b\|c`, `syntax "b\" `, `syntax c"`},
		"a\x01b":                              {"a\x01b", "syntax \x01b"},
		"a\nb":                                {"a", "b"},
		`a >`:                                 {"a", "syntax "},
		`a > & b`:                             {"a", "syntax & b"},
		strings.Repeat("(", maxDepth+1) + "a": {},
	} {
		s := Cmd(line, []string{"mine"})
		got := shown(s)
		if strings.HasPrefix(line, "((") {
			if len(s.Doubts) == 0 {
				t.Error("a deep nest is no doubt")
			}
			continue
		}
		slices.Sort(got)
		want = slices.Sorted(slices.Values(want))
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", line, got, want)
		}
	}
}

func TestPowerShell(t *testing.T) {
	for line, want := range map[string][]string{
		``:                                       {},
		`a b 'c d' "e f"`:                        {"a|b|c d|e f"},
		`a 'it''s' "say ""x"""`:                  {`a|it's|say "x"`},
		`a $x $x.Name "$x.Name"`:                 {"a|*|*|*.Name"},
		`a -B:c --d=e`:                           {"a|-B:c|--d=e"},
		`a b,c , d`:                              {"a|b|c|d"},
		`a; b | c && d || e`:                     {"a", "b", "piped c", "d", "e"},
		`a $(b c) (d) @(e) {f}`:                  {"b|c", "d", "e", "f", "a|*|*|*|*"},
		`a "x$(b)y"`:                             {"b", "a|x*y"},
		`& "a b" c`:                              {"a b|c"},
		`& $x`:                                   {"*"},
		`. a`:                                    {"a", "computed . a"},
		`a > b 2>&1`:                             {"a >b"},
		`a 2> $null`:                             {"a"},
		`a > $nullable`:                          {"a >*"},
		`1 > b`:                                  {" >b"},
		`$x = a b; $x`:                           {"a|b"},
		`$env:X = 'y'`:                           {"set X"},
		`$x += a`:                                {"a"},
		`$PSx = 1`:                               {"computed $PSx"},
		`$function:f`:                            {"computed $function:f"},
		`if (a) { b } elseif (c) {d} else { e }`: {"a", "b", "c", "d", "e"},
		`foreach ($f in a) { b $f }`:             {"a", "b|*"},
		`while (a) { b }`:                        {"a", "b"},
		`a | ? { $_.X -gt 1MB -and !($_.Y) } | b`: {"a", "piped ?|*", "piped b"},
		`(a).B.C[0].ToString('x')`:                {"a"},
		`(a).Delete()`:                            {"a", "syntax .Delete()"},
		`[int]'1' + -2 * 3..4`:                    {},
		`[x]::y`:                                  {"syntax [x]::y"},
		`~ ~/x a~`:                                {"C:/h|C:/h/x|a~"},
		"a `\n b":                                 {"a|b"},
		"a `b":                                    {"a|", "syntax `b"},
		"a `$x":                                   {"a|$x"},
		`a # b; c`:                                {"a"},
		`a --% b`:                                 {"a|", "syntax --% b"},
		`a @b`:                                    {"a|", "syntax @b"},
		`${`:                                      {"syntax ${"},
		`a &`:                                     {"a", "syntax &"},
		`a 'b`:                                    {"a|b", "syntax "},
		`a )`:                                     {"a", "syntax )"},
		`function a { b }`:                        {"syntax function a { b }"},
		`a ’b`:                                    {"a|’b"},
		`a “b`:                                    {"a|“b", "syntax a “b"},
	} {
		got := shown(PowerShell(line, "C:/h"))
		if line == `a ’b` { // it is a quote to PowerShell
			want = append(want, "syntax a ’b")
		}
		slices.Sort(got)
		want = slices.Sorted(slices.Values(want))
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", line, got, want)
		}
	}
}

// TestLong reads long lines that repeat something, which must not take long.
func TestLong(t *testing.T) {
	for _, part := range []string{"%a%", "%", "$x:y;", "a > b;", "if (a) {b}\n", "a >$null\n", "!a", "(", ")", "\"", "'", "`", "$", "[", "{", "@(", "^", "for ", "$a=", "-not ", "a&", "$x[", "%i ", "1,", "<", "echo "} {
		line := strings.Repeat(part, 64<<10/len(part))
		Cmd(line, nil)
		PowerShell(line, "")
	}
}

func FuzzRead(f *testing.F) {
	for _, line := range []string{`if exist x (a) else b > c`, `for /f %i in ('a') do b %i`, "$x = (a).B | ? { $_.C -eq 'd' }", `"a$(b)c" > d`} {
		f.Add(line)
	}
	f.Fuzz(func(_ *testing.T, line string) {
		if strings.IndexByte(line, 0) < 0 && len(line) <= 64<<10 {
			Cmd(line, []string{"X"})
			PowerShell(line, "C:/h")
		}
	})
}
