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
		``:                                 {},
		`echo a  b`:                        {"echo|a|b"},
		`echo "a & b" c`:                   {"echo|a & b|c"},
		`echo a^&b & c`:                    {"echo|a&b", "c"},
		`a && b || c | d`:                  {"a", "b", "c", "piped d"},
		`(a & b) > x`:                      {"a", "b", " >x"},
		`a 2>&1 >b <c`:                     {"a <c >b"},
		`a1>b`:                             {"a1 >b"},
		`dir/s`:                            {"dir|/s"},
		`cd..`:                             {"cd|.."},
		`echo.x`:                           {"echo|x"},
		`echo.exe x`:                       {"echo.exe|x"},
		`%TEMP%\x a%USERNAME%b`:            {`*\x|a*b`},
		`echo 5% of`:                       {"echo|5%|of"},
		`echo %x & y %`:                    {"echo|%x", "y|%"},
		`echo %NOPE%`:                      {"echo|%NOPE%", "computed %NOPE%"},
		`echo %TEMP:~0,1%`:                 {"echo|%TEMP:~0,1%", "computed %TEMP:~0,1%"},
		`echo %MINE%`:                      {"echo|%MINE%", "computed %MINE%"},
		`echo !a! b!`:                      {"echo|*|b!"},
		`if exist x (a) else b`:            {"a", "b"},
		`if /i not "a"=="b" c d`:           {"c|d"},
		`if a == b c`:                      {"c"},
		`if a EQU b c`:                     {"c"},
		`if a b c`:                         {"syntax  c"},
		`for %i in (a b) do c %i %~nxi`:    {"c|*|*"},
		`for /f "x" %i in ('a ^| b') do c`: {"a|||b", "syntax 'a ^| b'", "c"},
		`for /f %i in ('a b') do c %i`:     {"a|b", "c|*"},
		`for /f %i in (x y) do c`:          {" <x", " <y", "c"},
		`for %i in (a) echo`:               {"syntax echo"},
		`a )`:                              {"a|)"},
		`) a`:                              {"syntax ) a"},
		`(b`:                               {"b", "syntax "},
		`a & & b`:                          {"a", "syntax & b"},
		`a ^`:                              {"a", "syntax "},
		`a "b\" c"`:                        {`a|b\|c`, `syntax "b\" `, `syntax c"`},
		"a\x01b":                           {"a\x01b", "syntax \x01b"},
		"a\nb":                             {"a", "b"},
		`a >`:                              {"a", "syntax "},
		`a > & b`:                          {"a", "syntax & b"},
		`echo 5%% of`:                      {"echo|5%%|of"},
		`echo %x% %x%`:                     {"echo|%x%|%x%", "computed %x%"},
		"a\r\nb":                           {"a", "b"},
		"a\rb":                             {"a", "b", "syntax \rb"},
		"a\r":                              {"a", "syntax \r"},
		"a\tb\x7f":                         {"a|b\x7f", "syntax \x7f"},
		"echo \"a\ndel b":                  {"echo|a", "del|b"}, // a quote ends with its line
		"echo \"a\r\ndel b":                {"echo|a", "del|b"},
		`"if" a b`:                         {"if|a|b"}, // a program of this name
		`"for" a b`:                        {"for|a|b"},
		`"cd/x" b`:                         {"cd/x|b"},
		`c^d/x`:                            {"cd/x"},
		`%TEMP%/x`:                         {"*/x"},
		`/x a`:                             {"/x|a"},
		`chdir..`:                          {"chdir|.."},
		`chdir:x`:                          {"chdir:x"},
		`cd:x`:                             {"cd|:x"},
		`echo:x`:                           {"echo|x"},
		`a >> b`:                           {"a >b"},
		`a 9> b`:                           {"a >b"},
		`a << b`:                           {"a", "syntax < b"},
		`>b a`:                             {"a >b"},
		">b\t>c a":                         {"a >b|c"},
		`2>&1 a`:                           {"a"},
		`>&x a`:                            {"syntax x a"},
		`(a) & b`:                          {"a", "b"},
		`(a) b`:                            {"a", "syntax b"},
		`(a) name b`:                       {"a", "syntax name b"}, // as long as "else"
		`if a == b (c) else`:               {"c"},
		`if a == b (c) elsewhere`:          {"c", "syntax elsewhere"},
		`if a == b (c) & del d`:            {"c", "del|d"},
		`for %%z in (a) do b %%z`:          {"b|*"},
		`for /r %i in (*) do a`:            {"a"},
		`for /r \d %i in (*) do a`:         {"a"},
		`for %1 in (a) do b`:               {"syntax %1 in (a) do b"},
		`for i in (a) do b`:                {"syntax i in (a) do b"},
		`for %i in () do a`:                {"a"},
		`for /f %i in ('') do a`:           {"a"},
		`for /f %i in (') do a`:            {"a", "syntax '"},
		`for /f %i in ('b) do a`:           {"a", "syntax 'b"},
		strings.Repeat("(", 49) + "a" + strings.Repeat(")", 49):              {"a"}, // the last level that is read
		`a > & ` + strings.Repeat("b", 38) + ` & ` + strings.Repeat("c", 39): {"a", "syntax & " + strings.Repeat("b", 38) + "…"},
		`a > & ` + strings.Repeat("b", 38):                                   {"a", "syntax & " + strings.Repeat("b", 38)},
		strings.Repeat("(", maxDepth+1) + "a":                                {},
	} {
		s := Cmd(line, []string{"mine"})
		got := shown(s)
		if strings.HasSuffix(line, "(a") {
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
		`(a) &b`:                                  {"a", "syntax &b"},
		`a 'b`:                                    {"a|b", "syntax "},
		`a )`:                                     {"a", "syntax )"},
		`function a { b }`:                        {"syntax function a { b }"},
		`exit`:                                    {"syntax exit"},
		`if-x a`:                                  {"if-x|a"},
		`for.exe a`:                               {"for.exe|a"},
		`foreach`:                                 {"foreach"},
		`foreach -m x`:                            {"foreach|-m|x"},
		`a ~`:                                     {"a|C:/h"},
		`a ~x`:                                    {"a|~x"},
		"a\tb\r\nc\rd":                            {"a|b", "c", "d"},
		"a\x01":                                   {"a\x01", "syntax \x01"},
		"a\x7f":                                   {"a\x7f", "syntax \x7f"},
		"a `\r\n b":                               {"a|b"},
		"a `\rb":                                  {"a|", "syntax `\rb"},
		"a b\r\nc":                                {"a|b", "c"},
		"a bc\nd":                                 {"a|bc", "d"},
		`# a`:                                     {},
		`'a'#b`:                                   {"syntax #b"},
		"a \"b`":                                  {"a|b`", "syntax "},
		"a \"b`nc\"":                              {"a|b*c"},
		"a \"b`\"; c\"":                           {"a|b*; c"}, // the quote in the middle is text
		`a "$_ $? $$ $^ ${x} $z $Z $9"`:           {"a|* * * * * * * *"},
		`a "$. 5$"`:                               {"a|$. 5$"},
		`a $? $$ $^ $_ $z`:                        {"a|*|*|*|*|*"},
		`a $ b$ $.c $:d`:                          {"a|$|b$|$.c|$:d"},
		`a ${}b`:                                  {"a|*b"},
		`a b${`:                                   {"a|b", "syntax ${"},
		`a "$x: y" $v:_w`:                         {"a|*: y|*", "computed $v:_w"},
		`a >$null; b`:                             {"a", "b"},
		`a >$null.x`:                              {"a >*"},
		`a >> b`:                                  {"a >b"},
		`a 9> b`:                                  {"a >b"},
		`$x -= a; $x *= b; $x /= c; $x %= d`:      {"a", "b", "c", "d"},
		`$PSx -= 1`:                               {"computed $PSx"},
		`$PSHOME + 'x'`:                           {},
		`$x+(a)`:                                  {"a"},
		`$x == a`:                                 {"syntax == a"},
		`$global:x = a`:                           {"a"},
		`$env = a`:                                {"a"},
		`1 +`:                                     {"syntax "},
		`@(a b; c)`:                               {"a|b", "c"},
		`@{a=1}`:                                  {"syntax @{a=1}"},
		`((a))`:                                   {"a"},
		`1.5 + .5`:                                {},
		`1 + .a`:                                  {"syntax .a"},
		`1 + x1`:                                  {"syntax x1"},
		`1..(a)`:                                  {"a"},
		`!!(a)`:                                   {"a"},
		`-not -not (a)`:                           {"a"},
		`- -(a)`:                                  {"a"},
		`-foo (a)`:                                {"syntax -foo (a)"},
		`[int]-(a)`:                               {"a"},
		`3 -2 - 1`:                                {},
		`$a -ceq 1 -ieq 2 -in 3`:                  {},
		`$a -xeq 1`:                               {"syntax -xeq 1"},
		`$a -cfoo 1`:                              {"syntax -cfoo 1"},
		`x $y::b`:                                 {"x|*", "syntax ::b"},
		`x (a):b`:                                 {"a", "x|*:b"},
		`x (a)bc`:                                 {"a", "x|*bc"},
		`x (a)._b`:                                {"a", "x|*"},
		`x (a).$b`:                                {"a", "x|*", "syntax .$b"},
		`x (a).5`:                                 {"a", "x|*.5"},
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

// TestMayBeOption has a value that comes with quotes, and is one word, and without.
func TestMayBeOption(t *testing.T) {
	for line, want := range map[string][]bool{`a b$x "b$x" 'b' b "$x"`: {false, true, false, false, false, true}} {
		var got []bool
		for _, w := range PowerShell(line, "").Commands[0].Argv {
			got = append(got, w.MayBeOption())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %t", line, got)
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
