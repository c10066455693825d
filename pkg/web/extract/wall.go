package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// Wall is what keeps the reader from the page.
type Wall string

// The walls.
const (
	NoWall      Wall = ""
	BotWall     Wall = "bot"     // a test whether the reader is human
	ConsentWall Wall = "consent" // a request to accept cookies first
	LoginWall   Wall = "login"
	ScriptWall  Wall = "script" // the page is empty until its scripts run
)

// wallChars is the longest page, in characters, that may be nothing but a wall.
const wallChars = 1500

// signs are what shows that a page is a wall, besides its text.
type signs struct {
	title    string
	scripts  string // addresses and beginnings of scripts
	password bool
	app      bool // an empty element that scripts fill
	count    int  // of scripts
	frames   string
}

// signsOf collects the signs of a page. It must run before [prepare], which
// removes them.
func signsOf(doc *html.Node) signs {
	var s signs
	var b, f strings.Builder
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Title:
			if s.title == "" && n.FirstChild != nil {
				s.title = strings.ToLower(dom.Text(n))
			}
		case atom.Script:
			s.count++
			b.WriteString(dom.Attr(n, "src") + "\n")
			if n.FirstChild != nil && b.Len() < 64<<10 {
				b.WriteString(n.FirstChild.Data[:min(len(n.FirstChild.Data), 4<<10)])
			}
		case atom.Input:
			s.password = s.password || strings.EqualFold(dom.Attr(n, "type"), "password")
		case atom.Iframe:
			f.WriteString(dom.Attr(n, "src") + "\n")
		case atom.Div, atom.Main, atom.Section:
			switch dom.Attr(n, "id") {
			case "root", "app", "__next", "__nuxt", "app-root", "react-root", "svelte", "ember-application", "gatsby-focus-wrapper", "main-app":
				s.app = s.app || dom.Text(n) == ""
			}
		default:
			s.app = s.app || n.Data == "app-root" && dom.Text(n) == ""
		}
	}
	s.scripts, s.frames = strings.ToLower(b.String()), strings.ToLower(f.String())
	return s
}

// wall returns what keeps the reader out of a page that shows only this text, in
// a page with these signs.
func (s *signs) wall(text string) Wall {
	n := len([]rune(text))
	if n > wallChars {
		return NoWall
	}
	low := strings.ToLower(text)
	switch {
	case s.isChallenge(low):
		return BotWall
	case s.isConsent(low):
		return ConsentWall
	case s.password && (n < 250 || dom.ContainsAny(s.title, "sign in", "log in", "login", "anmelden", "connexion", "登录")),
		n < 300 && dom.ContainsAny(s.title, "sign in", "log in", "login"):
		return LoginWall
	case n < 200 && (s.app || s.count > 0 && dom.ContainsAny(low, "javascript") || s.count >= 3 && n < 80):
		return ScriptWall
	}
	return NoWall
}

func (s *signs) isChallenge(low string) bool {
	return dom.ContainsAny(s.title, "just a moment", "attention required", "access denied", "pardon our interruption", "are you a robot", "are you human", "ddos-guard",
		"verify you are human", "security check", "robot check", "checking your browser", "making sure you're not a bot", "bot verification", "human verification", "captcha", "challenge validation") ||
		dom.ContainsAny(s.scripts, "_cf_chl_opt", "/cdn-cgi/challenge-platform/h/", "captcha-delivery.com", "px-captcha", "perimeterx", "awswafintegration", "window._phantom", "/_incapsula_resource", "anomaly.js") ||
		dom.ContainsAny(s.frames, "captcha-delivery.com", "/_incapsula_resource", "hcaptcha.com", "recaptcha/api2") && len(low) < 600 ||
		dom.ContainsAny(low, "checking your browser before", "enable javascript and cookies to continue", "verify you are human", "verifying you are human", "please verify you are a human", "press & hold",
			"unusual traffic from your", "our systems have detected unusual", "complete the security check", "i'm not a robot", "automated access to this", "you have been blocked", "ddos protection by", "performing security verification",
			"not a robot", "prove you are human", "select all squares containing", "bots use")
}

func (s *signs) isConsent(low string) bool {
	return dom.ContainsAny(s.title, "before you continue", "bevor sie fortfahren", "avant de continuer", "privacy settings", "cookie consent", "yahoo fa parte della famiglia") && dom.ContainsAny(low, "cookie") ||
		dom.ContainsAny(low, "cookie") && dom.ContainsAny(low, "accept all", "reject all", "alle akzeptieren", "tout accepter", "we value your privacy", "manage your consent", "aceptar todo") && len(low) < 1200
}
