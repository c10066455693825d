package extract

import "strings"

// role is a set of parts that an element may play, by the words of its class or id.
type role uint8

const (
	boilerplate role = 1 << iota // surrounds the content on every page of the site
	suspect                      // boilerplate unless it holds prose
	remarks                      // comments of readers under an article
	reviews                      // reviews of a product by buyers
	poster                       // a forum's details about the author of a post
	unseen                       // for screen readers, or not shown at all
	placed                       // named for its place in something larger, such as a footer
	notice                       // what every page of a site says, such as that it sets cookies
)

// roleOf returns the role that a class or an id stands for.
func roleOf(name string) role {
	var r role
	words := strings.Fields(strings.ToLower(name))
	shown := false // on some screens
	for _, w := range words {
		if _, display, ok := strings.Cut(w, ":"); ok {
			switch display {
			case "block", "flex", "grid", "inline", "inline-block", "inline-flex", "table", "not-sr-only":
				shown = true
			}
		}
		if strings.HasPrefix(w, "d-") && strings.Count(w, "-") == 2 && !strings.HasSuffix(w, "-none") {
			shown = true
		}
		r |= roleOfWord(w)
	}
	if shown {
		r &^= unseen
	}
	return r
}

func roleOfWord(word string) role {
	switch word {
	case "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screenreader", "screen-reader-only", "u-sronly", "show-for-sr",
		"d-none", "hidden", "is-hidden", "hide", "ipshide", "u-hidden", "display-none", "element-invisible", "noprint", "print-only", "skip-link", "skip-to-content":
		return unseen
	case "widget", "ad", "ads", "site-header", "top-bar", "topbar", "announcement-bar":
		return suspect
	}
	var r role
	parts := strings.FieldsFunc(word, func(c rune) bool { return c == '-' || c == '_' || c == ':' || c == '.' })
	for i, p := range parts {
		r |= roleOfPart(p)
		if i == len(parts)-1 || i == 0 {
			r |= roleOfEnd(p)
		}
		if i > 0 {
			r |= roleOfPair(parts[i-1], p)
		}
	}
	return r
}

// roleOfPart returns the role that a part of a word stands for wherever it is.
func roleOfPart(p string) role {
	switch p {
	case "cookie", "cookies", "gdpr", "newsletter", "outbrain", "taboola", "adsbygoogle", "advert", "advertisement", "advertising":
		return boilerplate | notice
	case "navbar", "navbox", "catlinks", "ambox", "sistersitebox", "subnav", "megamenu", "breadcrumb", "breadcrumbs", "sharedaddy", "pagination", "paginator", "skiplink", "masthead", "offcanvas",
		"colophon", "socials", "sharebar", "sharethis", "addtoany", "facets", "facet", "minicart", "addthis", "crosssell", "upsell", "upsells", "toc":
		return boilerplate
	case "comments", "respond", "commentlist", "disqus":
		return remarks
	case "reviews", "testimonials", "bazaarvoice", "bvseo", "bvrrcontainer", "yotpo", "jdgm", "judgeme", "trustpilot", "okendo", "powerreviews", "stamped", "loox", "reevoo", "feefo":
		return reviews
	case "avatar", "avatars", "userextras", "usertitle", "userbanner", "signature", "lastedit", "lastedited", "postedit", "reactions",
		"reactionsbar", "actionbar", "extrauserinfo", "userblurb", "postnumber", "postcounter", "imlinks", "onlinestatus", "memberaction", "postfoot", "userinfo", "userstats", "poststats",
		"authorstats", "authorfields", "ctopicoverviewcontainer":
		return poster
	}
	return 0
}

// roleOfEnd returns the role that the first or the last part of a word stands for.
func roleOfEnd(p string) role {
	switch p {
	case "footer", "overlay":
		return suspect | placed
	case "nav", "navigation", "menu", "submenu", "sidebar", "subscribe", "signup", "share", "sharing", "social", "related",
		"recommended", "recommendations", "sponsored", "promo", "popup", "modal", "toolbar", "login", "tooltip", "copyright",
		"filters", "filter", "sorting", "sortby", "pager", "dropdown", "banner", "optin", "drawer", "backlink", "crumbs", "rail":
		return suspect
	}
	return 0
}

// roleOfPair returns the role that two neighbouring parts of a word stand for.
func roleOfPair(a, b string) role {
	switch a + " " + b {
	case "profile posts", "profile joined", "profile rank", "profile contact":
		return poster
	case "related posts", "related articles", "related products", "related content", "social share", "share buttons", "social links", "social icons",
		"site footer", "page footer", "site header", "global footer", "global header", "main nav", "site nav", "back top", "cross sell", "recently viewed",
		"you may", "post navigation", "nav links", "sign up", "email signup", "author bio", "about author", "author box":
		return boilerplate
	}
	return 0
}

// announcesBoilerplate reports whether a heading announces boilerplate, and whether it
// never heads content.
func announcesBoilerplate(heading string) (announced, sure bool) {
	heading = strings.Trim(strings.ToLower(heading), " :.!?…")
	if len(heading) > 60 {
		return false, false
	}
	for _, h := range [...]string{"related", "recommended", "similar", "more from"} {
		if strings.HasPrefix(heading, h) {
			return true, false
		}
	}
	for _, h := range [...]string{
		"you may also", "you might also", "recently viewed", "customers also", "customers who", "people also", "more like this",
		"share this", "leave a reply", "leave a comment", "post a comment", "subscribe to", "sign up for", "join our newsletter", "follow us", "popular posts",
		"most popular", "most read", "trending now", "frequently bought together", "read next", "up next", "keep reading",
		"continue reading", "what to read next", "latest posts", "recent posts", "users who are viewing", "top posters in this", "recently browsing", "stay connected", "stay up to date", "advertisement", "newsletter", "other articles", "more stories",
		"ähnliche", "das könnte", "verwandte artikel", "articles similaires", "à lire aussi", "vous aimerez", "artículos relacionados", "también te puede", "articoli correlati",
		"相关文章", "相关推荐", "推荐阅读", "関連記事", "похожие", "читайте также",
	} {
		if strings.HasPrefix(heading, h) {
			return true, true
		}
	}
	return false, false
}

// isNumber reports whether a text is the number of a post, as in #17 or Post #3 of 7.
func isNumber(text string) bool {
	text = strings.TrimPrefix(strings.ToLower(text), "post ")
	digits, ok := strings.CutPrefix(text, "#")
	digits, all, _ := strings.Cut(digits, " of ")
	return ok && digits != "" && strings.Trim(digits+all, "0123456789") == ""
}

// numberChars is the longest number of a post, in characters.
const numberChars = 20

const (
	controlChars = 40  // characters of the longest label of a control
	noticeChars  = 600 // characters of the longest notice
)

// isNotice reports whether a text is the site's notice about cookies or about the
// licence of its pages.
func isNotice(text string) bool {
	low := strings.ToLower(text)
	for _, b := range [...]string{
		"this site uses cookies", "this website uses cookies", "we use cookies", "we and our partners use cookies", "our site uses cookies", "our website uses cookies",
		"except as otherwise noted, the content of this page is licensed", "text is available under the creative commons",
		"by using this site, you agree", "by continuing to use this site", "by using this website, you agree",
		"diese website verwendet cookies", "diese seite verwendet cookies", "wir verwenden cookies", "ce site utilise des cookies", "nous utilisons des cookies",
		"este sitio utiliza cookies", "este sitio web utiliza cookies", "utilizamos cookies", "questo sito utilizza i cookie", "deze website gebruikt cookies",
		"este site utiliza cookies", "мы используем cookie", "本网站使用cookie", "本网站使用 cookie", "当サイトではcookie",
	} {
		if strings.HasPrefix(low, b) {
			return true
		}
	}
	return false
}

// isControl reports whether a short text is the label of a control.
func isControl(text string) bool {
	switch strings.Trim(strings.ToLower(text), " :.!…»›→>|+") {
	case "add to cart", "add to bag", "add to basket", "add to wishlist", "add to compare", "buy now", "quick view", "quick shop", "choose options", "select options",
		"share", "share this", "tweet", "print", "print view", "email this", "copy link", "save", "like", "reply", "report", "flag", "hide", "follow", "subscribe", "log in", "login",
		"sign in", "sign up", "register", "sort by", "filter", "filters", "clear all", "reset", "show more", "show less", "click to expand", "click to collapse", "load more", "read more", "see more",
		"view all", "see all", "close", "menu", "search", "skip to content", "skip to main content", "back to top", "advertisement", "advertising", "ad", "sponsored", "loading", "loading...",
		"next", "previous", "prev", "permalink", "offline", "online", "quote", "code: select all", "select all", "edit this page", "edit", "copy", "copy code", "copied", "expand", "collapse", "play", "pause":
		return true
	}
	return false
}
