package host

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

// Interview asks a person at the terminal, one question after the other.
type Interview struct {
	host     *Host
	terminal io.ReadWriteCloser
	lines    *bufio.Reader
}

// Asks reports whether there is a terminal to ask the person at.
func (h *Host) Asks() bool { return !h.NoInput && h.Terminal != nil && !underHelve() }

// Interview opens the terminal. The caller closes it.
func (h *Host) Interview() (*Interview, error) {
	terminal, err := h.Terminal()
	if err != nil {
		return nil, fault.System(err, "terminal")
	}
	return &Interview{h, terminal, bufio.NewReader(terminal)}, nil
}

// Close closes the terminal.
func (i *Interview) Close() { _ = i.terminal.Close() }

// Settings asks for the values of a new file. The end of input is canceled.
func (i *Interview) Settings(n *NewFile, questions []Question) ([]config.Choice, error) {
	var choices []config.Choice
	for _, q := range questions {
		values, now, err := n.Offers(q)
		if err != nil {
			return nil, err
		}
		if len(values) < 2 || !q.Asked() {
			continue // nothing is to be chosen
		}
		said, err := i.ask(i.prompt(q, values, now), func(said string) bool { return one(said, values, now) != "" })
		if err != nil {
			return nil, err
		}
		choices = append(choices, config.Choice{Key: q.Key, Text: one(said, values, now)})
	}
	return choices, nil
}

// Say shows sentences, each on a line.
func (i *Interview) Say(sentences []fault.Text) {
	for _, one := range sentences {
		_, _ = io.WriteString(i.terminal, approval.Visible(one.In(i.host.Lang)+"\n")) // the questions tell if nothing is shown
	}
}

// Pick asks which of several things are meant; about is shown before it. Nothing said means
// all of them.
func (i *Interview) Pick(about fault.Text, things []string) ([]int, error) {
	var b strings.Builder
	b.WriteString("\n" + about.In(i.host.Lang) + "\n")
	for at, thing := range things {
		fmt.Fprintf(&b, "  %d %s\n", at+1, strings.ReplaceAll(strings.TrimRight(thing, "\n"), "\n", "\n    "))
	}
	b.WriteString(fault.T("all, none, or numbers such as 1,2").In(i.host.Lang) + " [all]: ")
	said, err := i.ask(approval.Visible(b.String()), func(said string) bool { return several(said, len(things)) != nil })
	if err != nil {
		return nil, err
	}
	return several(said, len(things)), nil
}

// ask repeats a question until the answer is one.
func (i *Interview) ask(prompt string, is func(said string) bool) (string, error) {
	for {
		if _, err := io.WriteString(i.terminal, prompt); err != nil {
			return "", fault.System(err, "terminal")
		}
		line, err := i.lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return "", fault.New(fault.Canceled, fault.T("nothing was written: the questions were not answered")).
				WithHint(fault.T("run helve init again, or give the values as flags"))
		}
		if err != nil {
			return "", fault.System(err, "terminal")
		}
		if said := strings.TrimSpace(line); is(said) {
			return said, nil
		}
	}
}

// prompt returns a question as the terminal shows it.
func (i *Interview) prompt(q Question, values []string, now string) string {
	var b strings.Builder
	b.WriteString("\n" + q.about.In(i.host.Lang) + "\n")
	for at, value := range values {
		means := ""
		for _, a := range q.answers {
			if a.word == value {
				means = a.means.In(i.host.Lang)
			}
		}
		fmt.Fprintf(&b, "  %d %-6s %s\n", at+1, value, means)
	}
	b.WriteString(q.Key + " [" + now + "]: ")
	return approval.Visible(b.String())
}

// one returns the value that an answer means: itself, its number, or nothing, which is what
// holds now; "" if it means none.
func one(said string, values []string, now string) string {
	if said == "" {
		said = now
	}
	if at, err := strconv.Atoi(said); err == nil && at >= 1 && at <= len(values) {
		return values[at-1]
	}
	if slices.Contains(values, said) {
		return said
	}
	return ""
}

// several returns the indexes, below n, that an answer means; nil if it means none of the
// answers.
func several(said string, n int) []int {
	picked := []int{}
	switch strings.ToLower(said) {
	case "none", "no", "n", "0":
		return picked
	case "", "all", "yes", "y":
		for at := range n {
			picked = append(picked, at)
		}
		return picked
	}
	for _, word := range strings.FieldsFunc(said, func(r rune) bool { return r == ',' || r == ' ' }) {
		at, err := strconv.Atoi(word)
		if err != nil || at < 1 || at > n {
			return nil
		}
		if !slices.Contains(picked, at-1) {
			picked = append(picked, at-1)
		}
	}
	if len(picked) == 0 {
		return nil
	}
	return picked
}
