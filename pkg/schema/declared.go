package schema

import (
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
)

// Argument is an argument as another system declares it.
type Argument struct {
	Name     string // any text
	Schema   []byte // in the subset of [FromJSON]
	Required bool
}

// Declared makes an Object of arguments that another system declares, in their order. The
// pointers of flaws begin with the number of the argument, from 0; the Object is nil if there
// are any. It decodes into a [Kept], and refuses what it does not declare.
func Declared(arguments []Argument) (*Object, []Flaw) {
	r, o := &reader{}, &Object{}
	for i, a := range arguments {
		at := "/" + strconv.Itoa(i)
		v, err := parse(a.Schema)
		if err != nil {
			r.flaw(at, fault.As(err).Message)
			continue
		}
		f := r.field(at, a.Name, v, 0)
		f.Required = a.Required
		o.Fields = append(o.Fields, f)
	}
	if len(r.flaws) > 0 {
		return nil, r.flaws
	}
	o.keepAsWritten()
	return o, nil
}

// keepAsWritten has an Object and those in it decode into a [Kept], under the names that they
// have.
func (o *Object) keepAsWritten() {
	o.kept, o.closed = true, true
	for i := range o.Fields {
		f := &o.Fields[i]
		f.source = f.Name
		t := &f.Type
		for t.Kind == Array {
			t = t.Items
		}
		if t.Kind == Map {
			t.Object.keepAsWritten()
		}
	}
}
