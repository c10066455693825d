package workspace

import (
	"path/filepath"
)

var openers = map[string]func(string, Options) (*Root, error){
	"openat2": Open,
	"os.Root": func(dir string, o Options) (*Root, error) {
		spelled, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		real, err := filepath.EvalSymlinks(spelled)
		if err != nil {
			return nil, err
		}
		h, err := openHandleStd(real)
		if err != nil {
			return nil, err
		}
		return newRoot(h, real, spelled, o)
	},
}
