package imported

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// unkept says in what the data of a result differs from the schema that the server gave
// for it; the zero text if it does not. A schema that needs others from elsewhere, or has
// patterns in another dialect, promises nothing that could be checked.
func (i *imported) unkept(data json.RawMessage) fault.Text {
	const most = 200 // characters of a reason
	if len(i.tool.Output) == 0 {
		return fault.Text{}
	}
	if data == nil {
		return fault.T("%s returned no data, though %s says that it does", i.tool.As, i.server.Name)
	}
	var promised jsonschema.Schema
	var value any
	if json.Unmarshal(i.tool.Output, &promised) != nil || json.Unmarshal(data, &value) != nil {
		return fault.Text{}
	}
	resolved, err := promised.Resolve(nil)
	if err != nil {
		return fault.Text{}
	}
	if err := resolved.Validate(value); err != nil {
		return fault.T("the data of %s is not as %s says: %s", i.tool.As, i.server.Name, schema.Printable(err.Error(), most))
	}
	return fault.Text{}
}
