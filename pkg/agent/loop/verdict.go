package loop

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The words that a model says whether its task is done by, at the beginning of an answer.
const (
	finished   = "FINISHED"
	unfinished = "UNFINISHED"
)

// verdict is the model's own judgement of its task.
type verdict int

const (
	silent verdict = iota // it does not say
	done
	notDone
)

// verdictOf reads the word that an answer begins with. It returns the answer without it,
// and whether the word is alone on its line. Models set the word in Markdown and put
// punctuation behind it. What follows on the line can take it back, as in "FINISHED: no".
func verdictOf(answer string) (v verdict, rest string, alone bool) {
	text := strings.TrimLeftFunc(answer, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_#>`\"'", r) })
	switch {
	case strings.HasPrefix(text, unfinished):
		v, rest = notDone, text[len(unfinished):]
	case strings.HasPrefix(text, finished):
		v, rest = done, text[len(finished):]
	default:
		return silent, answer, false
	}
	if r, _ := utf8.DecodeRuneInString(rest); unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '?' {
		return silent, answer, false // another word, or a question
	}
	rest = strings.TrimLeft(rest, "*_`\"'.:,;!-–— \t")
	line, _, _ := strings.Cut(rest, "\n")
	if v == done && takesBack(line) {
		return notDone, answer, false
	}
	return v, strings.TrimSpace(rest), strings.TrimSpace(line) == ""
}

// takesBack reports whether a line behind the word says that it is not so. "No errors are
// left" does not.
func takesBack(line string) bool {
	word := strings.ToLower(line)
	behind := ""
	if at := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); at >= 0 {
		word, behind = word[:at], strings.TrimSpace(word[at:])
	}
	switch word {
	case "not", "false", "partially", "partly", "almost", "nearly":
		return true
	case "no":
		r, _ := utf8.DecodeRuneInString(behind)
		return behind == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return false
}

// Texts of the loop for the model.
const (
	sayResult = "Your last message had neither text nor calls. Go on with the task, or answer with its result."
	sayGoOn   = "Your answer was cut off, as it was longer than one answer may be. Go on exactly where it stops. Repeat nothing."
	sayCall   = "Your last message is a call as text, of a tool that there is not or with arguments that cannot be read. Call a tool that you were given, or answer with the result of the task."
	sayShort  = "Your answer was cut off before it said anything. Think less and answer briefly, or make one call at a time."
	sayLoop   = "You have made the same calls three times and got the same answers. More of them will change nothing. Do something else, or end with the result of what you have."

	lastSteps  = "This is the last step that is allowed. "
	lastTokens = "This is the last step: the tokens that the task may use are nearly used up. "
	lastLoop   = "This is the last step: the same calls got the same answers again and again. "
	sayLast    = "No more calls can be made. Answer with the result of the task, so that it stands alone. " +
		"Begin with a line that says " + finished + " if all of the task is done and you have seen that it is, " +
		"or " + unfinished + " if not; then say what is done, and what is missing."
)
