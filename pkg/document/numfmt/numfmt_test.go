package numfmt

import (
	"math"
	"strings"
	"testing"
)

// TestDisplay holds what Excel displays, from ECMA-376, Microsoft's documentation and
// known behaviour.
func TestDisplay(t *testing.T) {
	for _, c := range []struct {
		code  string
		value float64
		want  string
	}{
		{"General", 0, "0"},
		{"General", -0.5, "-0.5"},
		{"General", 12345678901, "12345678901"},
		{"General", 123456789012, "1.23457E+11"},
		{"General", 1234567.891234, "1234567.891"},
		{"General", 0.1234567890123, "0.123456789"},
		{"General", 0.00001, "0.00001"},
		{"General", 0.000012345678, "1.23457E-05"},
		{"General", 1e100, "1E+100"},
		{"General", 0.1 + 0.2, "0.3"},
		{"General", 99999999999.9, "1E+11"},
		{"", 1234.5, "1234.5"},
		{"0", 1.5, "2"},
		{"0", -0.4, "0"},
		{"0.00", 1.005, "1.01"},
		{"0.00", -1.005, "-1.01"},
		{"0.00", 9.999, "10.00"},
		{"#,##0", 1234567, "1,234,567"},
		{"#,##0", 12, "12"},
		{"#,##0.00", 1e15, "1,000,000,000,000,000.00"},
		{"0000000,0", 1234, "00,001,234"},
		{"#", 0, ""},
		{"#.##", 0, "."},
		{"0.##", 1, "1."},
		{"0.0#", 1.25, "1.25"},
		{"???.???", 1.5, "  1.5  "},
		{"00000", 42, "00042"},
		{"000-00-0000", 123456789, "123-45-6789"},
		{"(###) ###-####", 5551234567, "(555) 123-4567"},
		{`(000) 000\-0000`, 5551234567, "(555) 123-4567"},
		{"0,", 12345, "12"},
		{`0.0,,"M"`, 12345678, "12.3M"},
		{`#,##0.0,"K"`, 1234567, "1,234.6K"},
		{"0%", 0.256, "26%"},
		{"0.0%", -0.256, "-25.6%"},
		{`"$"#,##0.00`, -5, "-$5.00"},
		{`"$"#,##0_);\("$"#,##0\)`, -1234, "($1,234)"},
		{`"$"#,##0_);\("$"#,##0\)`, 1234, "$1,234 "},
		{`_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_);_(@_)`, 0, " $-   "},
		{`0;-0;"zero"`, 0, "zero"},
		{`[Red][<100]0.0;[Blue][>=1000]0,"k";"mid"`, 50, "50.0"},
		{`[Red][<100]0.0;[Blue][>=1000]0,"k";"mid"`, 5000, "5k"},
		{`[Red][<100]0.0;[Blue][>=1000]0,"k";"mid"`, 500, "mid"},
		{"[$€-407] 0.00", 3, "€ 3.00"},
		{"[$-409]0.00", 3, "3.00"},
		{";;;", 5, ""},
		{"0.00E+00", 12345, "1.23E+04"},
		{"0.00E+00", 0, "0.00E+00"},
		{"0.0E-0", 0.00012, "1.2E-4"},
		{"0.0E-0", 12345, "1.2E4"},
		{"##0.0E+0", 12345, "12.3E+3"},
		{"##0.0E+0", 999999, "1.0E+6"},
		{"##0.0E+0", 0.00012, "120.0E-6"},
		{"# ?/?", 123.456, "123 1/2"},
		{"# ??/??", 123.456, "123 26/57"},
		{"# ???/???", 123.456, "123  57/125"},
		{"# ?/?", 0.5, " 1/2"},
		{"# ?/?", 3, "3    "},
		{"# ?/?", 0, "0    "},
		{"# ??/100", 0.256, " 26/100"},
		{"# ?/8", 2.3, "2 2/8"},
		{"?/?", 1.5, "3/2"},
		{"# ??/??", 1.5, "1  1/2 "},
		{"# ?/?", -1.5, "-1 1/2"},
		{"yyyy-mm-dd", 45352, "2024-03-01"},
		{"m/d/yyyy", 1, "1/1/1900"},
		{"m/d/yyyy", 60, "2/29/1900"},
		{"m/d/yyyy", 61, "3/1/1900"},
		{"m/d/yyyy", 0, "1/0/1900"},
		{"m/d/yyyy", 2958465, "12/31/9999"},
		{"m/d/yyyy", 2958466, "########"},
		{"m/d/yyyy", -1, "########"},
		{"d-mmm-yy", 45352, "1-Mar-24"},
		{"dddd, mmmm dd, yyyy", 45352, "Friday, March 01, 2024"},
		{"ddd", 1, "Sun"},
		{"mmmmm", 45352, "M"},
		{"[$-407]mmmm", 45352, "März"},
		{"[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", 45352, "Friday, March 1, 2024"},
		{"h:mm AM/PM", 0.5, "12:00 PM"},
		{"h:mm AM/PM", 0, "12:00 AM"},
		{"h:mm a/p", 0.75, "6:00 P"},
		{"hh:mm:ss", 0.999999, "00:00:00"},
		{"hh:mm:ss.000", 0.5000000116, "12:00:00.001"},
		{"mm:ss.0", 0.00069, "00:59.6"},
		{"[h]:mm:ss", 1.5, "36:00:00"},
		{"[mm]:ss", 0.05, "72:00"},
		{"[ss].00", 0.001, "86.40"},
		{"[hh]:mm", 0.125, "03:00"},
		{"m/d/yyyy h:mm", 45352.25, "3/1/2024 6:00"},
		{"[$-411]ggge\"年\"m\"月\"d\"日\"", 45352, "令和6年3月1日"},
		{"[$-404]e/m/d", 45352, "113/3/1"},
		{"e", 45352, "2024"},
		{"bbbb", 45352, "2567"},
		{"@", 1.5, "1.5"},
		{`General" units"`, 5, "5 units"},
		{`"x"General`, -5, "-x5"},
		{`0 "unclosed`, 5, "5"},
		{`"abc"`, -5, "-abc"},
		{".00", 0.5, ".50"},
		{`[<=9999999]###\-####;(###) ###\-####`, 2813308004, "(281) 330-8004"},
		{`[<=9999999]###\-####;(###) ###\-####`, 3308004, "330-8004"},
		{"[Red][<-25]General;[Blue][>25]General;[Green]General;[Yellow]General", -26, "26"},
		{"[Red][<-25]General;[Blue][>25]General;[Green]General;[Yellow]General", -1, "-1"},
		{"[h]:mm:ss.000", 2.9999999999999996, "72:00:00.000"},
		{"[h]:mm:ss.000", 2.999999, "71:59:59.914"},
		{"000#0.##00?", 12.3456, "00012.3456 "},
		{"(00,000.00)", -12.345, "-(00,012.35)"},
		{"[$-804]aaaa", 45352, "星期五"},
		{"[$-804]aaa", 45352, "五"},
		{"[$-411]aaa", 45352, "金"},
		{"[$-411]aaaa", 45352, "金曜日"},
		{"[$-411]ddd mmm", 45352, "Fri Mar"},
		{"[$-412]aaaa", 45352, "금요일"},
		{"aaaa", 45352, "Friday"},
		{"[$-de]mmmm", 45352, "März"},
		{"[$-de-DE]mmmm", 45352, "März"},
		{"[$-412]AM/PM h:mm", 0.75, "오후 6:00"},
		{"[$-1070409]yyyy", 45352, "2567"},
		{"G/通用格式", 1.5, "1.5"},
		{`G/通用格式"元"`, 1.5, "1.5元"},
		{`0 \`, 5, "5 "},
		{"0_", 5, "5 "},
		{"yyyy-mm-dd;-0", -5, "-5"},
		{".00", 12.5, "12.50"},
		{"0.00", 1e20, "100000000000000000000.00"},
	} {
		if got := Parse(c.code).Text(c.value, Options{}); got != c.want {
			t.Errorf("%q of %v is %q, want %q", c.code, c.value, got, c.want)
		}
	}
}

func TestDate1904(t *testing.T) {
	o := Options{Date1904: true}
	for _, c := range []struct {
		code  string
		value float64
		want  string
	}{
		{"yyyy-mm-dd", 0, "1904-01-01"},
		{"yyyy-mm-dd", 43890, "2024-03-01"},
		{"[h]:mm", 1.5, "36:00"},
		{"h:mm", -0.25, "-6:00"},
	} {
		if got := Parse(c.code).Text(c.value, o); got != c.want {
			t.Errorf("%q of %v is %q, want %q", c.code, c.value, got, c.want)
		}
	}
}

func TestTextOf(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"General", "word"},
		{"0.00", "word"},
		{"@", "word"},
		{`"<"@">"`, "<word>"},
		{`0;-0;0;"is "@`, "is word"},
		{`0;@" kg"`, "word kg"},
		{`;;;`, ""},
	} {
		if got := Parse(c.code).TextOf("word"); got != c.want {
			t.Errorf("%q of text is %q, want %q", c.code, got, c.want)
		}
	}
}

func TestAuto(t *testing.T) {
	for _, c := range []struct {
		code  string
		value float64
		want  string
	}{
		{"General", 123456789012345, "123456789012345"},
		{"General", 0.1 + 0.2, "0.3"},
		{"General", 1.0 / 3, "0.333333333333333"},
		{"General", 1e15, "1000000000000000"},
		{"General", 1.5e300, "1.5E+300"},
		{"General", -0.0001, "-0.0001"},
		{"@", 4e14, "400000000000000"},
		{"0.00", 1.239, "1.24"},
		{"m/d/yy", 45352, "2024-03-01"},
		{"m/d/yy h:mm", 45352.5868055556, "2024-03-01 14:05:00"},
		{"h:mm AM/PM", 0.5868055556, "14:05:00"},
		{"h:mm:ss.00", 0.5, "12:00:00.00"},
		{"[h]:mm", 1.5, "36:00"},
		{"m/d/yy", -5, "-5"},
		{"m/d/yy", 0, "1/0/00"},
		{"0%", 0.5, "50%"},
		{"0.00;[Red]0.00", -1.5, "-1.50"},
		{"0.00;[Red]0.00", -0.001, "0.00"},
		{"#,##0_);[Red]#,##0", -1234.5, "-1,235"},
		{"_-$0;[Red]_-$0", -7, " -$7"},
		{"0%;0%", -0.5, "-50%"},
		{"[Red][<0]0.0;0.0", -2, "-2.0"},
		{"0;[Red](0)", -3, "(3)"},
		{"0;▼0", -3, "▼3"},
		{"0;-0", -3, "-3"},
		{"0;;0", -3, ""},
	} {
		if got := string(Parse(c.code).AppendAuto(nil, c.value, Options{})); got != c.want {
			t.Errorf("%q of %v is %q, want %q", c.code, c.value, got, c.want)
		}
	}
}

func TestClass(t *testing.T) {
	for _, c := range []struct {
		code string
		want Class
	}{
		{"General", General},
		{"0.00", Number},
		{`"$"#,##0`, Currency},
		{"[$€-407] 0", Currency},
		{"0%", Percent},
		{"0.00E+00", Scientific},
		{"# ?/?", Fraction},
		{"m/d/yy", Date},
		{"h:mm", Time},
		{"m/d/yy h:mm", DateTime},
		{"[h]:mm", Elapsed},
		{"mm:ss", Time},
		{"mmm", Date},
		{"@", Text},
		{"[Red]0", Number},
	} {
		if got := Parse(c.code).Class(); got != c.want {
			t.Errorf("%q is of class %v, want %v", c.code, got, c.want)
		}
	}
}

func TestBuiltin(t *testing.T) {
	for id := range 50 {
		code := Builtin(id, "")
		if id >= 23 && id <= 26 {
			if code != "" {
				t.Errorf("%d is %q", id, code)
			}
			continue
		}
		if code == "" {
			t.Errorf("%d is missing", id)
		}
	}
	for _, locale := range []string{"", "zh-CN", "zh-TW", "ja-JP", "ko-KR"} {
		for _, id := range []int{27, 36, 50, 58} {
			if f := Parse(Builtin(id, locale)); !f.Class().IsDate() {
				t.Errorf("%d in %q is no date: %q", id, locale, Builtin(id, locale))
			}
		}
	}
	if got := Parse(Builtin(57, "ja-JP")).Text(45352, Options{}); got != "R6.3.1" {
		t.Errorf("57 in Japanese shows %q", got)
	}
	if Builtin(71, "") != "m/d/yyyy" || Builtin(-1, "") != "" || Builtin(500, "") != "" {
		t.Error("wrong bounds")
	}
}

func TestAllocations(t *testing.T) {
	general, date, money := Parse("General"), Parse("yyyy-mm-dd hh:mm:ss"), Parse("#,##0.00")
	buffer := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		buffer = general.AppendAuto(buffer[:0], 1.25, Options{})
		buffer = general.Append(buffer[:0], 123456.789, Options{})
		buffer = date.Append(buffer[:0], 45352.5, Options{})
		buffer = date.AppendAuto(buffer[:0], 45352.5, Options{})
		buffer = money.Append(buffer[:0], 1234.5, Options{})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkGeneral(b *testing.B) {
	f := Parse("General")
	buffer := make([]byte, 0, 64)
	for b.Loop() {
		buffer = f.AppendAuto(buffer[:0], 1234.5678, Options{})
	}
}

func BenchmarkDate(b *testing.B) {
	f := Parse("m/d/yyyy h:mm")
	buffer := make([]byte, 0, 64)
	for b.Loop() {
		buffer = f.AppendAuto(buffer[:0], 45352.25, Options{})
	}
}

// TestSigns: a section shows the sign of a number, unless it is for negative numbers alone.
func TestSigns(t *testing.T) {
	for _, c := range []struct {
		code  string
		value float64
		want  string
	}{
		{"0", -5, "-5"},
		{"0;0", -5, "5"},
		{"0;0;z", -5, "5"},
		{"[<0]0;0", -5, "5"},
		{"[<5]0;0", -5, "-5"},
		{"[>=0]0;0", -5, "5"},
		{"[>0]0;0", -5, "5"},
		{"[>5]0;0", -5, "-5"},
		{"[>5]0;[<=-5]-0;0", -6, "-6"},
		{"[>5]0;[<=-5]-0;0", -4, "-4"},
		{"[>5]0;0;z", -4, "4"},
		{"[=1]0;[=2]0", 3, "########"},
		{"[<>0]0.0", 0, "########"},
	} {
		if got := Parse(c.code).Text(c.value, Options{}); got != c.want {
			t.Errorf("%q of %v is %q, want %q", c.code, c.value, got, c.want)
		}
	}
}

// TestEras: years as Japan, Taiwan and Thailand count them.
func TestEras(t *testing.T) {
	for _, c := range []struct {
		code  string
		value float64
		want  string
	}{
		{"[$-411]ge.m.d", 32515, "S64.1.7"},
		{"[$-411]ge.m.d", 32516, "H1.1.8"},
		{"[$-411]gge", 9855, "大15"},
		{"[$-411]gge", 9856, "昭1"},
		{"[$-411]ggge", 4594, "明治45"},
		{"[$-411]ggge", 4595, "大正1"},
		{"[$-411]gge", 43585, "平31"},
		{"[$-411]ggge", 43586, "令和1"},
		{"[$-404]ge", 45352, "民國113"},
		{"[$-404]ggge", 45352, "中華民國113"},
		{"[$-404]e", 1000, "1902"},
		{"[$-zh-TW]e", 45352, "113"},
		{"ge", 45352, "2024"},
		{"b", 45352, "67"},
		{"[$-411]AM/PM", 0.25, "午前"},
	} {
		if got := Parse(c.code).Text(c.value, Options{}); got != c.want {
			t.Errorf("%q of %v is %q, want %q", c.code, c.value, got, c.want)
		}
	}
}

// TestOdd: marks that have no meaning where they stand, and values that no date or number has.
func TestOdd(t *testing.T) {
	for _, c := range []struct {
		code  string
		value float64
		want  string
	}{
		{"General", math.NaN(), "#NUM!"},
		{"0.00", math.Inf(1), "#NUM!"},
		{"yyyy", math.NaN(), "########"},
		{"[h]", 1e12, "########"},
		{"[h]", -1.5, "-36"},
		{"[h]", 5e6, "120000000"},
		{"hh:mm", 2958465.9999999, "########"},
		{"[x<5]0", 3, "3"},
		{"[<x]0", 3, "3"},
		{",0", 3, ",3"},
		{"0x,0", 1234, "1,23x4"},
		{"0.0.0", 1.5, "1.5.0"},
		{"0E+0E+0", 5, "5E+0E+0"},
		{"E+", 5, "E+"},
		{"0/", 5, "5/"},
		{"0/x", 5, "5/x"},
		{"# ?/99999999", 0.5, " 1/99999999"},
		{"0.0 0/0", 0.5, "0.0 1/2"},
		{"0 ?/? %", 1.5, "1 1/2 %"},
		{"# 00/00", 1.5, "1 01/02"},
		{"# 00/00", 1, "1 00/01"},
		{"aa0", 5, "aa5"},
		{"B2yyyy", 45352, "2024"},
		{"hh A/P", 0.25, "06 A"},
		{"hh 上午/下午", 0.25, "06 上午"},
		{"s.0 s.000", 0.5000058, "0.5 0.501"},
		{"yyyy@", 45352, "2024"},
		{strings.Repeat("0", longest+1), 1.5, "1.5"},
		{"0;0;0;@;0", 5, "5"},
	} {
		if got := Parse(c.code).Text(c.value, Options{}); got != c.want {
			t.Errorf("%.40q of %v is %q, want %q", c.code, c.value, got, c.want)
		}
	}
	for _, c := range []struct {
		code  string
		value float64
		want  string
	}{
		{"General", math.NaN(), "#NUM!"},
		{"General", 0.0000000000123, "1.23E-11"},
		{"General", -1.5e21, "-1.5E+21"},
		{"[<0]0", 5, "5"},
		{"yyyy-mm-dd hh:mm", 0.5, "12:00:00"},
	} {
		if got := string(Parse(c.code).AppendAuto(nil, c.value, Options{})); got != c.want {
			t.Errorf("%q of %v is %q, want %q", c.code, c.value, got, c.want)
		}
	}
}

// TestConditions: each comparison at its edge.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		code    string
		matches []float64
		misses  []float64
	}{
		{`[<5]"y";"n"`, []float64{4.9, 0}, []float64{5, 6}},
		{`[<=5]"y";"n"`, []float64{5, 4}, []float64{5.1}},
		{`[>5]"y";"n"`, []float64{5.1}, []float64{5}},
		{`[>=5]"y";"n"`, []float64{5, 6}, []float64{4.9}},
		{`[=5]"y";"n"`, []float64{5}, []float64{4, 6}},
		{`[<>5]"y";"n"`, []float64{4, 6}, []float64{5}},
		{`[ >5]"y";"n"`, []float64{1, 9}, nil}, // no condition
	} {
		f := Parse(c.code)
		for _, v := range c.matches {
			if got := f.Text(v, Options{}); got != "y" {
				t.Errorf("%s of %v is %q", c.code, v, got)
			}
		}
		for _, v := range c.misses {
			if got := f.Text(v, Options{}); strings.TrimPrefix(got, "-") != "n" {
				t.Errorf("%s of %v is %q", c.code, v, got)
			}
		}
	}
}

// TestThai: the formats of Thai programs are variants of the common ones.
func TestThai(t *testing.T) {
	for id, want := range map[int]int{59: 1, 60: 2, 61: 3, 62: 4, 67: 9, 68: 10, 69: 12, 70: 13, 71: 14, 72: 14,
		73: 15, 74: 16, 75: 17, 76: 20, 77: 21, 78: 22, 79: 45, 80: 46, 81: 47} {
		if got := Builtin(id, ""); got != Builtin(want, "") {
			t.Errorf("%d is %q, want that of %d", id, got, want)
		}
	}
	for _, id := range []int{63, 66, 82} {
		if got := Builtin(id, ""); got != "" {
			t.Errorf("%d is %q", id, got)
		}
	}
}

// TestEdges: numbers at which the form of General changes, and rounding that carries.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		value          float64
		display, exact string
	}{
		{99999999999, "99999999999", "99999999999"},
		{100000000000, "1E+11", "100000000000"},
		{9999999999.6, "10000000000", "9999999999.6"},
		{0.0001, "0.0001", "0.0001"},
		{0.00009999, "0.00009999", "0.00009999"},
		{0.000000001, "0.000000001", "0.000000001"},
		{0.0000000001, "1E-10", "0.0000000001"},
		{0.999999999999, "1", "0.999999999999"},
		{1e21, "1E+21", "1E+21"},
		{-1e20, "-1E+20", "-100000000000000000000"},
		{1e9, "1000000000", "1000000000"},
		{math.MaxFloat64, "1.79769E+308", "1.79769313486232E+308"},
		{5e-324, "4.94066E-324", "4.94065645841247E-324"},
	} {
		if got := string(AppendGeneral(nil, c.value)); got != c.display {
			t.Errorf("%v displays %q, want %q", c.value, got, c.display)
		}
		if got := string(AppendExact(nil, c.value)); got != c.exact {
			t.Errorf("%v is exactly %q, want %q", c.value, got, c.exact)
		}
	}
}
