package output_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/output"
)

// from returns the source of a command line that ended with a status.
func from(command string, status int) output.Source {
	return output.Of(command, classify.Classify(command, classify.Options{}).Commands, status)
}

// phrases say in six languages that something failed.
var phrases = strings.Split(`
bash: frobnicate: command not found
worker pool drained: request timed out after 30s
container web-3 exited with code 137
pod api-7d9f is in CrashLoopBackOff
Fehler beim Öffnen der Datei
错误：无法连接到数据库
connection refused by upstream
segmentation fault (core dumped)
OOMKilled: memory limit reached
no space left on device
permission denied while opening socket
unable to resolve host db.internal
uncaught exception in scheduler
process died with signal 11
deadlock detected between transactions
HTTP 503 from the billing service
GET /checkout returned status 500
certificate has expired: handshake failure
checksum mismatch in block list
giving up after many retries
something went wrong in the importer
health check: unhealthy
task aborted by user
quota exceeded for project
panic: index out of range
killed by the kernel
ran out of memory in stage two
no such table: orders
assertion failed in module b
Verbindung abgelehnt vom Server
Zugriff verweigert auf Laufwerk
Datei nicht gefunden im Verzeichnis
Vorgang abgebrochen durch Zeitüberschreitung
ungültige Eingabe in Zeile
erreur de lecture du fichier
échec de la connexion au serveur
accès refusé par la politique
fichier introuvable dans le dossier
délai dépassé pour la requête
error al abrir el archivo
acceso denegado por el servidor
la tarea ha fallado: tiempo agotado
conexión rechazada por el host
no se pudo leer la tabla
操作超时，请稍后重试
文件不存在
权限被拒绝
服务崩溃
エラーが発生しました
接続がタイムアウトしました
ファイルが見つかりません
処理に失敗しました`[1:], "\n")

// TestPhrases finds every one of them in the log of a program that nobody knows.
func TestPhrases(t *testing.T) {
	t.Parallel()
	if len(phrases) != 52 {
		t.Fatalf("%d phrases", len(phrases))
	}
	random := rand.New(rand.NewPCG(1, 2))
	said := []string{
		"%s handled item %d in %d ms", "%s queue depth is %d of %d", "%s cache \"key-%d\" refreshed, %d entries", "%s wrote /var/data/part-%d.bin (%d bytes)",
		"%s session %08x opened from 10.0.0.%d", "%s GET /items/%d 200 %dms",
	}
	var lines []string
	for size := 0; size < 419<<10; {
		stamp := fmt.Sprintf("2026-03-%02dT%02d:%02d:%02d.%03dZ INFO", 1+random.IntN(28), random.IntN(24), random.IntN(60), random.IntN(60), random.IntN(1000))
		lines = append(lines, fmt.Sprintf(said[random.IntN(len(said))], stamp, random.IntN(100_000), random.IntN(250)))
		size += len(lines[len(lines)-1]) + 1
	}
	for i, p := range phrases {
		at := (i + 1) * len(lines) / (len(phrases) + 1)
		lines[at] = "2026-03-01T00:00:00.000Z INFO " + p
	}
	text := strings.Join(lines, "\n") + "\n"
	for _, command := range []string{"./import", "cat import.log", "docker logs web", "npm start", ""} {
		s := from(command, 0)
		if command == "" {
			s = output.Source{}
		}
		got := output.Fit(text, most, s)
		found := 0
		for _, p := range phrases {
			if strings.Contains(got.Text, p) {
				found++
			} else {
				t.Errorf("%q: lost %q", command, p)
			}
		}
		t.Logf("%q: %d bytes, %d phrases, %d bytes", command, len(text), found, len(got.Text))
	}
}

// table returns the rows of a program's own table.
func table(rows int) []string {
	names := strings.Fields("north south east west centre harbour airport market station bridge")
	all := []string{"  # | place | sold"}
	for i := range rows {
		all = append(all, fmt.Sprintf("%3d | %s | %d", i+1, names[i%len(names)], 100+i*i%89))
	}
	return all
}

// shows reports whether a text shows all lines, or the first and the last of those that
// are alike and how many there are.
func shows(text string, lines []string) (missing string) {
	like := strings.Count(text, " like: ")
	for i, l := range lines {
		if !strings.Contains(text, l+"\n") && (like == 0 || i == 0 || i == len(lines)-1) {
			return l
		}
	}
	return ""
}

// runners start programs, and print lines of their own.
var runners = []string{
	"make report", "npm run report", "npm test", "npx report", "cargo run", "cargo test", "go run .", "go test ./...", "docker logs web", "docker exec web report",
	"docker run web", "docker compose up", "env A=1 ./report", "sh report.sh", "tsc && ./report", "gcc a.c && ./a.out", "rustc a.rs && ./a", "ruff check . ; ./report",
	"jest && ./report", "vitest run && ./report", "pytest && ./report", "golangci-lint run && ./report", "mvn verify && ./report", "gradle test", "yarn report", "tox",
	"poetry run report", "python -m unittest && ./report", "ninja", "eslint . && ./report", "node --test && ./report", "apt-get update && ./report", "terraform apply",
}

// TestTables keeps the tables of programs that others started, also where a line looks
// like one of a program that is known.
func TestTables(t *testing.T) {
	t.Parallel()
	signs := []string{"", "   Compiling app v0.1.0\n", "a.ts(3,5): error TS2322: no\n", "--- FAIL: TestX (0.00s)\n", "PASS a.test.js\n"}
	for _, command := range runners {
		for _, sign := range signs {
			for _, rows := range []int{12, 600} {
				want := table(rows)
				for name, text := range map[string]string{
					"before": sign + strings.Join(want, "\n") + "\n",
					"after":  strings.Join(want, "\n") + "\n" + sign,
				} {
					text = strings.Repeat("some words before\n", 1+1100/len(text)*60) + text
					if lost := shows(output.Fit(text, most, from(command, 2)).Text, want); lost != "" {
						t.Errorf("%s, %q %s a table of %d rows: lost %q", command, sign, name, rows, lost)
					}
				}
			}
		}
	}
}

// TestTablesInFixtures keeps a table between any two paragraphs of recorded outputs.
func TestTablesInFixtures(t *testing.T) {
	t.Parallel()
	want := table(30)
	rows := "\n" + strings.Join(want, "\n") + "\n"
	for _, f := range fixtures(t) {
		if strings.Contains(f.command, "-json") {
			continue
		}
		parts := strings.Split(f.text, "\n\n")
		for i := 0; i <= len(parts); i += 1 + len(parts)/4 {
			text := strings.Join(parts[:i], "\n\n") + rows + "\n" + strings.Join(parts[i:], "\n\n")
			if lost := shows(output.Fit(text, 1<<20, f.source()).Text, want); lost != "" {
				t.Errorf("%s, paragraph %d: lost %q", f.name, i, lost)
			}
		}
	}
}

// alarms are lines that no rule may leave out.
var alarms = []string{
	"ERROR duplicate column name", "[4/9] ERROR duplicate column", "Status: 500 Internal Server Error", "disk quota exceeded for /var", "bash: jq: command not found",
	"exited with code 137", "12 | worker | failed", "    panic in worker 7", "错误: 磁盘已满", "Fehler: Datei nicht gefunden", "\tconnection refused", "metadata service timed out",
	"plugins could not be loaded", "platform check failed", "   Compiling app: crashed", "ok 12 but an exception was thrown", "PASS with one failure", "  - [x] sync: ошибка сети",
}

// TestAlarmsAnywhere puts such a line into every recorded output, at many places.
func TestAlarmsAnywhere(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, f := range fixtures(t) {
		if strings.Contains(f.command, "-json") {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(f.text, "\n"), "\n")
		for range 2 {
			at, alarm := random.IntN(len(lines)+1), alarms[random.IntN(len(alarms))]
			checkAlarm(t, f, lines, at, alarm)
		}
	}
}

func checkAlarm(t *testing.T, f fixture, lines []string, at int, alarm string) {
	t.Helper()
	text := strings.Join(lines[:at], "\n") + "\n" + alarm + "\n" + strings.Join(lines[at:], "\n") + "\n"
	if got := output.Fit(text, 1<<20, f.source()); !strings.Contains("\n"+got.Text, "\n"+alarm+"\n") {
		t.Errorf("%s, line %d: lost %q", f.name, at, alarm)
	}
}

// FuzzAlarms puts a line that looks like a failure anywhere into a recorded output.
func FuzzAlarms(f *testing.F) {
	all := fixtures(f)
	for i, alarm := range alarms {
		f.Add(uint(i*7), uint(i*31), alarm)
	}
	f.Fuzz(func(t *testing.T, which, at uint, words string) {
		one := all[which%uint(len(all))]
		words = strings.Join(strings.Fields(strings.ToValidUTF8(words, "?")), " ")
		if strings.Contains(one.command, "-json") || len(words) > 200 {
			return
		}
		lines := strings.Split(strings.TrimSuffix(one.text, "\n"), "\n")
		checkAlarm(t, one, lines, int(at%uint(len(lines)+1)), words+" error!")
	})
}
