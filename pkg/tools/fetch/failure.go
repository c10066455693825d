package fetch

import (
	"net/url"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/web"
)

// failed are the details of the fault of a status. The beginning of the body often
// says what is wrong.
type failed struct {
	web.Failure
	MIME string `json:"mime,omitzero"`
	Body string `json:"body,omitzero"`
}

// excerptChars limits the characters quoted of a failed response.
const excerptChars = 2000

// failure returns the fault of a status that is not one of success; else nil.
func failure(r *web.Response, final *url.URL) error {
	err := r.Err()
	if err == nil {
		return nil
	}
	e := fault.As(err)
	details := failed{MIME: r.MIME}
	if about, ok := e.Details.(web.Failure); ok {
		details.Failure = about
	}
	if k := kindOf(r, final); k.text && len(r.Body) > 0 {
		d, err := page.Read(page.Source{Text: r.Text().Text, MIME: k.MIME, URL: final}, page.Options{Format: page.Markdown})
		if err == nil {
			if part, err := d.Part(0, excerptChars); err == nil {
				details.Body = part.Content
			}
			if d.Wall != "" && len(d.Warnings) > 0 {
				_ = e.WithHint(d.Warnings[0])
			}
		}
	}
	return e.WithDetails(details)
}
