package numfmt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Primary languages of Windows' locale identifiers ([MS-LCID] 2.2), and Chinese as
// Taiwan counts years.
const (
	langChinese  = 0x04
	langJapanese = 0x11
	langKorean   = 0x12
	taiwan       = 0x0404

	primary = 0x3ff
)

// system says that a section stands for a format of the system: [$-F800].
type system uint8

const (
	systemDate system = 1 + iota
	systemTime
)

// The formats of the system, as American English has them.
const (
	longDate = "dddd, mmmm d, yyyy"
	longTime = "h:mm:ss AM/PM"
)

// locale reads what follows the hyphen of [$-409]: a language, or a format of the system.
func (s *section) locale(name string) (token, bool) {
	name, _, _ = strings.Cut(name, ",")
	switch strings.ToLower(name) {
	case "f800", "x-sysdate":
		s.system = systemDate
		return token{}, false
	case "f400", "x-systime":
		s.system = systemTime
		return token{}, false
	}
	if id, err := strconv.ParseUint(name, 16, 32); err == nil && len(name) > 2 { // "de" is a language
		s.language = uint16(id)
		s.thaiYears = id>>16&0xff == 7
		return token{}, false
	}
	for i := range languages {
		if l := &languages[i]; len(name) >= 2 && strings.EqualFold(name[:2], l.tag) {
			s.language = l.id
		}
	}
	if strings.EqualFold(name, "zh-TW") {
		s.language = taiwan
	}
	return token{}, false
}

// language has the names of months and days, separated by spaces.
type language struct {
	id                      uint16
	tag                     string
	months, shortMonths     string
	weekdays, shortWeekdays string // from Sunday
	beforeNoon, afterNoon   string
}

// languages begin with the one that is used for all others.
var languages = [...]language{
	{0x09, "en", "January February March April May June July August September October November December",
		"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
		"Sunday Monday Tuesday Wednesday Thursday Friday Saturday", "Sun Mon Tue Wed Thu Fri Sat", "AM", "PM"},
	{0x07, "de", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
		"Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
		"Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", "So Mo Di Mi Do Fr Sa", "AM", "PM"},
	{0x0c, "fr", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
		"dimanche lundi mardi mercredi jeudi vendredi samedi", "dim. lun. mar. mer. jeu. ven. sam.", "AM", "PM"},
	{0x0a, "es", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"ene feb mar abr may jun jul ago sep oct nov dic",
		"domingo lunes martes miércoles jueves viernes sábado", "dom lun mar mié jue vie sáb", "AM", "PM"},
	{0x10, "it", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"gen feb mar apr mag giu lug ago set ott nov dic",
		"domenica lunedì martedì mercoledì giovedì venerdì sabato", "dom lun mar mer gio ven sab", "AM", "PM"},
	{0x16, "pt", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"jan fev mar abr mai jun jul ago set out nov dez",
		"domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado", "dom seg ter qua qui sex sáb", "AM", "PM"},
	{0x13, "nl", "januari februari maart april mei juni juli augustus september oktober november december",
		"jan feb mrt apr mei jun jul aug sep okt nov dec",
		"zondag maandag dinsdag woensdag donderdag vrijdag zaterdag", "zo ma di wo do vr za", "AM", "PM"},
	{0x19, "ru", "Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь",
		"янв фев мар апр май июн июл авг сен окт ноя дек",
		"воскресенье понедельник вторник среда четверг пятница суббота", "Вс Пн Вт Ср Чт Пт Сб", "AM", "PM"},
	{langChinese, "zh", "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
		"1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
		"星期日 星期一 星期二 星期三 星期四 星期五 星期六", "周日 周一 周二 周三 周四 周五 周六", "上午", "下午"},
	{langJapanese, "ja", "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月", "1 2 3 4 5 6 7 8 9 10 11 12",
		"日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日", "日 月 火 水 木 金 土", "午前", "午後"},
	{langKorean, "ko", "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월", "1 2 3 4 5 6 7 8 9 10 11 12",
		"일요일 월요일 화요일 수요일 목요일 금요일 토요일", "일 월 화 수 목 금 토", "오전", "오후"},
}

// names returns the names of the section's language.
func (s *section) names() *language {
	if s.language != 0 {
		for i := range languages {
			if languages[i].id == s.language&primary {
				return &languages[i]
			}
		}
	}
	return &languages[0]
}

// field returns the nth of words that are separated by spaces.
func field(words string, n int) string {
	for ; n > 0; n-- {
		_, words, _ = strings.Cut(words, " ")
	}
	word, _, _ := strings.Cut(words, " ")
	return word
}

func (s *section) appendMonth(dst []byte, month, n int) []byte {
	l := s.names()
	switch n {
	case 3:
		return append(dst, field(l.shortMonths, month-1)...)
	case 5: // the first letter
		name := field(l.months, month-1)
		_, size := utf8.DecodeRuneInString(name)
		return append(dst, name[:size]...)
	}
	return append(dst, field(l.months, month-1)...)
}

func (s *section) appendWeekday(dst []byte, day, n int) []byte {
	l := s.names()
	if n == 3 {
		return append(dst, field(l.shortWeekdays, day)...)
	}
	return append(dst, field(l.weekdays, day)...)
}

// appendEastWeekday shows a day of the week as the letters aaa and aaaa do: in Chinese aaa is its last
// character alone.
func (s *section) appendEastWeekday(dst []byte, day, n int) []byte {
	if n > 3 || s.names().id != langChinese {
		return s.appendWeekday(dst, day, n)
	}
	name := field(s.names().weekdays, day)
	_, size := utf8.DecodeLastRuneInString(name)
	return append(dst, name[len(name)-size:]...)
}

// appendNoon shows the half of the day in the style of its mark.
func (s *section) appendNoon(dst []byte, style uint8, after bool) []byte {
	l := s.names()
	if style == 'Z' {
		l = &languages[8]
	}
	text := l.beforeNoon
	if after {
		text = l.afterNoon
	}
	if style == 'A' {
		return append(dst, text[0])
	}
	return append(dst, text...)
}
