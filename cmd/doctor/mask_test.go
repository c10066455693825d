package doctor

import "testing"

// Whole words are masked, in any case of letters; a key also within one.
func TestHide(t *testing.T) {
	masks := []mask{{text: "/home/ann/work", shown: "WORKSPACE"}, {text: "/home/ann", shown: "~"}, {text: "ann", shown: "USER"}, {text: "s3cr3t", shown: "[secret]", anywhere: true}}
	for text, want := range map[string]string{
		"/home/ann/work/a.go":    "WORKSPACE/a.go",
		"/home/ann/works":        "~/works",
		"/home/annabel":          "/home/annabel",
		"Ann's, /HOME/ANN, ann.": "USER's, ~, USER.",
		"cannot, banner, annual": "cannot, banner, annual",
		"xs3cr3tx":               "x[secret]x",
		"/srv/ann/x ann_b":       "/srv/USER/x USER_b",
		"ännchen ann":            "ännchen USER",
		"":                       "",
		"/rules/ghp_0123456789abcdefghijABCDEFGHIJ543210: unknown": "/rules/[secret]: unknown",
		"token=abcdefgh and nothing":                               "token=[secret] and nothing",
	} {
		if got := hide(text, masks); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
