package docx

import (
	"strconv"
	"strings"
)

// numeral writes a number in a format of 17.18.59. One that is not known is decimal.
func numeral(format string, n int) string {
	switch format {
	case "none", "bullet":
		return ""
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "upperRoman":
		return roman(n)
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperLetter":
		return letters(n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	case "lowerLetter":
		return letters(n, "abcdefghijklmnopqrstuvwxyz")
	case "russianUpper":
		return letters(n, "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ")
	case "russianLower":
		return letters(n, "абвгдежзиклмнопрстуфхцчшщыэюя")
	case "ordinal":
		return strconv.Itoa(n) + ordinalEnding(n)
	case "hex":
		return strings.ToUpper(strconv.FormatInt(int64(n), 16))
	case "numberInDash":
		return "- " + strconv.Itoa(n) + " -"
	case "decimalFullWidth", "decimalFullWidth2":
		return digits(n, "０１２３４５６７８９")
	case "ideographDigital", "japaneseDigitalTenThousand", "taiwaneseDigital":
		return digits(n, "〇一二三四五六七八九")
	case "koreanDigital":
		return digits(n, "영일이삼사오육칠팔구")
	case "chineseCounting", "chineseCountingThousand", "japaneseCounting", "taiwaneseCounting", "taiwaneseCountingThousand":
		return counting(n, "〇一二三四五六七八九", "十百千")
	case "chineseLegalSimplified":
		return counting(n, "零壹贰叁肆伍陆柒捌玖", "拾佰仟")
	case "ideographLegalTraditional", "japaneseLegal":
		return counting(n, "零壹貳參肆伍陸柒捌玖", "拾佰仟")
	case "koreanCounting":
		return counting(n, "영일이삼사오육칠팔구", "십백천")
	case "ideographTraditional":
		return within(n, "甲乙丙丁戊己庚辛壬癸")
	case "ideographZodiac":
		return within(n, "子丑寅卯辰巳午未申酉戌亥")
	case "decimalEnclosedCircle", "decimalEnclosedCircleChinese":
		return within(n, "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳")
	case "decimalEnclosedParen":
		return within(n, "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇")
	case "decimalEnclosedFullstop":
		return within(n, "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛")
	case "ideographEnclosedCircle":
		return within(n, "㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉")
	case "ganada":
		return within(n, "가나다라마바사아자차카타파하")
	case "chosung":
		return within(n, "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ")
	case "aiueo", "aiueoFullWidth":
		return within(n, "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン")
	case "iroha", "irohaFullWidth":
		return within(n, "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス")
	case "arabicAlpha":
		return within(n, "أبتثجحخدذرزسشصضطظعغفقكلمنهوي")
	case "arabicAbjad":
		return within(n, "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ")
	case "hebrew2":
		return letters(n, "אבגדהוזחטיכלמנסעפצקרשת")
	case "chicago":
		return strings.Repeat(within((n-1)%4+1, "*†‡§"), min((n-1)/4+1, 4))
	}
	return strconv.Itoa(n)
}

// roman writes a Roman number; those that the Romans could not write are decimal.
func roman(n int) string {
	if n < 1 || n > 32_767 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, step := range [...]struct {
		value int
		sign  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= step.value; n -= step.value {
			b.WriteString(step.sign)
		}
	}
	return b.String()
}

// letters counts a to z, aa, bb and so on.
func letters(n int, alphabet string) string {
	all := []rune(alphabet)
	if n < 1 || n > 30*len(all) {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(all[(n-1)%len(all)]), (n-1)/len(all)+1)
}

// within returns the nth of some signs; a number beyond them is decimal.
func within(n int, signs string) string {
	all := []rune(signs)
	if n < 1 || n > len(all) {
		return strconv.Itoa(n)
	}
	return string(all[n-1])
}

// digits writes a number with other digits.
func digits(n int, signs string) string {
	all := []rune(signs)
	var b strings.Builder
	for _, c := range strconv.Itoa(max(0, n)) {
		b.WriteRune(all[c-'0'])
	}
	return b.String()
}

// counting writes a number in words of East Asia: 二十三, 一百〇五.
func counting(n int, signs, units string) string {
	if n < 1 || n > 9999 {
		return digits(n, signs)
	}
	digit, unit := []rune(signs), []rune(units)
	decimal := strconv.Itoa(n)
	var b strings.Builder
	zero := false
	for i, c := range decimal {
		place := len(decimal) - 1 - i
		if c == '0' {
			zero = true
			continue
		}
		if zero {
			b.WriteRune(digit[0])
			zero = false
		}
		if !(c == '1' && place == 1 && i == 0) { // ten is 十
			b.WriteRune(digit[c-'0'])
		}
		if place > 0 {
			b.WriteRune(unit[place-1])
		}
	}
	return b.String()
}

func ordinalEnding(n int) string {
	if n%100/10 == 1 {
		return "th"
	}
	switch n % 10 {
	case 1:
		return "st"
	case 2:
		return "nd"
	case 3:
		return "rd"
	}
	return "th"
}
