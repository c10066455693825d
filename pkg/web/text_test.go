package web

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// passages has a text for each charset of the web, in a language that uses it.
var passages = []struct{ text, charsets string }{
	{"Il était une fois une forêt où les chênes étaient très âgés, près d'une rivière où l'on pêchait des écrevisses. L'été, les élèves y étudiaient.", "utf-8 windows-1252 iso-8859-15 iso-8859-3 macintosh utf-16le utf-16be windows-1254 windows-1258 gb18030"},
	{"Zażółć gęślą jaźń. Dziś rano wyszła książka o żółwiach, które świetnie pływają w ciepłych wodach i jedzą różne rośliny.", "iso-8859-2 windows-1250 iso-8859-16"},
	{"Съешь же ещё этих мягких французских булок, да выпей чаю. Вчера вечером в городе шёл сильный дождь, и никто не вышел на улицу.", "windows-1251 koi8-r iso-8859-5 ibm866 x-mac-cyrillic"},
	{"Щоб їхати до Києва, потрібно знайти ґрунтову дорогу, а потім повернути ліворуч біля великої церкви, де завжди є люди.", "koi8-u"},
	{"Η γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί και τρέχει προς το δάσος όπου την περιμένουν οι φίλοι της.", "iso-8859-7 windows-1253"},
	{"דג סקרן שט בים מאוכזב ולפתע מצא חברה נחמדה. הילדים הלכו לבית הספר בבוקר וחזרו הביתה אחר הצהריים.", "windows-1255 iso-8859-8 iso-8859-8-i"},
	{"كان يا ما كان في قديم الزمان رجل فقير يعيش في قرية صغيرة مع زوجته وأولاده الثلاثة، وكان يعمل في الحقل كل يوم.", "windows-1256 iso-8859-6"},
	{"Põhjamaade talved on väga külmad ja lumised, kuid öösel võib näha virmalisi. Jõgi jäätub ning lapsed käivad uisutamas.", "windows-1257 iso-8859-4 iso-8859-10 iso-8859-13 iso-8859-14"},
	{"เด็กที่ได้รับการศึกษาดีจะมีโอกาสในชีวิตมากกว่าเด็กที่ไม่ได้เรียนหนังสือ และครูเป็นผู้ที่มีความสำคัญมาก", "windows-874"},
	{"今日は朝から雨が降っていたので、家で本を読んでいました。午後になると空が晴れて、子どもたちが公園で遊び始めました。", "shift_jis euc-jp iso-2022-jp"},
	{"오늘은 아침부터 비가 내려서 집에서 책을 읽고 있었습니다. 오후가 되자 하늘이 맑아지고 아이들이 공원에서 놀기 시작했습니다.", "euc-kr"},
	{"今天早上开始下雨，所以我在家里看书。到了下午天空放晴，孩子们开始在公园里玩耍，大家都很高兴。", "gbk gb18030 hz-gb-2312"},
	{"今天早上開始下雨，所以我在家裡看書。到了下午天空放晴，孩子們開始在公園裡玩耍，大家都很高興。", "big5"},
}

func encoded(t *testing.T, text, name string) string {
	t.Helper()
	var out string
	var err error
	switch name {
	case "utf-8":
		return text
	case "utf-16le":
		out, err = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String(text)
	case "utf-16be":
		out, err = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String(text)
	case "hz-gb-2312":
		out, err = simplifiedchinese.HZGB2312.NewEncoder().String(text)
	default:
		enc, unknown := htmlindex.Get(name)
		if unknown != nil {
			t.Fatal(unknown)
		}
		out, err = enc.NewEncoder().String(text)
	}
	if err != nil {
		t.Skipf("%s: %v", name, err)
	}
	return out
}

// TestCharsets reads a page in each charset of the web that is named in the header,
// early or late in the page, by a byte order mark or, for common ones, not at all.
func TestCharsets(t *testing.T) {
	var header, body string
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{header}
		_, _ = w.Write([]byte(body))
	})
	c := client(t, nil)
	filler := "<!-- " + strings.Repeat("filler ", 400) + "-->"
	seen := 0
	for _, p := range passages {
		for name := range strings.FieldsSeq(p.charsets) {
			t.Run(name, func(t *testing.T) {
				// Characters that the charset does not have are left out.
				text := strings.Map(func(r rune) rune {
					if _, err := tryEncode(string(r), name); err != nil {
						return -1
					}
					return r
				}, p.text)
				if utf8.RuneCountInString(text) < utf8.RuneCountInString(p.text)*3/4 {
					t.Fatalf("%s is not for %s", name, p.text)
				}
				seen++
				check := func(how, source string) {
					t.Helper()
					got := get(t, c, Request{URL: At(s.URL)}).Text()
					if !strings.Contains(got.Text, text) || got.Source != source || got.Replaced != 0 {
						t.Errorf("%s: %s by %s, %d replaced: %.200q", how, got.Charset, got.Source, got.Replaced, got.Text)
					}
				}
				wide := strings.HasPrefix(name, "utf-16")
				page := encoded(t, "<html><p>"+text, name)
				header, body = "text/html; charset="+strings.ToUpper(name), page
				check("header", "header")
				header = "text/html;charset='" + name + "'; x=y"
				check("header in quotes", "header")
				if wide {
					header, body = "text/html; charset=iso-8859-1", encoded(t, "\ufeff<html><p>"+text, name)
					check("mark", "bom")
					return
				}
				source := "meta"
				if name == "utf-8" {
					source = "utf-8"
				}
				header, body = "text/html", encoded(t, "<html><meta charset="+name+"><p>"+text, name)
				check("meta", source)
				body = encoded(t, `<html>`+filler+`<meta http-equiv="Content-Type" content="text/html; charset=`+name+`"><p>`+text, name)
				check("late meta", source)
				header, body = "application/xhtml+xml", encoded(t, `<?xml version="1.0" encoding="`+name+`"?><p>`+text, name)
				check("declaration", source)
				switch name {
				case "utf-8":
					header, body = "text/plain", page
					check("plain", "utf-8")
					header = "text/html; charset=iso-8859-1"
					check("a wrong header", "utf-8")
					header, body = "text/html", "\ufeff"+page
					check("mark", "bom")
					body = filler + filler + filler + page
					check("late letters", "utf-8")
				case "shift_jis", "euc-jp", "euc-kr", "gbk", "big5", "windows-1251", "koi8-r", "windows-1253", "windows-1252", "windows-874", "iso-2022-jp":
					header, body = "text/plain", encoded(t, strings.Repeat(text, 3), name)
					check("guess", "guess")
					if name == "iso-2022-jp" {
						break
					}
					header, body = "text/html; charset=utf-8", encoded(t, strings.Repeat(text, 3), name)
					check("a header that cannot be", "guess")
				}
			})
		}
	}
	if seen < 38 {
		t.Errorf("only %d charsets", seen)
	}
}

func tryEncode(s, name string) (string, error) {
	if strings.HasPrefix(name, "utf-") {
		return s, nil
	}
	if name == "hz-gb-2312" {
		return simplifiedchinese.HZGB2312.NewEncoder().String(s)
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return "", err
	}
	return enc.NewEncoder().String(s)
}

func TestDecodeOddities(t *testing.T) {
	for name, tt := range map[string]struct {
		body, header string
		markup       bool
		want         Text
	}{
		"empty":                 {"", "", true, Text{"", "utf-8", "utf-8", 0}},
		"ASCII":                 {"plain", "", true, Text{"plain", "utf-8", "utf-8", 0}},
		"an unknown header":     {"caf\xc3\xa9", "klingon", false, Text{"café", "utf-8", "utf-8", 0}},
		"a few bad bytes":       {strings.Repeat("café ", 50) + "\xff\xfe", "utf-8", false, Text{strings.Repeat("café ", 50) + "\uFFFD", "utf-8", "header", 2}},
		"bad without header":    {strings.Repeat("café ", 50) + "\xff", "", false, Text{strings.Repeat("café ", 50) + "\uFFFD", "utf-8", "guess", 1}},
		"a bad byte in English": {"It\u2019s a \u201cna\u00efve\u201d caf\xe9.", "klingon", false, Text{"It\u2019s a \u201cna\u00efve\u201d caf\uFFFD.", "utf-8", "guess", 1}},
		"cut in a character":    {"caf\xc3\xa9 \xe4\xbd", "", false, Text{"café \uFFFD", "utf-8", "utf-8", 2}},
		"claims UTF-16":         {`<meta charset="utf-16"><p>caf` + "\xe9", "", true, Text{`<meta charset="utf-16"><p>café`, "windows-1252", "guess", 0}},
		"no markup":             {"charset=koi8-r caf\xe9 cr\xe8me", "", false, Text{"charset=koi8-r café crème", "windows-1252", "guess", 0}},
		"replaced by decoder":   {"\x81\x20", "shift_jis", false, Text{"\uFFFD ", "shift_jis", "header", 1}},
		"latin1 is windows":     {"\x93quoted\x94", "iso-8859-1", false, Text{"“quoted”", "windows-1252", "header", 0}},
	} {
		if got := Decode([]byte(tt.body), tt.header, tt.markup); got != tt.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// UTF-16 and UTF-32 are recognised without a mark and under any label, and what is
// labelled so is read as what it is.
func TestWideTexts(t *testing.T) {
	page := "<html><title>例</title><p>" + strings.Repeat("日本語の文章、とても長い。", 9) + "</p></html>"
	texts := map[string]string{"Latin": "A plain text.\n", "short": "<p>x", "Japanese": page, "with 😀": "<p>a 😀 b</p>"}
	for name, text := range texts {
		for _, charset := range []string{"utf-16le", "utf-16be", "utf-32le", "utf-32be"} {
			body, err := encodingOf(charset).NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			marked, err := encodingOf(charset).NewEncoder().String("\ufeff" + text)
			if err != nil {
				t.Fatal(err)
			}
			for _, label := range []string{"", "utf-8", "iso-8859-1", "utf-16", "utf-16be", "utf-32", "nonsense"} {
				if got := Decode([]byte(body), label, true); got.Text != text || got.Charset != charset || got.Replaced != 0 {
					t.Errorf("%s in %s as %q: %+v", name, charset, label, got)
				}
				if got := Decode([]byte(marked), label, true); got.Text != text || got.Charset != charset || got.Source != "bom" {
					t.Errorf("%s in %s with a mark as %q: %+v", name, charset, label, got)
				}
			}
			if !Wide([]byte(body)) || !Wide([]byte(marked)) {
				t.Errorf("%s in %s is not wide", name, charset)
			}
		}
		for _, label := range []string{"utf-16", "utf-16be", "utf-32"} {
			if got := Decode([]byte(text), label, true); got.Text != text || got.Charset != "utf-8" {
				t.Errorf("%s in UTF-8 as %s: %+v", name, label, got)
			}
		}
	}
	for _, body := range []string{"", "a", "\x00", "a\x00", "plain", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "PK\x03\x04\x14\x00\x00\x00\x08\x00", "a\x00b\x00\x00\x00", "\x7fELF\x02\x01\x01\x00\x00\x00", "caf\xe9\x00"} {
		if Wide([]byte(body)) {
			t.Errorf("%q is wide", body)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("<meta charset=gbk>\xc4\xe3"), "", true)
	f.Add([]byte("\xff\xfea\x00"), "utf-8", false)
	f.Add([]byte("\x1b$B"), "iso-2022-jp", false)
	f.Add([]byte("~{"), "hz", false)
	f.Add([]byte(`<?xml encoding="x`), "'", true)
	f.Fuzz(func(t *testing.T, body []byte, header string, markup bool) {
		got := Decode(body, header, markup)
		if !utf8.ValidString(got.Text) || got.Charset == "" || got.Source == "" {
			t.Fatalf("%+v", got)
		}
		if Wide(body) && got.Charset == "utf-8" {
			t.Fatalf("%q became %+v", body, got)
		}
		if utf8.Valid(body) && header == "" && !bytes.ContainsAny(body, "\x1b~\ufeff") && !Wide(body) && got.Text != string(body) {
			t.Fatalf("%q became %+v", body, got)
		}
	})
}
