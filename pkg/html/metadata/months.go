package metadata

import "strings"

// month returns the number of the month that a word in lower case names, in full or
// in short, in the languages that use the Gregorian calendar in dates; 0 for none.
func month(s string) int {
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x400 && r < 0x530 }) == 0 {
		return slavic(s)
	}
	switch s {
	case "january", "jan", "januar", "jänner", "janvier", "janv", "enero", "ene", "gennaio", "gen", "gener", "janeiro", "januari", "stycznia", "styczeń", "sty", "ledna", "leden", "led", "ocak", "oca", "ianuarie", "ian", "január", "januára", "tammikuuta", "tammikuu", "ιανουαρίου", "ιαν", "يناير", "जनवरी", "มกราคม", "siječnja", "sausio", "janvāris", "jaanuar":
		return 1
	case "february", "feb", "februar", "feber", "février", "fevrier", "févr", "fév", "febrero", "febbraio", "febrer", "fevereiro", "fev", "februari", "lutego", "luty", "lut", "února", "únor", "úno", "şubat", "şub", "februarie", "február", "februára", "febr", "helmikuuta", "helmikuu", "φεβρουαρίου", "φεβ", "فبراير", "फ़रवरी", "फरवरी", "กุมภาพันธ์", "veljače", "vasario", "pebruari":
		return 2
	case "march", "mar", "märz", "mär", "mrz", "mars", "marzo", "març", "março", "maart", "mrt", "marca", "marzec", "března", "březen", "bře", "mart", "martie", "március", "márc", "maret", "maaliskuuta", "maaliskuu", "marts", "μαρτίου", "μαρ", "مارس", "मार्च", "มีนาคม", "ožujka", "kovo", "märts":
		return 3
	case "april", "apr", "avril", "avr", "abril", "abr", "aprile", "kwietnia", "kwiecień", "kwi", "dubna", "duben", "dub", "nisan", "nis", "aprilie", "április", "ápr", "apríla", "huhtikuuta", "huhtikuu", "απριλίου", "απρ", "أبريل", "ابريل", "अप्रैल", "เมษายน", "travnja", "balandžio", "aprill":
		return 4
	case "may", "mai", "mayo", "maggio", "mag", "maig", "maio", "mei", "maja", "maj", "května", "květen", "kvě", "mayıs", "május", "mája", "toukokuuta", "toukokuu", "μαΐου", "μαϊ", "مايو", "मई", "พฤษภาคม", "svibnja", "gegužės":
		return 5
	case "june", "jun", "juni", "juin", "junio", "giugno", "giu", "juny", "junho", "czerwca", "czerwiec", "cze", "června", "červen", "čvn", "haziran", "haz", "iunie", "iun", "június", "jún", "júna", "kesäkuuta", "kesäkuu", "ιουνίου", "ιουν", "يونيو", "जून", "มิถุนายน", "lipnja", "birželio", "juuni":
		return 6
	case "july", "jul", "juli", "juillet", "juil", "julio", "luglio", "lug", "juliol", "julho", "lipca", "lipiec", "lip", "července", "červenec", "čvc", "temmuz", "tem", "iulie", "iul", "július", "júl", "júla", "heinäkuuta", "heinäkuu", "ιουλίου", "ιουλ", "يوليو", "जुलाई", "กรกฎาคม", "srpnja", "liepos", "juuli":
		return 7
	case "august", "aug", "août", "aout", "agosto", "ago", "agost", "augustus", "sierpnia", "sierpień", "sie", "srpna", "srpen", "srp", "ağustos", "ağu", "augusztus", "augusta", "agustus", "agt", "agu", "augusti", "elokuuta", "elokuu", "αυγούστου", "αυγ", "أغسطس", "اغسطس", "अगस्त", "สิงหาคม", "kolovoza", "rugpjūčio":
		return 8
	case "september", "sep", "sept", "septembre", "septiembre", "setiembre", "settembre", "set", "setembre", "setembro", "września", "wrzesień", "wrz", "září", "zář", "eylül", "eyl", "septembrie", "szeptember", "szept", "septembra", "syyskuuta", "syyskuu", "σεπτεμβρίου", "σεπ", "سبتمبر", "सितंबर", "กันยายน", "rujna", "rugsėjo":
		return 9
	case "october", "oct", "oktober", "okt", "octobre", "octubre", "ottobre", "ott", "outubro", "out", "października", "październik", "paź", "října", "říjen", "říj", "ekim", "eki", "octombrie", "október", "októbra", "lokakuuta", "lokakuu", "οκτωβρίου", "οκτ", "أكتوبر", "اكتوبر", "अक्टूबर", "ตุลาคม", "spalio", "oktoober":
		return 10
	case "november", "nov", "novembre", "noviembre", "novembro", "listopada", "listopad", "lis", "listopadu", "kasım", "kas", "noiembrie", "novembra", "nopember", "marraskuuta", "marraskuu", "νοεμβρίου", "νοε", "نوفمبر", "नवंबर", "พฤศจิกายน", "studenoga", "lapkričio":
		return 11
	case "december", "dec", "dezember", "dez", "décembre", "déc", "diciembre", "dic", "dicembre", "desembre", "dezembro", "grudnia", "grudzień", "gru", "prosince", "prosinec", "pro", "aralık", "ara", "decembrie", "decembra", "desember", "des", "joulukuuta", "joulukuu", "δεκεμβρίου", "δεκ", "ديسمبر", "दिसंबर", "ธันวาคม", "prosinca", "gruodžio", "detsember":
		return 12
	}
	return 0
}

// slavic returns the number of a month in Russian, Bulgarian, Serbian or Ukrainian.
func slavic(s string) int {
	for i, stems := range [...][3]string{
		{"янв", "січ", "јан"}, {"фев", "лют", "феб"}, {"мар", "бер", "мар"}, {"апр", "кві", "апр"}, {"май", "тра", "мај"}, {"июн", "чер", "јун"},
		{"июл", "лип", "јул"}, {"авг", "сер", "ауг"}, {"сен", "вер", "сеп"}, {"окт", "жов", "окт"}, {"ноя", "лист", "нов"}, {"дек", "гру", "дец"},
	} {
		if starts(s, stems[:]...) {
			return i + 1
		}
	}
	switch s {
	case "мая":
		return 5
	case "юни":
		return 6
	case "юли":
		return 7
	case "ное", "ноември":
		return 11
	}
	return 0
}
