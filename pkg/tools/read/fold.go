package read

import (
	"context"
	"os"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/language"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/tool"
)

// foldedBytes limits the bytes of a text that are folded at once.
const foldedBytes = 16 << 20

// folded shows a text with lines that are alike only once. As most of its lines are not
// shown, the session record has none of them.
func folded(ctx context.Context, call *tool.Call, f *os.File, size int64, head []byte, r Result, a Args) (Result, error) {
	q := text.Request{Offset: a.Offset, MaxBytes: foldedBytes, Ranges: a.Range, Encoding: a.Encoding}
	p, err := text.Read(ctx, watch(call, f, size, a.Path), size, q)
	if err != nil {
		return Result{}, fault.System(err, a.Path)
	}
	r.Language = language.Of(a.Path, head)
	r.fill(p, false)
	all := strings.ReplaceAll(r.Content.Content, "\r\n", "\n")
	var numbers []int
	if a.Numbered {
		numbers = numbersOf(p.Windows)
	}
	var of output.Folded
	err = tokens.Fit(a.MaxBytes, a.MaxTokens, func(most int) (string, error) {
		of = output.Fold(all, most, a.Limit, numbers)
		return of.Text, nil
	})
	if err != nil {
		return Result{}, err
	}
	r.Content.Content, r.Folded, r.Recommend = of.Text, of.Left, nil
	r.Truncated = r.Truncated || of.Cut
	if of.Cut {
		call.Warn(fault.T("the lines left out for their length can be read with range, or searched with grep"))
	}
	return r, nil
}

// numbersOf returns the numbers of the lines that joined returns.
func numbersOf(windows []text.Window) (numbers []int) {
	for i, w := range windows {
		if i > 0 {
			numbers = append(numbers, 0) // between two
		}
		content := w.Content()
		if content == "" {
			continue
		}
		for n := range strings.Count(strings.TrimSuffix(content, "\n"), "\n") + 1 {
			numbers = append(numbers, w.Start+n)
		}
	}
	return numbers
}
