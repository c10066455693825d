package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Complaint is an error that a page reports although it was sent with a status of success.
type Complaint string

// The complaints.
const (
	NoComplaint Complaint = ""
	Missing     Complaint = "missing" // there is no such page
	Failed      Complaint = "failed"  // the site could not make the page
)

// The longest pages that may be nothing but a complaint.
const (
	complaintChars = 1500 // of a page whose title or first heading says that it is missing
	failedChars    = 600  // of one whose title or first heading says that something failed
	bareChars      = 400  // of one that has neither
	complaintShare = 0.6  // of a title, in letters, is the complaint
)

// complaintOf returns the complaint of a page with this title and the content n.
// It is conservative: a page that writes about errors at some length has content.
func complaintOf(title string, n *html.Node) Complaint {
	text := dom.Text(n)
	length := utf8.RuneCountInString(text)
	if length > complaintChars {
		return NoComplaint
	}
	said := []string{title}
	for d := range n.Descendants() {
		if dom.Heading(d) > 0 {
			said = append(said, dom.Text(d))
			if len(said) == 3 { // the second heading often explains the first, such as 404
				break
			}
		}
	}
	for _, s := range said {
		if c := complains(s); c == Missing || c == Failed && length <= failedChars {
			return c
		}
	}
	if length > bareChars {
		return NoComplaint
	}
	sentence, _, _ := strings.Cut(text, ". ")
	return complains(sentence)
}

// complains returns the complaint that a part of a title makes, if that part says
// little else.
func complains(title string) Complaint {
	title = strings.ReplaceAll(strings.ToLower(title), "’", "'")
	parts := append(strings.FieldsFunc(title, func(r rune) bool {
		switch r {
		case '|', '·', '•', '—', '–', '»', '«', ':', '!', '?', '…', '，', '。', '！':
			return true
		}
		return false
	}), strings.Split(title, " - ")...)
	for _, part := range parts {
		part = strings.Trim(part, " .-–—\"'“”()[]")
		switch strings.Trim(part, " 0123456789.-–()") {
		case "not found", "nicht gefunden", "no encontrado", "non trouvé", "не найдено", "未找到":
			return Missing
		case "server error", "application error", "serverfehler", "erreur serveur", "error del servidor":
			return Failed
		}
		switch part {
		case "404", "410", "error 404", "404 error", "http 404", "fehler 404", "erreur 404", "error 410":
			return Missing
		case "500", "502", "503", "504", "error 500", "500 error", "error 502", "error 503", "error 504", "http 500", "http 503":
			return Failed
		}
		switch {
		case complete(part, missing[:]):
			return Missing
		case complete(part, failing[:]):
			return Failed
		}
	}
	return NoComplaint
}

// complete reports whether s is little more than one of the phrases, numbers
// apart.
func complete(s string, phrases []string) bool {
	total := countLetters(s)
	for _, p := range phrases {
		if strings.Contains(s, p) && float64(countLetters(p)) >= complaintShare*float64(total) {
			return true
		}
	}
	return false
}

func countLetters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			n++
		}
	}
	return n
}

var missing = [...]string{
	"page not found", "page was not found", "page could not be found", "page cannot be found", "page can't be found", "page couldn't be found", "page can not be found",
	"couldn't find that page", "can't find that page", "couldn't find this page", "can't find this page", "couldn't find the page", "can't find the page", "cannot find the page", "could not find the page",
	"can't seem to find the page", "the page you are looking for", "the page you were looking for", "the page you requested", "the page you're looking for", "the requested url was not found on this server",
	"page doesn't exist", "page does not exist", "page no longer exists", "page has been removed", "page is no longer available", "page isn't available", "page is not available", "page unavailable", "content not found",
	"document not found", "file not found", "resource not found", "article not found", "product not found", "the page is missing", "nothing was found here",
	"seite nicht gefunden", "seite wurde nicht gefunden", "seite konnte nicht gefunden werden", "seite existiert nicht",
	"page introuvable", "page non trouvée", "page demandée n'existe pas", "page n'existe pas", "cette page est introuvable",
	"página no encontrada", "no se encontró la página", "no se ha encontrado la página", "la página no existe", "esta página no existe",
	"página não encontrada", "a página não existe", "pagina non trovata", "la pagina non esiste", "pagina niet gevonden", "de pagina bestaat niet",
	"sidan hittades inte", "sidan kunde inte hittas", "siden blev ikke fundet", "siden ble ikke funnet", "siden findes ikke", "fant ikke siden", "sivua ei löytynyt", "sivua ei löydy",
	"strona nie została znaleziona", "nie znaleziono strony", "strona nie istnieje", "stránka nenalezena", "stránka nebyla nalezena", "stránka sa nenašla", "az oldal nem található", "pagina nu a fost găsită", "pagina nu există",
	"sayfa bulunamadı", "η σελίδα δεν βρέθηκε", "страница не найдена", "страница не существует", "сторінку не знайдено", "страницата не е намерена",
	"页面不存在", "页面未找到", "找不到页面", "未找到页面", "您访问的页面不存在", "页面找不到了", "网页不存在", "頁面不存在", "找不到頁面", "找不到網頁", "找不到此頁面",
	"ページが見つかりません", "ページが見つかりませんでした", "お探しのページは見つかりません", "指定されたページは存在しません", "페이지를 찾을 수 없습니다", "존재하지 않는 페이지",
	"الصفحة غير موجودة", "لم يتم العثور على الصفحة", "הדף לא נמצא", "halaman tidak ditemukan", "không tìm thấy trang", "trang không tồn tại", "ไม่พบหน้า",
}

var failing = [...]string{
	"internal server error", "service unavailable", "service temporarily unavailable", "temporarily unavailable", "bad gateway", "gateway timeout", "gateway time-out",
	"error establishing a database connection", "web server is down", "an error occurred while processing your request", "an error has occurred", "an unexpected error occurred", "something went wrong",
	"under maintenance", "down for maintenance", "site maintenance", "scheduled maintenance",
	"interner serverfehler", "wartungsarbeiten", "ein fehler ist aufgetreten", "erreur interne du serveur", "site en maintenance", "une erreur est survenue",
	"error interno del servidor", "ha ocurrido un error", "sitio en mantenimiento", "erro interno do servidor", "ocorreu um erro", "errore interno del server", "servizio non disponibile", "er is een fout opgetreden",
	"внутренняя ошибка сервера", "произошла ошибка", "服务器内部错误", "服务器错误", "系统维护", "網站維護", "伺服器錯誤", "サーバーエラー", "内部サーバーエラー", "メンテナンス中", "서버 오류",
}
