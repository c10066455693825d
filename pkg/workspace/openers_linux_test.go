package workspace

import (
	"path/filepath"
)

var openers = map[string]func(string, Options) (asked, error){
	"openat2": opened,
	"os.Root": func(dir string, o Options) (asked, error) {
		spelled, err := filepath.Abs(dir)
		if err != nil {
			return asked{}, err
		}
		real, err := filepath.EvalSymlinks(spelled)
		if err != nil {
			return asked{}, err
		}
		h, err := openHandleStd(real)
		if err != nil {
			return asked{}, err
		}
		r, err := newRoot(h, real, spelled, o)
		return asked{r}, err
	},
}
