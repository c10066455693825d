package sink_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
)

// TestSignatureJudged has the package standardwebhooks verify what webhooks send, and
// refuse it when a byte is changed.
func TestSignatureJudged(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	modules := os.Getenv("HELVE_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, "standardwebhooks")); modules == "" || err != nil {
		t.Skip("no standardwebhooks")
	}
	type request struct {
		Secret  string            `json:"secret"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
		OK      bool              `json:"ok"`
	}
	var asked []request
	last := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		one := request{Secret: secretKey, Body: string(body), OK: true, Headers: map[string]string{}}
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			one.Headers[name] = r.Header.Get(name)
		}
		asked = append(asked, one)
	}
	for i, content := range []string{"", "hello", "世界 <&> \u2028 \x00 \"", strings.Repeat("long ", 50_000)} {
		s := hook(t, last)
		s.Now = time.Now // the judge refuses old ones
		s.Keys = keys(t, "whsec_"+strings.Repeat("QUFB", 10+i)+" "+secretKey)
		if err := s.Deliver(t.Context(), message(fmt.Sprintf("%s%d", id1, i), content)); err != nil {
			t.Fatal(err)
		}
		changed := asked[len(asked)-1]
		changed.OK = false
		body := changed
		body.Body += " "
		secret := changed
		secret.Secret = "whsec_" + strings.Repeat("QUJD", 10)
		asked = append(asked, body, secret)
	}
	input, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, filepath.Join("..", "..", "..", "scripts", "judges", "webhooks.cjs"))
	c.Env = append(os.Environ(), "NODE_PATH="+modules)
	c.Stdin = bytes.NewReader(input)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var said []string
	if err := json.Unmarshal(out, &said); err != nil || len(said) != len(asked) {
		t.Fatalf("%v: %s", err, out)
	}
	for i, why := range said {
		if (why == "") != asked[i].OK {
			t.Errorf("%v of %.60s: %q", asked[i].Headers, asked[i].Body, why)
		}
	}
}

func TestKeys(t *testing.T) {
	for _, text := range []string{"", " \n", "whsec_", "not base64!", "whsec_c2hvcnQ=", secretKey + " c2hvcnQ="} {
		_, err := sink.Keys(text, "a file")
		if !fault.Is(err, fault.NotConfigured) || strings.Contains(err.Error(), "c2hvcnQ") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := fmt.Sprintf("%v %+v %+v", keys(t, secretKey)[0], keys(t, secretKey), &sink.Webhook{Keys: keys(t, secretKey)}); strings.Contains(got, "49") || !strings.Contains(got, "***") {
		t.Errorf("shown as %s", got)
	}
	if n := len(keys(t, "\n"+secretKey+"\n"+strings.TrimPrefix(secretKey, "whsec_")+"\n")); n != 2 {
		t.Errorf("%d keys", n)
	}
}

func FuzzKeys(f *testing.F) {
	for _, s := range []string{secretKey, "whsec_", " a b ", strings.Repeat("A", 32) + "="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := sink.Keys(text, "f")
		if (err == nil) != (len(all) > 0) || err != nil && !fault.Is(err, fault.NotConfigured) {
			t.Errorf("%q: %d keys, %v", text, len(all), err)
		}
	})
}
