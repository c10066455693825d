package page

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// Error pages that are sent with a status of success are recognised.
func TestComplaints(t *testing.T) {
	missing, failed := "says that it does not exist", "says that an error occurred"
	talk := strings.Repeat("<p>A server that cannot find what it is asked for says so, and how it says so is what this is about.</p>", 20)
	for source, want := range map[string]string{
		`<title>404 - Page not found | Example</title><p>Go to the start page.</p>`:                                          missing,
		`<title>Example</title><h1>404</h1><h2>Oops! This page doesn’t exist.</h2><p>Perhaps it has moved.</p>`:              missing,
		`<title>Not Found</title><body>Not Found`:                                                                            missing,
		`<title>404 Not Found</title><center><h1>404 Not Found</h1></center><hr><center>nginx</center>`:                      missing,
		`<title>Kettles</title><main><h1>Sorry, we can't find that page</h1><ul><li><a href=/>Home</a></ul></main>`:          missing,
		`<title>Seite nicht gefunden – Beispiel</title><h1>Hoppla</h1><p>Hier ist nichts.</p>`:                               missing,
		`<title>Exemple</title><h1>Page introuvable</h1>`:                                                                    missing,
		`<title>Página no encontrada - Ejemplo</title><p>Lo sentimos.</p>`:                                                   missing,
		`<title>Страница не найдена</title><p>Ошибка 404</p>`:                                                                missing,
		`<title>页面不存在 - 示例</title><p>返回首页</p>`:                                                                               missing,
		`<title>例</title><h1>お探しのページは見つかりませんでした。</h1>`:                                                                       missing,
		`<title>Example</title><body><div>Error 404</div>`:                                                                   missing,
		`<title>503 Service Temporarily Unavailable</title><h1>503 Service Temporarily Unavailable</h1>`:                     failed,
		`<title>Example</title><h1>Something went wrong</h1><p>Please try again later.</p>`:                                  failed,
		`<title>Wartungsarbeiten</title><p>Wir sind bald zurück.</p>`:                                                        failed,
		`<title>服务器内部错误</title><p>请稍后再试</p>`:                                                                                 failed,
		`<title>404 Not Found: what it means</title><h1>404 Not Found</h1>` + talk:                                           "",
		`<title>How a server says that a page was not found, and why</title><p>Short.</p>`:                                   "",
		`<title>Lost and not found</title><p>A poem.</p>`:                                                                    "",
		`<title>SQL server error 17</title><p>A note.</p>`:                                                                   "",
		`<title>Room 404</title><p>The room above 304.</p>`:                                                                  "",
		`<title>Kettles</title><h1>Kettles</h1><h2>Copper</h2><h2>Page not found</h2><p>The third heading of a short page.`:  "",
		`<title>Internal server error | Forum</title><meta name=generator content=Discourse><h1>Internal server error</h1>`:  "",
		`<title>Kettles</title><p>We looked for the page on kettles, and it was not found in the book that we had of her.`:   "",
		`<title>Service unavailable</title><h1>Service unavailable</h1>` + talk:                                              "",
		`<title>Example</title><p>This is the start page. Nothing else is here yet; the page not found is one of ours, too.`: "",
	} {
		d := read(t, Source{Text: source, MIME: "text/html"}, Options{Format: Markdown})
		var told []string
		for _, w := range d.Warnings {
			told = append(told, w.In(fault.English))
		}
		all := strings.Join(told, "; ")
		if want != "" && !strings.Contains(all, want) || want == "" && strings.Contains(all, "reports success") {
			t.Errorf("%.90s: %q, want %q", source, all, want)
		}
	}
}
