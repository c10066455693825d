package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"

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

// found is the content of a response.
type found struct {
	results   []Result
	corrected string
	direct    *Direct
	silent    []string   // engines behind this one that did not answer, and why
	next      url.Values // the hidden values of a form for the next page; nil if there is none
	begins    int        // the number of the first result there
	lite      bool       // that form is of DuckDuckGo's plainer page
}

// add adds what the next page holds.
func (f *found) add(next found) {
	f.results = append(f.results, next.results...)
	f.corrected = cmp.Or(f.corrected, next.corrected)
	f.direct = cmp.Or(f.direct, next.direct)
	f.silent = append(f.silent, next.silent...)
}

// directly returns an answer, nil without a text.
func directly(title, text, source string) *Direct {
	if text == "" {
		return nil
	}
	return &Direct{title, text, source}
}

// list reads a response that is an object with a list named results, which may be
// empty.
func list[T any](r *web.Response, result func(T) Result) (found, error) {
	var body struct {
		Results *[]T `json:"results"`
	}
	if err := decode(r, &body); err != nil {
		return found{}, err
	}
	if body.Results == nil {
		return found{}, errForeign
	}
	var f found
	for _, one := range *body.Results {
		f.results = append(f.results, result(one))
	}
	return f, nil
}

// complaint is a service's description of an error, in JSON.
type complaint struct {
	message string   // for people; "" if there is none
	codes   []string // for programs, such as RATE_LIMITED
}

// maxComplaint limits the depth to which the JSON of a complaint is read.
const maxComplaint = 6

// complaintIn reads a complaint from the JSON of a response.
func complaintIn(body []byte) complaint {
	var c complaint
	c.read(body, maxComplaint)
	return c
}

// read takes the codes at any depth and the first message.
func (c *complaint) read(body []byte, deep int) {
	if deep == 0 {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil {
		for _, one := range list[:min(len(list), maxComplaint)] {
			c.read(one, deep-1)
		}
		return
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(body, &all) != nil {
		return
	}
	for _, name := range []string{"code", "tag", "reason", "status"} {
		var code string
		if json.Unmarshal(all[name], &code) == nil && code != "" {
			c.codes = append(c.codes, code)
		}
	}
	for _, name := range []string{"error", "errors", "detail", "details", "message", "description"} {
		var words string
		if json.Unmarshal(all[name], &words) != nil {
			c.read(all[name], deep-1)
		} else if c.message == "" {
			c.message = words
		}
	}
}
