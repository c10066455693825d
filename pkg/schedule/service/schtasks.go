package service

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// schtasks returns a task of the person: "Task Scheduler Schema" of Microsoft, which
// orders the elements. A task has no environment of its own: it gets the person's.
func (s Spec) schtasks() *Service {
	name := `helve\cron-` + s.ID
	file := filepath.Join(s.Files, "cron-task.xml")
	words := make([]string, len(s.Args))
	for i, word := range s.Args {
		words[i] = windowsWord(word)
	}
	trigger := "<LogonTrigger />"
	restart := "\n    <RestartOnFailure>\n      <Interval>PT1M</Interval>\n      <Count>999</Count>\n    </RestartOnFailure>"
	if s.Minutes {
		trigger, restart = "<TimeTrigger>\n      <Repetition>\n        <Interval>PT1M</Interval>\n      </Repetition>\n      <StartBoundary>2000-01-01T00:00:00</StartBoundary>\n    </TimeTrigger>", ""
	}
	text := fmt.Sprintf(`<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>%s. %s.</Description>
  </RegistrationInfo>
  <Triggers>
    %s
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>%s
  </Settings>
  <Actions>
    <Exec>
      <Command>%s</Command>
      <Arguments>%s</Arguments>
    </Exec>
  </Actions>
</Task>
`, escaped(s.What), Mark, trigger, restart, escaped(s.Program), escaped(strings.Join(words, " ")))
	var enable []string
	for _, v := range s.Env {
		if key, value, _ := strings.Cut(v, "="); strings.HasPrefix(key, "HELVE_") {
			enable = append(enable, "setx "+key+" "+windowsWord(value))
		}
	}
	return &Service{
		Kind: Schtasks, Name: name, Files: []File{{file, utf16LE(strings.ReplaceAll(text, "\n", "\r\n"))}},
		Enable:  append(enable, fmt.Sprintf(`schtasks /Create /F /TN "%s" /XML "%s"`, name, file), fmt.Sprintf(`schtasks /Run /TN "%s"`, name)),
		Disable: []string{fmt.Sprintf(`schtasks /Delete /F /TN "%s"`, name)},
	}
}

// windowsWord quotes a word so that a program finds it again; see "Parsing C++
// command-line arguments" of Microsoft.
func windowsWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\"") {
		return word
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for _, c := range word {
		switch c {
		case '\\':
			slashes++
			continue
		case '"':
			b.WriteString(strings.Repeat(`\`, 2*slashes+1))
		default:
			b.WriteString(strings.Repeat(`\`, slashes))
		}
		slashes = 0
		b.WriteRune(c)
	}
	b.WriteString(strings.Repeat(`\`, 2*slashes) + `"`)
	return b.String()
}

// utf16LE encodes a text as schtasks exports it: little endian, with a byte order mark.
func utf16LE(text string) []byte {
	data := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	return data
}
