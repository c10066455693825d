package loop

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/schema"
)

const (
	pictureCost  = 1600 // tokens of a picture, about as many as one has at most
	leastAnswers = 400  // tokens that the answers of a step keep
)

// cost estimates how many tokens a message has. The bytes of a picture are none.
func cost(message json.RawMessage) int {
	sum := 0
	text := string(message)
	for {
		start, size := picture(text)
		if size == 0 {
			return sum + tokens.Estimate(text)
		}
		sum += tokens.Estimate(text[:start]) + pictureCost
		text = text[start+size:]
	}
}

func costs(messages []json.RawMessage) int {
	sum := 0
	for _, m := range messages {
		sum += cost(m)
	}
	return sum
}

// picture returns where the first string with the bytes of a picture is in a message, in
// base64. In the text of an answer the quotation marks before it would be escaped.
func picture(message string) (start, size int) {
	const least = 1000 // bytes; what is smaller may be anything
	for _, before := range []string{`"data":"`, `"url":"data:`} {
		for from := 0; ; {
			at := strings.Index(message[from:], before)
			if at < 0 {
				break
			}
			from += at + len(before)
			n := strings.IndexByte(message[from:], '"')
			if n >= least && (size == 0 || from < start) {
				start, size = from, n
			}
			if n >= least || n < 0 {
				break
			}
		}
	}
	return start, size
}

// bound cuts the long texts in answers until they have at most so many tokens together,
// as far as texts can be cut. Ids, names and pictures stay.
func bound(answers []json.RawMessage, most int) []json.RawMessage {
	const least = 200 // bytes of a text that is not cut
	for size := 8 * most; costs(answers) > most && size >= least; size /= 2 {
		shorter := make([]json.RawMessage, len(answers))
		for i, a := range answers {
			shorter[i] = cutTexts(a, size)
		}
		answers = shorter
	}
	return answers
}

// cutTexts returns a message whose texts have at most about so many bytes each: their
// middle is left out. All else stays as it is, byte by byte.
func cutTexts(message json.RawMessage, most int) json.RawMessage {
	if len(message) <= most {
		return message
	}
	var b bytes.Buffer
	for rest := []byte(message); ; {
		start := bytes.IndexByte(rest, '"')
		end := -1
		if start >= 0 {
			end = closing(rest, start+1)
		}
		if end < 0 {
			b.Write(rest)
			break
		}
		b.Write(rest[:start])
		text := rest[start : end+1]
		after := bytes.TrimLeft(rest[end+1:], " \t\r\n")
		isName := len(after) > 0 && after[0] == ':'
		if !isName && len(text) > most && !isPicture(b.Bytes(), text) {
			text = cutText(text, most)
		}
		b.Write(text)
		rest = rest[end+1:]
	}
	if !json.Valid(b.Bytes()) {
		return message
	}
	return b.Bytes()
}

// closing returns where the string that begins at from ends.
func closing(data []byte, from int) int {
	for i := from; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

func isPicture(before, text []byte) bool {
	return bytes.HasSuffix(before, []byte(`"data":`)) || bytes.HasPrefix(text, []byte(`"data:`))
}

// cutText cuts a JSON string.
func cutText(literal []byte, most int) []byte {
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return literal
	}
	half := most / 2
	if len(text) <= 2*half {
		return literal
	}
	head, tail := half, len(text)-half
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	short, err := schema.Marshal(text[:head] + "\n[… cut here to save room: ask for less at a time …]\n" + text[tail:])
	if err != nil || len(short) >= len(literal) {
		return literal
	}
	return short
}
