package provider

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/helve-dev/helve/pkg/web"
)

// errForeign is the error for a response that is not one of the service.
var errForeign = errors.New("not the answer of this service")

// decode reads the JSON of a response.
func decode(r *web.Response, into any) error {
	if json.Unmarshal(r.Body, into) != nil {
		return errForeign
	}
	return nil
}

// list reads a response that is an object with a list named results, which may be
// empty.
func list[T any](r *web.Response, result func(T) Result) ([]Result, error) {
	var body struct {
		Results *[]T `json:"results"`
	}
	if err := decode(r, &body); err != nil {
		return nil, err
	}
	if body.Results == nil {
		return nil, errForeign
	}
	var found []Result
	for _, one := range *body.Results {
		found = append(found, result(one))
	}
	return found, nil
}

// message returns the message in the JSON of a failure.
func message(body []byte) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(body, &all) != nil {
		return ""
	}
	for _, name := range []string{"error", "detail", "message", "description"} {
		var words string
		if json.Unmarshal(all[name], &words) == nil && words != "" {
			return words
		}
		if inner := message(all[name]); inner != "" {
			return inner
		}
	}
	return ""
}

// hide replaces the secrets in a foreign text.
func hide(text string, secrets []string) string {
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, "***")
	}
	return text
}
