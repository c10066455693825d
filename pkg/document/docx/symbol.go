package docx

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// What the fonts of symbols show from 0x20 on; a space where there is nothing that Unicode
// has. Arrows and marks that few fonts have are written as those that all have.
const (
	symbolFont = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_" +
		"‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼                                 " +
		"€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
	wingdings = " 🖉✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭📁📂📄🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼💧❄🕆✞🕈✠✡☪☯ॐ☸♈♉" +
		"♊♋♌♍♎♏♐♑♒♓🙰🙵●🔾■□🞐❑❒⬧⧫◆❖⬥⌧⮹⌘🏵🏶🙶🙷 ⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿🙢🙠🙡🙣🙞🙜🙝🙟·•" +
		"⬝⭘🞆🞈🞊🞋🔿▪□🟂🟀★🟋🟏🟓🟑⯐⌖⯎⯏⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦" +
		"⮘➢⮙⮛⮈⮊⮉⮋←→↑↓↖↗↙↘←➔↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂🢬🢭✗✔☒☑"
)

// symbol returns what a w:sym shows (17.3.3.30), 0 if that is not known. The number is
// hexadecimal.
func symbol(font, number string) rune {
	n, err := strconv.ParseUint(number, 16, 32)
	if err != nil {
		return 0
	}
	return shown(font, rune(n))
}

// symbolNumber is the same for a number as fields have it.
func symbolNumber(font, number string) rune {
	n, err := strconv.ParseUint(number, 0, 32)
	if err != nil {
		return 0
	}
	if font == "" {
		font = "Symbol"
	}
	return shown(font, rune(n))
}

// shown returns what a font shows for a character. Fonts of symbols have theirs in the
// private use area from U+F000 on.
func shown(font string, c rune) rune {
	private := c >= 0xf000 && c <= 0xf0ff
	at := c
	if private {
		at -= 0xf000
	}
	if at < 0x20 || at > 0xff {
		if private || !utf8.ValidRune(c) || c < ' ' {
			return 0
		}
		return c
	}
	table := ""
	switch strings.ToLower(font) {
	case "symbol", "standard symbols l", "opensymbol", "starsymbol":
		table = symbolFont
	case "wingdings":
		table = wingdings
	case "wingdings 2":
		switch at {
		case 'O':
			return '✗'
		case 'P':
			return '✓'
		case 'Q', 'S', 'T':
			return '☒'
		case 'R':
			return '☑'
		case 0xa3:
			return '□'
		case 0x97, 0x98:
			return '●'
		}
	case "webdings":
		switch at {
		case 'a':
			return '✔'
		case 'r':
			return '✗'
		case 'c':
			return '□'
		case 'g', 'n':
			return '■'
		}
	}
	for _, sign := range table {
		if at--; at < 0x20 {
			if sign == ' ' {
				return 0
			}
			return sign
		}
	}
	if private {
		return 0
	}
	return c
}
