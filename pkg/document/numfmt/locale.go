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
func (s *section) locale(name string) {
	name, _, _ = strings.Cut(name, ",")
	switch strings.ToLower(name) {
	case "f800", "x-sysdate":
		s.system = systemDate
		return
	case "f400", "x-systime":
		s.system = systemTime
		return
	}
	if id, err := strconv.ParseUint(name, 16, 32); err == nil && len(name) > 2 { // "de" is a language
		s.language = uint16(id)
		s.thaiYears = id>>16&0xff == 7
		return
	}
	for i := range languages {
		if l := &languages[i]; len(name) >= 2 && strings.EqualFold(name[:2], l.tag) {
			s.language = l.id
		}
	}
	if strings.EqualFold(name, "zh-TW") {
		s.language = taiwan
	}
}

// language has the names of months and days, separated by spaces; days from Sunday. Where
// Japanese and Korean have no names of their own, they are the English ones.
type language struct {
	id                      uint16
	tag                     string
	months, shortMonths     string // mmmm, mmm
	weekdays, shortWeekdays string // dddd, ddd
	eastern, shortEastern   string // aaaa, aaa
	beforeNoon, afterNoon   string
}

// The names in English, which all languages use that are not listed.
const (
	englishMonths        = "January February March April May June July August September October November December"
	englishShortMonths   = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
	englishWeekdays      = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday"
	englishShortWeekdays = "Sun Mon Tue Wed Thu Fri Sat"
)

// languages begin with the one that is used for all others.
var languages = [...]language{
	{id: 0x09, tag: "en", months: englishMonths, shortMonths: englishShortMonths, weekdays: englishWeekdays, shortWeekdays: englishShortWeekdays},
	{id: 0x07, tag: "de",
		months:      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
		shortMonths: "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
		weekdays:    "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", shortWeekdays: "So Mo Di Mi Do Fr Sa"},
	{id: 0x0c, tag: "fr",
		months:      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		shortMonths: "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
		weekdays:    "dimanche lundi mardi mercredi jeudi vendredi samedi", shortWeekdays: "dim. lun. mar. mer. jeu. ven. sam."},
	{id: 0x0a, tag: "es",
		months:      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		shortMonths: "ene feb mar abr may jun jul ago sep oct nov dic",
		weekdays:    "domingo lunes martes miércoles jueves viernes sábado", shortWeekdays: "dom lun mar mié jue vie sáb"},
	{id: 0x10, tag: "it",
		months:      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		shortMonths: "gen feb mar apr mag giu lug ago set ott nov dic",
		weekdays:    "domenica lunedì martedì mercoledì giovedì venerdì sabato", shortWeekdays: "dom lun mar mer gio ven sab"},
	{id: 0x16, tag: "pt",
		months:      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		shortMonths: "jan fev mar abr mai jun jul ago set out nov dez",
		weekdays:    "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado", shortWeekdays: "dom seg ter qua qui sex sáb"},
	{id: 0x13, tag: "nl",
		months:      "januari februari maart april mei juni juli augustus september oktober november december",
		shortMonths: "jan feb mrt apr mei jun jul aug sep okt nov dec",
		weekdays:    "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag", shortWeekdays: "zo ma di wo do vr za"},
	{id: 0x19, tag: "ru",
		months:      "Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь",
		shortMonths: "янв фев мар апр май июн июл авг сен окт ноя дек",
		weekdays:    "воскресенье понедельник вторник среда четверг пятница суббота", shortWeekdays: "Вс Пн Вт Ср Чт Пт Сб"},
	{id: langChinese, tag: "zh",
		months:      "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
		shortMonths: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
		weekdays:    "星期日 星期一 星期二 星期三 星期四 星期五 星期六", shortWeekdays: "周日 周一 周二 周三 周四 周五 周六",
		eastern: "星期日 星期一 星期二 星期三 星期四 星期五 星期六", shortEastern: "日 一 二 三 四 五 六",
		beforeNoon: "上午", afterNoon: "下午"},
	{id: langJapanese, tag: "ja", months: englishMonths, shortMonths: englishShortMonths, weekdays: englishWeekdays, shortWeekdays: englishShortWeekdays,
		eastern: "日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日", shortEastern: "日 月 火 水 木 金 土",
		beforeNoon: "午前", afterNoon: "午後"},
	{id: langKorean, tag: "ko", months: englishMonths, shortMonths: englishShortMonths, weekdays: englishWeekdays, shortWeekdays: englishShortWeekdays,
		eastern: "일요일 월요일 화요일 수요일 목요일 금요일 토요일", shortEastern: "일 월 화 수 목 금 토",
		beforeNoon: "오전", afterNoon: "오후"},
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

// appendEasternWeekday shows a day of the week as the letters aaa and aaaa do.
func (s *section) appendEasternWeekday(dst []byte, day, n int) []byte {
	l := s.names()
	switch {
	case l.eastern == "":
		return s.appendWeekday(dst, day, n)
	case n == 3:
		return append(dst, field(l.shortEastern, day)...)
	}
	return append(dst, field(l.eastern, day)...)
}

// appendNoon shows the half of the day in the style of its mark.
func (s *section) appendNoon(dst []byte, style uint8, after bool) []byte {
	before, later := s.names().beforeNoon, s.names().afterNoon
	switch {
	case style == 'Z':
		before, later = "上午", "下午"
	case style == 'A':
		before, later = "A", "P"
	case before == "":
		before, later = "AM", "PM"
	}
	if after {
		return append(dst, later...)
	}
	return append(dst, before...)
}
