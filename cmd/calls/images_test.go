package calls_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// With --images a model sees the images that it reads, in a size that it makes use of.
// One that takes too much memory is not decoded.
func TestCallImages(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3000, 1500))); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, dir, "large.png", b.String())
	const bomb = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\xc3\x50\x00\x00\xc3\x50\x08\x06\x00\x00\x00\x4b\xaf\x3d\xca"
	cmdtest.Put(t, dir, "bomb.png", bomb)
	calls := `[{"id":"a","function":{"name":"read","arguments":"{\"path\":\"large.png\"}"}},` +
		`{"id":"b","function":{"name":"read","arguments":"{\"paths\":[\"bomb.png\",\"large.png\"]}"}}]`
	type message struct {
		Role    string
		Content json.RawMessage
	}
	run := func(args ...string) (messages []message) {
		t.Helper()
		p := cmdtest.Helve(dir, append([]string{"call"}, args...)...)
		p.Stdin = strings.NewReader(calls)
		out, err := p.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := json.Unmarshal(out, &messages); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return messages
	}
	if plain := run(); len(plain) != 2 || strings.Contains(string(plain[1].Content), "not shown") {
		t.Errorf("without --images: %s", plain)
	}
	messages := run("--images")
	if len(messages) != 3 || messages[0].Role != "tool" || messages[1].Role != "tool" || messages[2].Role != "user" {
		t.Fatalf("%d messages: %.300s", len(messages), messages)
	}
	if !strings.Contains(string(messages[1].Content), "bomb.png: the image is not shown: the image has 50000x50000 pixels") {
		t.Errorf("%s", messages[1].Content)
	}
	var parts []struct {
		Type, Text string
		Image      struct{ URL string } `json:"image_url"`
	}
	if err := json.Unmarshal(messages[2].Content, &parts); err != nil || len(parts) != 4 || parts[0].Text != "a: large.png" || parts[2].Text != "b: large.png" {
		t.Fatalf("%v: %.300s", err, messages[2].Content)
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(parts[1].Image.URL, "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	shown, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || shown.Width != 1536 || shown.Height != 768 {
		t.Errorf("%+v, %v", shown, err)
	}
}

// Where results hold images, a model sees those that it reads, in the size that the
// provider's models make use of, unless --images=false.
func TestImagesInResults(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3200, 1600))); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, dir, "large.png", b.String())
	lines := []struct {
		call, before string // what stands before the image
		width        int
	}{
		{`{"type":"function_call","call_id":"a","name":"read","arguments":"{\"path\":\"large.png\"}"}`, `{"type":"input_image","image_url":"data:image/png;base64,`, 1536},
		{`{"type":"tool_use","id":"a","name":"read","input":{"path":"large.png"}}`, `"source":{"type":"base64","media_type":"image/png","data":"`, 1568},
		{`{"functionCall":{"name":"read","args":{"path":"large.png"}}}`, `"parts":[{"inlineData":{"mimeType":"image/png","data":"`, 3072},
		{`{"name":"read","arguments":{"path":"large.png"}}`, `{"type":"image","data":"`, 1568},
		{`{"id":1,"name":"read","arguments":{"path":"large.png"}}`, `"mime":"image/png","data":"`, 1568},
		{`{"id":"a","function":{"name":"read","arguments":{"path":"large.png"}}}`, "", 0}, // Chat Completions: only if said
	}
	var in []string
	for _, l := range lines {
		in = append(in, l.call)
	}
	for _, flags := range [][]string{nil, {"--images=false"}} {
		p := cmdtest.Helve(dir, append([]string{"call", "--ndjson"}, flags...)...)
		p.Stdin = strings.NewReader(strings.Join(in, "\n"))
		out, err := p.Output()
		if err != nil {
			t.Fatal(err)
		}
		answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if len(answers) != len(lines) {
			t.Fatalf("%d lines", len(answers))
		}
		for i, l := range lines {
			if flags != nil || l.before == "" {
				if len(answers[i]) > 2000 || !strings.Contains(answers[i], "large.png") {
					t.Errorf("%s: %.300s", l.call, answers[i])
				}
				continue
			}
			_, after, found := strings.Cut(answers[i], l.before)
			data, _, _ := strings.Cut(after, `"`)
			raw, err := base64.StdEncoding.DecodeString(data)
			if !found || err != nil {
				t.Fatalf("%s: %v: %.300s", l.call, err, answers[i])
			}
			if shown, err := png.DecodeConfig(bytes.NewReader(raw)); err != nil || shown.Width != l.width || shown.Height != l.width/2 {
				t.Errorf("%s: %+v, %v", l.call, shown, err)
			}
		}
	}
}
