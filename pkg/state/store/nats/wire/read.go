package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

const (
	maxLine    = 64 << 10 // of a control line; INFO is the longest
	maxMessage = 8 << 20  // of a message that is received
)

// verb is the first word of a protocol line from the server.
type verb int

const (
	verbInfo verb = iota + 1
	verbMsg
	verbPing
	verbPong
	verbOK
	verbErr
)

// operation is what a server sends at once.
type operation struct {
	verb verb
	text string // of INFO, the JSON; of -ERR, what is between the quotes
	sid  uint64 // of the subscription, with a message
	msg  Message
}

// ErrProtocol says that what was read is not of the protocol.
var ErrProtocol = errors.New("the server does not speak the NATS protocol")

// readOperation reads one operation. The reader's buffer has maxLine bytes.
//
// https://docs.nats.io/reference/reference-protocols/nats-protocol
func readOperation(r *bufio.Reader) (operation, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		if errors.Is(err, bufio.ErrBufferFull) {
			err = ErrProtocol
		}
		return operation{}, err
	}
	text := strings.TrimRight(string(line), "\r\n")
	name, rest, _ := strings.Cut(text, " ")
	switch strings.ToUpper(name) {
	case "MSG":
		return readMessage(r, strings.Fields(rest), false)
	case "HMSG":
		return readMessage(r, strings.Fields(rest), true)
	case "PING":
		return operation{verb: verbPing}, nil
	case "PONG":
		return operation{verb: verbPong}, nil
	case "+OK":
		return operation{verb: verbOK}, nil
	case "INFO":
		return operation{verb: verbInfo, text: rest}, nil
	case "-ERR":
		return operation{verb: verbErr, text: strings.Trim(rest, "' ")}, nil
	}
	return operation{}, ErrProtocol
}

// readMessage reads a message after its line: subject, id of the subscription, perhaps
// a subject to reply to, perhaps the length of the headers, and the length of all.
func readMessage(r *bufio.Reader, words []string, headers bool) (operation, error) {
	numbers := 1
	if headers {
		numbers = 2
	}
	if len(words) != 2+numbers && len(words) != 3+numbers {
		return operation{}, ErrProtocol
	}
	op := operation{verb: verbMsg, msg: Message{Subject: words[0]}}
	var err error
	if op.sid, err = strconv.ParseUint(words[1], 10, 64); err != nil {
		return operation{}, ErrProtocol
	}
	total, err := strconv.ParseUint(words[len(words)-1], 10, 32)
	if err != nil || total > maxMessage {
		return operation{}, ErrProtocol
	}
	var head uint64
	if headers {
		head, err = strconv.ParseUint(words[len(words)-2], 10, 32)
		if err != nil || head > total {
			return operation{}, ErrProtocol
		}
	}
	// What is announced is not allocated before it comes.
	var body bytes.Buffer
	if n, err := io.CopyN(&body, r, int64(total)+2); err != nil {
		if n > 0 && errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return operation{}, err
	}
	data, ok := bytes.CutSuffix(body.Bytes(), []byte("\r\n"))
	if !ok {
		return operation{}, ErrProtocol
	}
	if op.msg.Header, ok = parseHeader(string(data[:head])); !ok {
		return operation{}, ErrProtocol
	}
	op.msg.Data = data[head:]
	return op, nil
}
