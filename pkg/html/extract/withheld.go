package extract

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

const (
	teaserChars   = 4000 // characters of the longest content that may be a teaser
	offerChars    = 200  // of the longest line that offers the rest
	letterOfBody  = 40   // letters by which an article is known in the data of its page
	moreInData    = 1.2  // times the content that an article in the data has at least
	leastPassages = 3    // texts of the content that are looked for in the data
)

// linesOf returns the short texts of a body outside of links, one of which may offer the
// rest of the content to those who pay or log in.
func linesOf(n *html.Node, lines []string) []string {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode && len(c.Data) > offerChars/20 && len(c.Data) <= offerChars:
			lines = append(lines, c.Data)
		case c.Type == html.ElementNode && c.DataAtom != atom.A:
			lines = linesOf(c, lines)
		}
	}
	return lines
}

// isOffer reports whether a line offers the rest of an article, in the words of newspapers.
func isOffer(line string) bool {
	return dom.ContainsAny(strings.ReplaceAll(strings.ToLower(line), "’", "'"),
		"for subscribers only", "subscribers only", "subscriber-only", "subscriber exclusive", "exclusive to subscribers", "subscribe to continue", "subscribe now to continue", "subscribe to read", "subscribe to keep reading", "to continue reading this",
		"to continue reading, ", "to keep reading, ", "sign in to continue reading", "log in to continue reading", "to read the full article", "to read the full story", "unlock this article", "unlock the full article", "this post is for paid", "this post is for paying",
		"this content is for members", "become a member to read", "for paid subscribers", "for members only", "member-only story", "you have reached your limit of free articles", "you've reached your limit of free articles",
		"nur für abonnenten", "um weiterzulesen", "jetzt weiterlesen mit", "mit einem abo lesen", "exklusiv für abonnenten", "réservé aux abonnés", "réservé à nos abonnés", "lire la suite de l'article, abonnez", "abonnez-vous pour lire", "de cet article à lire",
		"exclusivo para suscriptores", "suscríbete para seguir leyendo", "suscríbase para seguir leyendo", "sólo para suscriptores", "solo para suscriptores", "exclusivo para assinantes", "assine para continuar lendo", "conteúdo exclusivo para assinantes",
		"riservato agli abbonati", "abbonati per leggere", "alleen voor abonnees", "om verder te lezen", "för att läsa vidare", "endast för prenumeranter", "kun for abonnenter", "vain tilaajille", "tylko dla prenumeratorów", "tylko dla subskrybentów",
		"pouze pro předplatitele", "только для подписчиков", "доступно по подписке", "доступен по подписке", "тільки для передплатників", "abonelere özel", "okumaya devam etmek için", "στους συνδρομητές",
		"订阅后继续阅读", "登录后阅读全文", "订阅后阅读全文", "付费后阅读", "開通會員閱讀", "会员专享全文", "訂閱後閱讀", "有料会員限定", "会員限定記事", "続きを読むには", "구독자 전용", "회원 전용 기사", "للمشتركين فقط", "đăng nhập để đọc tiếp", "khusus pelanggan", "berlangganan untuk membaca")
}

// fuller returns the article that the data of a page has, as a tree, if the page shows the
// beginning or a part of it and less than all; nil else.
func fuller(content *html.Node, texts []metadata.Text) *html.Node {
	shown := chars(content)
	for _, t := range texts {
		if !t.Article || float64(utf8.RuneCountInString(t.Body)) < moreInData*float64(shown) {
			continue
		}
		tree := treeOf([]metadata.Text{{Body: t.Body}})
		if float64(chars(tree)) >= moreInData*float64(shown) && hasPassages(letters(dom.Text(tree)), content) {
			removeInvisible(tree)
			return tree
		}
	}
	return nil
}

// hasPassages reports whether a text, in letters, has the longer texts of a content.
func hasPassages(text string, content *html.Node) bool {
	has, looked := 0, 0
	for d := range content.Descendants() {
		if d.Type != html.TextNode || dom.Length(d.Data) < proseChars {
			continue
		}
		looked++
		if passage := letters(d.Data); strings.Contains(text, passage[:min(len(passage), letterOfBody)]) {
			has++
		}
		if looked == leastPassages {
			break
		}
	}
	return has > 0 && 2*has >= looked
}
