package cron

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestDescribe(t *testing.T) {
	for _, tt := range []struct{ text, en, zh string }{
		{"30 9 * * MON-FRI", "every weekday at 09:30", "每个工作日（周一至周五） 09:30"},
		{"0 0 * * *", "every day at 00:00", "每天 00:00"},
		{"0 9,12,18 * * *", "every day at 09:00, 12:00 and 18:00", "每天 09:00、12:00、18:00"},
		{"15 30 9 * * *", "every day at 09:30:15", "每天 09:30:15"},
		{"0 9 * * 1,3,0", "every Monday, Wednesday and Sunday at 09:00", "每星期一、星期三、星期日 09:00"},
		{"* * * * *", "every minute", "每分钟"},
		{"* * * * * *", "every second", "每秒"},
		{"*/5 * * * * *", "every 5 seconds", "每 5 秒"},
		{"*/7 * * * * *", "at seconds 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every minute", "每分钟的第 0、7、14、21、28、35、42、49、56 秒"},
		{"30 * * * * *", "at second 30 of every minute", "每分钟的第 30 秒"},
		{"30 */10 * * * *", "at second 30 of minutes 0, 10, 20, 30, 40 and 50 of every hour", "每小时的第 0、10、20、30、40、50 分，第 30 秒"},
		{"* 30 9 * * *", "every second of minute 30 of hour 9", "每天 9 时的第 30 分，每秒"},
		{"* * 9 * * *", "every second of every minute of hour 9", "每天 9 时的每分钟，每秒"},
		{"0,30 * * * *", "every 30 minutes", "每 30 分钟"},
		{"5,35 * * * *", "at minutes 5 and 35 of every hour", "每小时的第 5、35 分"},
		{"*/25 * * * *", "at minutes 0, 25 and 50 of every hour", "每小时的第 0、25、50 分"},
		{"0 * * * *", "every hour", "每小时整点"},
		{"5 * * * *", "at minute 5 of every hour", "每小时的第 5 分"},
		{"0 */2 * * *", "every 2 hours from 00:00", "从 00:00 起每 2 小时"},
		{"0 */7 * * *", "every day at 00:00, 07:00, 14:00 and 21:00", "每天 00:00、07:00、14:00、21:00"},
		{"*/15 9-17 * * MON-FRI", "every 15 minutes of hours 9-17 on weekdays", "每个工作日（周一至周五），每天 9-17 时的每 15 分钟"},
		{"*/15 * * * SAT,SUN", "every 15 minutes on Saturdays and Sundays", "每星期六、星期日，每 15 分钟"},
		{"0 0 1,15 * *", "at 00:00 on days 1 and 15 of the month", "每月 1、15 日 00:00"},
		{"0 0 1 1,7 *", "at 00:00 on day 1 of the month in January and July", "1 月、7 月，每月 1 日 00:00"},
		{"0 0 L * *", "at 00:00 on the last day of the month", "每月最后一天 00:00"},
		{"0 0 LW,15W * *", "at 00:00 on the last weekday of the month and the weekday nearest to day 15 of the month", "每月最后一个工作日（周一至周五）、离每月 15 日最近的工作日（周一至周五） 00:00"},
		{"0 0 * * FRI#2", "at 00:00 on the second Friday of the month", "每月第二个星期五 00:00"},
		{"0 0 * * 5L,1", "at 00:00 on every Monday and the last Friday of the month", "每星期一、每月最后一个星期五 00:00"},
		{"0 0 13 * FRI", "at 00:00 on days that are day 13 of the month or a Friday", "为每月 13 日或为星期五的日子 00:00"},
		{"0 0 13 * +FRI", "at 00:00 on days that are day 13 of the month and also a Friday", "同时为每月 13 日且为星期五的日子 00:00"},
		{"0 0 1-31 * FRI", "every day at 00:00", "每天 00:00"},
		{"0 0 1-7 * */2", "at 00:00 on days that are days 1-7 of the month and also a Tuesday, a Thursday, a Saturday or a Sunday", "同时为每月 1-7 日且为星期二、星期四、星期六、星期日的日子 00:00"},
		{"@yearly", "at 00:00 on day 1 of the month in January", "1 月，每月 1 日 00:00"},
	} {
		e, err := Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		d := e.Describe()
		if en := d.In(fault.English); en != tt.en {
			t.Errorf("%q: %q, want %q", tt.text, en, tt.en)
		}
		if zh := d.In(fault.Chinese); zh != tt.zh {
			t.Errorf("%q: %q, want %q", tt.text, zh, tt.zh)
		}
	}
}

// TestDescribeTellsApart has expressions with the same description be the same, so that none
// leaves anything out.
func TestDescribeTellsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	of := func(choices string) string {
		all := strings.Fields(choices)
		return all[r.IntN(len(all))]
	}
	type described struct{ text, meaning string }
	seen := map[string]described{}
	same := 0
	for range 6_000 {
		text := strings.Join([]string{
			of("0 0 0 * */15 30 0,30 */7"), of("0 0 * */15 5 5,35 */25 0-5 0-59/2"), of("* 9 9-17 */2 */7 0,12 0-23 22,23"),
			of("* * 1 1,15 L LW 15W */2 1-31 1-7 L,15W 1-30"), of("* * 1 1,7 */3 2-12"), of("* * 1-5 0,6 7 5#2 5L */2 1,5L MON#1,MON#2 0-6 +1 +5#2 +0-7"),
		}, " ")
		e, err := Parse(text)
		if err != nil {
			continue // such as +5#2 on day 1
		}
		meant := meaning(e)
		for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
			words := e.Describe().In(lang)
			twin, ok := seen[words]
			if !ok {
				seen[words] = described{text, meant}
				continue
			}
			same++
			if twin.meaning != meant {
				t.Fatalf("%q and %q are both %q", text, twin.text, words)
			}
		}
	}
	if len(seen) < 1000 || same < 500 {
		t.Errorf("%d descriptions, %d of them again", len(seen), same)
	}
}

// meaning returns what an expression matches: its sets, and its days in four years.
func meaning(e *Expression) string {
	var days []byte
	for c := civilOf(19723); c.year < 2028; c = c.tomorrow() { // from 2024
		if e.month>>c.month&1 == 1 && e.days.match(c) {
			days = append(days, byte(c.year), byte(c.month), byte(c.day))
		}
	}
	return fmt.Sprintf("%x %x %x %x", e.second, e.minute, e.hour, sha256.Sum256(days))
}
