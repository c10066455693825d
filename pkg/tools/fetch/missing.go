package fetch

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
)

// missing warns of a page that, by its title, says that there is none, while the
// status says that all is well.
func (result *Result) missing() fault.Text {
	if result.TotalChars > limit.PageMissing || !saysMissing(result.Title) {
		return fault.Text{}
	}
	return fault.T("the title is %q: this is likely no page but word that it is not there, although the server says HTTP %d", "标题为 %q：这很可能不是正文，而是页面不存在的提示，尽管服务器返回 HTTP %d", result.Title, result.Status)
}

// saysMissing reports whether a title, or a part of it beside the site's name, says
// that there is no such page, and nothing else.
func saysMissing(title string) bool {
	parts := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return strings.ContainsRune("|-–—·:»!?.,()（）。！", r) })
	for _, part := range parts {
		words := strings.TrimSpace(part)
		words = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(words, "error"), "error"))
		words = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(words, "http "), "404"))
		switch words {
		case "", "not found", "page not found", "file not found", "the page was not found", "this page could not be found", "page does not exist", "page doesn't exist", "this page doesn't exist",
			"seite nicht gefunden", "page introuvable", "page non trouvée", "página no encontrada", "pagina non trovata", "страница не найдена",
			"页面不存在", "页面未找到", "找不到页面", "未找到页面", "找不到網頁", "ページが見つかりません", "페이지를 찾을 수 없습니다":
			if words != "" || strings.Contains(part, "404") {
				return true
			}
		}
	}
	return false
}
