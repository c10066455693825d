package syntax

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// documents are YAML as people write it.
var documents = []string{`# A workflow.
name: test
on:
  push:
    branches: [main, "release/*"]
  pull_request:
jobs:
  build:
    runs-on: ${{ matrix.os }}
    strategy:
      matrix:
        os: [ubuntu-latest,
             windows-latest]   # both
    steps:
    - uses: actions/checkout@v4
    - name: Set up
      uses: actions/setup-go@v5
      with:
        go-version: '1.26'
    - run: |
        go build ./...
          go test: [ ./...
      env:
        A: "b: c"
`, `apiVersion: v1
kind: ConfigMap
metadata:
  name: it's
  labels: {app: web, tier: "front"}
  annotations:
    note: >-
      folded: text
      of two lines

data: &data
  url: http://example.com:80/#frag
  time: 12:30:45
  empty:
  list:
    - - 1
      - 2
    -
      a: b
      c: d
    - plain text
      going on
  "quoted key": x
  'other': "a \" b
    c"
---
copy:
  <<: *data
  more: ~
...
---
- !tag a
- &x b
- *x
`, `version: "3"
services:
  db:
    image: postgres   # newest
    ports: ["5432:5432"]
    command: -c a=b -c d=e
    environment:
      - A=1
      - B=2

  web: {build: .}
volumes: {}
`}

func parses(text string) bool {
	d := yaml.NewDecoder(strings.NewReader(text))
	for {
		var n yaml.Node
		if err := d.Decode(&n); errors.Is(err, io.EOF) {
			return true
		} else if err != nil {
			return false
		}
	}
}

// What the check calls a fault must be one for a complete parser too; of what
// that one refuses, the check must find most.
func TestYAMLAgreesWithACompleteParser(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	broken, found := 0, 0
	for _, text := range documents {
		if v := Check("YAML", text); !v.Checked || !v.OK || !parses(text) {
			t.Fatalf("%+v\n%s", v, text)
		}
		lines := strings.SplitAfter(text, "\n")
		for range 1500 {
			m := append([]string(nil), lines...)
			i := r.IntN(len(m))
			switch r.IntN(7) {
			case 0:
				m[i] = " " + m[i]
			case 1:
				m[i] = strings.TrimPrefix(m[i], "  ")
			case 2:
				m[i] = strings.Replace(m[i], ":", "", 1)
			case 3:
				m[i] = strings.Replace(m[i], `"`, "", 1)
			case 4:
				m = append(m[:i], m[i+1:]...)
			case 5:
				m[i] = strings.Replace(m[i], "]", "", 1)
			case 6:
				j := r.IntN(len(m))
				m[i], m[j] = m[j], m[i]
			}
			text := strings.Join(m, "")
			ok := parses(text)
			v := Check("YAML", text)
			if ok && v.Checked && !v.OK {
				t.Errorf("refused %+v\n%s", v, text)
			}
			if !ok {
				broken++
				if v.Checked && !v.OK {
					found++
				}
			}
		}
	}
	t.Logf("%d of %d broken documents found", found, broken)
	if found < broken*7/10 {
		t.Errorf("only %d of %d broken documents found", found, broken)
	}
}
