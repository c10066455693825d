package metadata

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestDate(t *testing.T) {
	for _, c := range []struct {
		given string
		order order
		want  string
	}{
		{"", 0, ""},
		{"2024-05-01T10:00:00.123+02:00", 0, "2024-05-01T10:00:00+02:00"},
		{"2024-05-01T10:00:00+0200", 0, "2024-05-01T10:00:00+02:00"},
		{"2024-05-01 10:00:00 +02:00", 0, "2024-05-01T10:00:00+02:00"},
		{"2024-05-01T10:00:00+02", 0, "2024-05-01T10:00:00+02:00"},
		{"2024-05-01T10:00", 0, "2024-05-01T10:00:00"},
		{"2024-05-01 10:00:00 UTC", 0, "2024-05-01T10:00:00Z"},
		{"Wed, 01 May 2024 10:00:00 GMT", 0, "2024-05-01T10:00:00Z"},
		{"Wed, 01 May 2024 10:00:00 EST", 0, "2024-05-01T10:00:00"}, // the zone has no known offset
		{"Wed May 01 2024 10:00:00 GMT+0200 (Central European Summer Time)", 0, "2024-05-01T10:00:00+02:00"},
		{"1714557600", 0, "2024-05-01T10:00:00Z"},
		{"1714557600000", 0, "2024-05-01T10:00:00Z"},
		{"2024", 0, "2024"},
		{"2024-05", 0, "2024-05"},
		{"2024/5", 0, "2024-05"},
		{"May 2024", 0, "2024-05"},
		{"20240501", 0, "2024-05-01"},
		{"2024/5/1", 0, "2024-05-01"},
		{"1848-02-21", 0, "1848-02-21"}, // declared, so any year
		{"yesterday", 0, ""},
		{"0001-01-01T00:00:00Z", 0, ""},
		{"1970-01-01T00:00:00Z", 0, ""},
		{"2024-02-30", 0, ""},
		{"09/08/2021", unknownOrder, ""},
		{"09/08/2021", dayFirst, "2021-08-09"},
		{"09/08/2021", monthFirst, "2021-09-08"},
		{"25/08/2021", monthFirst, "2021-08-25"},
		{"08/25/2021", dayFirst, "2021-08-25"},
		{"9.8.2021", monthFirst, "2021-08-09"},
		{"8. 9. 2021", 0, "2021-09-08"},
		{strings.Repeat("long before ", 20), 0, ""},
	} {
		if got := date(c.given, c.order); got != c.want {
			t.Errorf("%q: %q, want %q", c.given, got, c.want)
		}
	}
}

// One day, as the languages write it.
func TestDatesInLanguages(t *testing.T) {
	for _, text := range []string{
		"September 8, 2021", "Sept. 8th, 2021", "Wednesday, 8 September 2021", "the 8th of September, 2021", "8-Sep-2021", "SEP 8 2021",
		"Mittwoch, 8. September 2021", "le 8 septembre 2021", "8 de septiembre de 2021", "8 settembre 2021", "8 de setembro de 2021", "8 september 2021", "8 сентября 2021 г.", "8 вересня 2021",
		"8 września 2021", "8. září 2021", "8 Eylül 2021 Çarşamba", "Rabu, 8 September 2021", "2021年9月8日 星期三", "2021年09月08日", "2021년 9월 8일", "2021. 9. 8.", "٨ سبتمبر ٢٠٢١", "8 tháng 9 năm 2021",
		"2021. szeptember 8.", "8. syyskuuta 2021", "8 Σεπτεμβρίου 2021", "8 septembrie 2021", "8. septembra 2021", "08.09.2021", "2021/09/08", "2021.09.08", "８ September ２０２１",
	} {
		if got := datesIn("x: "+text+" – more", unknownOrder); len(got) != 1 || got[0].iso != "2021-09-08" {
			t.Errorf("%q: %v", text, got)
		}
	}
	for _, text := range []string{"8 people may 2021", "31 February 2021", "chapter 8, 2021", "8 marketing 2021", "2021-13-08", "September 2021", "call 555-08-2021"} {
		if got := datesIn(text, unknownOrder); len(got) != 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Every month has a name in each of these languages.
func TestMonths(t *testing.T) {
	for _, year := range []string{
		"january february march april may june july august september october november december", "jan feb mar apr may jun jul aug sep oct nov dec",
		"januar februar märz april mai juni juli august september oktober november dezember", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro", "januari februari maart april mei juni juli augustus september oktober november december",
		"января февраля марта апреля мая июня июля августа сентября октября ноября декабря", "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
		"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia", "ledna února března dubna května června července srpna září října listopadu prosince",
		"ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık", "januari februari maret april mei juni juli agustus september oktober november desember",
		"يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر", "január február március április május június július augusztus szeptember október november december",
		"tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
	} {
		for i, name := range strings.Fields(year) {
			if got := month(name); got != i+1 {
				t.Errorf("%s: %d, want %d", name, got, i+1)
			}
		}
	}
}

func TestDatesInAddresses(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for path, want := range map[string][2]string{
		"/2021/09/08/a-title":     {"2021-09-08", "2021-09"},
		"/2021/sep/08/a-title":    {"2021-09-08", ""},
		"/news/2021-09-08-title":  {"2021-09-08", ""},
		"/20210908/title.html":    {"2021-09-08", ""},
		"/2021/09/title":          {"", "2021-09"},
		"/2021/9/title":           {"", ""},
		"/item/20219999/title":    {"", ""},
		"/2031/09/08/a-title":     {"", ""},
		"/1881/09/08/a-title":     {"", ""},
		"/2021/90/08/a-title":     {"", ""},
		"/best-of-2021-10-kettle": {"", ""},
		"":                        {"", ""},
	} {
		u := &url.URL{Scheme: "https", Host: "example.org", Path: path}
		if got := [2]string{inAddress(u, now), monthInAddress(u, now)}; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// What a page shows counts only near its title, and only if it is about its text.
func TestShownDates(t *testing.T) {
	far := "<p>" + strings.Repeat("Many words of prose follow here. ", 80) + "</p>"
	for _, c := range []struct{ name, page, published, modified string }{
		{"beside the byline", `<h1>The heading</h1><p>By Ann | September 8, 2021 | 5 min read</p>`, "2021-09-08", ""},
		{"of a change", `<h1>The heading</h1><p>Published Sep 8, 2021 · Updated May 3, 2023</p>`, "2021-09-08", "2023-05-03"},
		{"only of a change", `<h1>The heading</h1><p>Last updated: May 3, 2023</p>`, "", "2023-05-03"},
		{"time", `<h1>The heading</h1><time datetime="2021-09-08T10:00:00Z">Wednesday</time>`, "2021-09-08T10:00:00Z", ""},
		{"nearer than another", `<div><time datetime=2020-01-01></time></div><h1>The heading</h1><time datetime=2021-09-08></time><div><time datetime=2022-01-01></time></div>`, "2021-09-08", ""},
		{"before the title", `<p>8. September 2021</p><h1>The heading</h1>`, "2021-09-08", ""},
		{"in the article's footer", `<article><h1>The heading</h1><footer>March 30, 2023</footer></article>`, "2023-03-30", ""},
		{"split in parts", `<h1>The heading</h1><p><b>Sep</b> <i>8</i>, <b>2021</b></p>`, "2021-09-08", ""},
		{"of microdata", `<h1>The heading</h1>` + `<span itemprop=datePublished content=2021-09-08>long ago</span>`, "2021-09-08", ""},
		{"of a microformat", `<h1>The heading</h1><time class=dt-published datetime="2021-09-08 10:00">x</time>`, "2021-09-08T10:00:00", ""},
		{"a member's", `<h1>The heading</h1><p>Joined: September 8, 2021</p>`, "", ""},
		{"of the site's law", `<h1>The heading</h1><p>© September 8, 2021 Ann</p>`, "", ""},
		{"of comments", `<h1>The heading</h1><div id=comments><time datetime=2021-09-08></time></div>`, "", ""},
		{"of related pages", `<h1>The heading</h1><aside><time datetime=2021-09-08></time></aside><div class=related-posts>September 8, 2021</div>`, "", ""},
		{"in prose", `<h1>The heading</h1><p>` + strings.Repeat("A long line of prose. ", 9) + `September 8, 2021</p>`, "", ""},
		{"far below", `<h1>The heading</h1>` + far + `<p>September 8, 2021</p>`, "", ""},
		{"of the future", `<h1>The heading</h1><p>September 8, 2999</p>`, "", ""},
		{"before the web", `<h1>The heading</h1><p>September 8, 1821</p>`, "", ""},
		{"in English numbers", `<html lang=en-GB><h1>The heading</h1><p>09/08/2021</p>`, "2021-08-09", ""},
		{"declared wins", `<meta name=citation_date content="2019/2/3"><h1>The heading</h1><p>September 8, 2021</p>`, "2019-02-03", ""},
		{"declared but unreadable", `<meta name=date content="a while ago"><h1>The heading</h1><p>September 8, 2021</p>`, "2021-09-08", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if m := of(t, c.page); m.Published != c.published || m.Modified != c.modified {
				t.Errorf("published %q, modified %q; want %q, %q", m.Published, m.Modified, c.published, c.modified)
			}
		})
	}
}

// A page of nothing but marks, and one of a single long line, take little time.
func TestEndlessMarks(t *testing.T) {
	for _, page := range []string{
		"<h1>The heading</h1>" + strings.Repeat("<div class='author date'>", 400) + strings.Repeat("<time class=author>x</time>", 20000),
		"<h1>The heading</h1><pre>" + strings.Repeat("8 September 2021 By Ann ", 200000),
		strings.Repeat("<h1 class=date itemprop=author>", 30000),
	} {
		if m := of(t, page); m.Published != "" {
			t.Errorf("published %q", m.Published)
		}
	}
}

// What is read as a date is one in ISO 8601, and no text makes the parser fail.
func FuzzDate(f *testing.F) {
	for _, s := range []string{"2021-09-08T10:00:00+02:00", "8 de septiembre de 2021", "2021年9月8日", "٨ سبتمبر ٢٠٢١", "May 2024", "İ 8 Eylül 2021", "1714557600", "8/9/2021 \xff", "20210908"} {
		f.Add(s, uint8(1))
	}
	f.Fuzz(func(t *testing.T, s string, o uint8) {
		check := func(iso string) {
			for _, layout := range []string{"2006", "2006-01", time.DateOnly, local, time.RFC3339} {
				if _, err := time.Parse(layout, iso); err == nil {
					return
				}
			}
			t.Errorf("%q became %q", s, iso)
		}
		if iso := date(s, order(o%3)); iso != "" {
			check(iso)
		}
		end := 0
		for _, d := range datesIn(s, order(o%3)) {
			check(d.iso)
			if d.start < end || d.end <= d.start {
				t.Errorf("%q: %v", s, d)
			}
			end = d.end
		}
	})
}
