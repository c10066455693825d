package cmd_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"strings"
	"testing"
)

// With --images a model sees the images that it reads, in a size that it makes use of.
// One that takes too much memory is not decoded.
func TestCallImages(t *testing.T) {
	dir := workdir(t)
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3000, 1500))); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "large.png", b.String())
	const bomb = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\xc3\x50\x00\x00\xc3\x50\x08\x06\x00\x00\x00\x4b\xaf\x3d\xca"
	put(t, dir, "bomb.png", bomb)
	calls := `[{"id":"a","function":{"name":"read","arguments":"{\"path\":\"large.png\"}"}},` +
		`{"id":"b","function":{"name":"read","arguments":"{\"paths\":[\"bomb.png\",\"large.png\"]}"}}]`
	type message struct {
		Role    string
		Content json.RawMessage
	}
	run := func(args ...string) (messages []message) {
		t.Helper()
		p := helve(dir, append([]string{"call"}, args...)...)
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
