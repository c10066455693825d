package extract

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Wall is a barrier between the reader and the page.
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

// signs are features that, with its text, identify a page as a wall.
type signs struct {
	title    string
	scripts  string // addresses and beginnings of scripts
	password bool
	count    int // of scripts
	frames   string
	pages    []string // addresses of the frames that show other pages
	target   string   // address that a script leads to, as it is written there
	mount    bool     // an element waits for the application to fill it
	part     bool     // a custom element does
	module   bool     // a script is a module
	media    bool     // there is something to see or to fill in
	demand   bool     // a noscript element says that there is nothing without scripts
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
		s.look(n)
		switch n.DataAtom {
		case atom.Title:
			if s.title == "" && n.FirstChild != nil {
				s.title = strings.ToLower(dom.Text(n))
			}
		case atom.Script:
			if !runs(n) {
				continue
			}
			s.count++
			s.module = s.module || strings.EqualFold(dom.Attr(n, "type"), "module")
			b.WriteString(dom.Attr(n, "src") + "\n")
			if n.FirstChild != nil && b.Len() < 64<<10 {
				text := n.FirstChild.Data[:min(len(n.FirstChild.Data), 4<<10)]
				b.WriteString(text)
				if s.target == "" {
					s.target = scriptTarget(text)
				}
			}
		case atom.Input:
			s.password = s.password || strings.EqualFold(dom.Attr(n, "type"), "password")
		case atom.Iframe, atom.Frame:
			f.WriteString(dom.Attr(n, "src") + "\n")
			if isFrame(n) && len(s.pages) < maxFrames {
				s.pages = append(s.pages, dom.Attr(n, "src"))
			}
		}
	}
	s.scripts, s.frames = strings.ToLower(b.String()), strings.ToLower(f.String())
	return s
}

// maxFrames limits the frames of a page that are listed.
const maxFrames = 10

// runs reports whether a script element holds a script, and not data.
func runs(n *html.Node) bool {
	kind := strings.ToLower(dom.Attr(n, "type"))
	return kind == "" || kind == "module" || strings.Contains(kind, "javascript") || strings.Contains(kind, "ecmascript") || strings.HasSuffix(kind, "-text/javascript")
}

// isFrame reports whether n shows another page, and not an advertisement or nothing.
func isFrame(n *html.Node) bool {
	src := strings.ToLower(strings.TrimSpace(dom.Attr(n, "src")))
	tiny := func(key string) bool { v := strings.TrimSuffix(dom.Attr(n, key), "px"); return v == "0" || v == "1" }
	return src != "" && !strings.HasPrefix(src, "about:") && !strings.HasPrefix(src, "javascript:") && !strings.HasPrefix(src, "data:") && !strings.HasPrefix(src, "blob:") &&
		(dom.Is(n, atom.Frame) || !tiny("width") && !tiny("height") && !isHidden(n)) &&
		!dom.ContainsAny(src, "googletagmanager", "doubleclick", "recaptcha", "hcaptcha", "captcha-delivery", "facebook.com/tr", "googlesyndication", "_incapsula_resource")
}

// wall returns the wall of a page at an address that shows only n and has these signs.
func (s *signs) wall(shown *html.Node, address *url.URL) Wall {
	text := dom.Text(shown)
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
	case s.password && (n < 250 || isLogin(s.title)),
		n < 300 && (isLogin(s.title) || s.password && asksLogin(address)):
		return LoginWall
	case s.isShell(low, n, n-linked(shown)):
		return ScriptWall
	}
	return NoWall
}

// isLogin reports whether a title, in lower case, belongs to a login page.
func isLogin(title string) bool {
	return dom.ContainsAny(title, "sign in", "signin", "log in", "login", "log on", "anmelden", "anmeldung", "einloggen", "connexion", "se connecter", "iniciar sesión", "acceder", "accedi",
		"entrar", "inloggen", "logga in", "zaloguj", "войти", "вход", "登录", "登入", "登錄", "ログイン", "로그인", "تسجيل الدخول")
}

// asksLogin reports whether a page to log in is at an address.
func asksLogin(address *url.URL) bool {
	for part := range strings.SplitSeq(strings.ToLower(address.Path), "/") {
		switch name, _, _ := strings.Cut(part, "."); name {
		case "login", "signin", "sign-in", "sign_in", "log-in", "logon", "auth", "sso", "oauth", "authorize", "account-login":
			return true
		}
	}
	return false
}

// linked returns how many characters of n are in links and labels of controls.
func linked(n *html.Node) int {
	if dom.Is(n, atom.A, atom.Button, atom.Label) {
		return chars(n)
	}
	sum := 0
	for c := range n.ChildNodes() {
		sum += linked(c)
	}
	return sum
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
