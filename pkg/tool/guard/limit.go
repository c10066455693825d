package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// maxResult is the largest result, in bytes of JSON. Tools have limits of their own;
// this one holds if a tool is wrong.
const maxResult = 64 << 20

// bound encodes the result, and refuses one that is too large to read.
func bound(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		result, err := next(ctx, c)
		if err != nil {
			return nil, err
		}
		var size int
		if long, ok := result.(schema.Streamer); ok {
			size, err = lengthOf(long)
		} else {
			c.JSON, err = schema.Marshal(result)
			size = len(c.JSON)
		}
		if err != nil {
			return nil, err
		}
		if size > maxResult {
			return nil, fault.New(fault.TooLarge, fault.T("the result has %d bytes; the limit is %d", size, maxResult)).
				WithHint(fault.T("ask for less: a smaller limit or a narrower path"))
		}
		return result, nil
	}
}

// lengthOf returns how many bytes a result takes, or a bound below the limit.
func lengthOf(long schema.Streamer) (int, error) {
	if most := long.MostJSON(); most <= maxResult {
		return most, nil
	}
	return schema.Length(long)
}
