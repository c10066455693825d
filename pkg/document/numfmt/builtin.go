package numfmt

import "strings"

// Builtin returns the code of a format that files name by number alone (ECMA-376 Part 1,
// 18.8.30), or "" where the number has none. The numbers 27 to 36 and 50 to 58 differ with the language of
// the program, such as "ja-JP"; where that is not known, Chinese is meant most often.
func Builtin(id int, locale string) string {
	switch {
	case id >= 27 && id <= 36 || id >= 50 && id <= 58:
		return eastern(id, strings.ToLower(locale))
	case id >= 0 && id < len(builtins):
		return builtins[id]
	case id >= 59 && id <= 81: // Thai
		return Builtin(thai(id), locale)
	}
	return ""
}

// builtins are the formats by number as Excel shows them in American English.
var builtins = [...]string{
	0:  "General",
	1:  "0",
	2:  "0.00",
	3:  "#,##0",
	4:  "#,##0.00",
	5:  `"$"#,##0_);\("$"#,##0\)`,
	6:  `"$"#,##0_);[Red]\("$"#,##0\)`,
	7:  `"$"#,##0.00_);\("$"#,##0.00\)`,
	8:  `"$"#,##0.00_);[Red]\("$"#,##0.00\)`,
	9:  "0%",
	10: "0.00%",
	11: "0.00E+00",
	12: "# ?/?",
	13: "# ??/??",
	14: "m/d/yyyy",
	15: "d-mmm-yy",
	16: "d-mmm",
	17: "mmm-yy",
	18: "h:mm AM/PM",
	19: "h:mm:ss AM/PM",
	20: "h:mm",
	21: "h:mm:ss",
	22: "m/d/yyyy h:mm",
	37: `#,##0_);\(#,##0\)`,
	38: `#,##0_);[Red]\(#,##0\)`,
	39: `#,##0.00_);\(#,##0.00\)`,
	40: `#,##0.00_);[Red]\(#,##0.00\)`,
	41: `_(* #,##0_);_(* \(#,##0\);_(* "-"_);_(@_)`,
	42: `_("$"* #,##0_);_("$"* \(#,##0\);_("$"* "-"_);_(@_)`,
	43: `_(* #,##0.00_);_(* \(#,##0.00\);_(* "-"??_);_(@_)`,
	44: `_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_);_(@_)`,
	45: "mm:ss",
	46: "[h]:mm:ss",
	47: "mm:ss.0",
	48: "##0.0E+0",
	49: "@",
}

func eastern(id int, locale string) string {
	if id >= 50 {
		id -= 50 - 37
	}
	i := id - 27 // 27 to 36, then 50 to 58
	switch {
	case strings.HasPrefix(locale, "ja"):
		return japanese[i]
	case strings.HasPrefix(locale, "ko"):
		return korean[i]
	case strings.HasPrefix(locale, "zh-tw"), strings.HasPrefix(locale, "zh-hk"), strings.HasPrefix(locale, "zh-hant"):
		return taiwanese[i]
	}
	return chinese[i]
}

var chinese = [...]string{
	`yyyy"年"m"月"`, `m"月"d"日"`, `m"月"d"日"`, `m-d-yy`, `yyyy"年"m"月"d"日"`,
	`h"时"mm"分"`, `h"时"mm"分"ss"秒"`, `上午/下午h"时"mm"分"`, `上午/下午h"时"mm"分"ss"秒"`, `yyyy"年"m"月"`,
	`yyyy"年"m"月"`, `m"月"d"日"`, `yyyy"年"m"月"`, `m"月"d"日"`, `m"月"d"日"`,
	`上午/下午h"时"mm"分"`, `上午/下午h"时"mm"分"ss"秒"`, `yyyy"年"m"月"`, `m"月"d"日"`,
}

var taiwanese = [...]string{
	`[$-404]e/m/d`, `[$-404]e"年"m"月"d"日"`, `[$-404]e"年"m"月"d"日"`, `m/d/yy`, `yyyy"年"m"月"d"日"`,
	`hh"時"mm"分"`, `hh"時"mm"分"ss"秒"`, `上午/下午hh"時"mm"分"`, `上午/下午hh"時"mm"分"ss"秒"`, `[$-404]e/m/d`,
	`[$-404]e/m/d`, `[$-404]e"年"m"月"d"日"`, `上午/下午hh"時"mm"分"`, `上午/下午hh"時"mm"分"ss"秒"`, `[$-404]e"年"m"月"d"日"`,
	`上午/下午hh"時"mm"分"`, `上午/下午hh"時"mm"分"ss"秒"`, `[$-404]e/m/d`, `[$-404]e"年"m"月"d"日"`,
}

var japanese = [...]string{
	`[$-411]ge.m.d`, `[$-411]ggge"年"m"月"d"日"`, `[$-411]ggge"年"m"月"d"日"`, `m/d/yy`, `yyyy"年"m"月"d"日"`,
	`h"時"mm"分"`, `h"時"mm"分"ss"秒"`, `yyyy"年"m"月"`, `m"月"d"日"`, `[$-411]ge.m.d`,
	`[$-411]ge.m.d`, `[$-411]ggge"年"m"月"d"日"`, `yyyy"年"m"月"`, `m"月"d"日"`, `[$-411]ggge"年"m"月"d"日"`,
	`yyyy"年"m"月"`, `m"月"d"日"`, `[$-411]ge.m.d`, `[$-411]ggge"年"m"月"d"日"`,
}

var korean = [...]string{
	`yyyy"年" mm"月" dd"日"`, `mm-dd`, `mm-dd`, `mm-dd-yy`, `yyyy"년" mm"월" dd"일"`,
	`h"시" mm"분"`, `h"시" mm"분" ss"초"`, `yyyy-mm-dd`, `yyyy-mm-dd`, `yyyy"年" mm"月" dd"日"`,
	`yyyy"年" mm"月" dd"日"`, `mm-dd`, `yyyy-mm-dd`, `yyyy-mm-dd`, `mm-dd`,
	`yyyy-mm-dd`, `yyyy-mm-dd`, `yyyy"年" mm"月" dd"日"`, `mm-dd`,
}

// thai returns the common format that a Thai one is a variant of, or -1.
func thai(id int) int {
	switch {
	case id <= 62:
		return id - 58
	case id == 67 || id == 68:
		return id - 58
	case id == 69 || id == 70:
		return id - 57
	case id == 71 || id == 72:
		return 14
	case id >= 73 && id <= 75:
		return id - 58
	case id >= 76 && id <= 78:
		return id - 56
	case id >= 79:
		return id - 34
	}
	return -1
}
