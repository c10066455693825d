package classify

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/policy"
)

// windowsWorld is a workspace on drive C, with a git.bat in the directory "planted".
func windowsWorld(d Dialect) Options {
	return Options{
		Dialect: d, Root: "C:/ws", Home: "C:/Users/ann",
		Exists: func(abs string) bool { return abs == "C:/ws/planted/git.bat" },
	}
}

// windowsLines are lines by dialect and the least risk that each must have; those that
// are Read must have no other.
var windowsLines = map[Dialect]map[policy.Risk]string{
	Cmd: {
		Read: `
echo hi
echo.
echo "a & b" ^& c
dir
dir /s /b *.go
dir/s
DIR \ws
cd
cd /d C:\ws\src
cd src && dir
cd..
type a.txt
type a.txt | findstr /i "foo bar"
findstr /s /n "TODO" *.go
fc a.txt b.txt
tree /f
ver
set
set PATH
echo %PATH%
echo %USERPROFILE%\x
echo 100%
echo (a
echo 5 % of 7 %
where git
whoami /all
hostname
git status
git log --oneline -5 | more
git.exe diff
GIT status
go version
node --version
rg foo src
if exist a.txt type a.txt
if exist a.txt (type a.txt) else (echo none)
if "%OS%"=="Windows_NT" echo yes
if not defined FOO echo no
if 1 == 1 echo same
for %i in (a b c) do echo %i
for /r %f in (*.go) do @echo %~nxf
for /l %i in (1,1,5) do echo %i
for /f "tokens=1" %i in ('git branch') do echo %i
for /f %i in (list.txt) do echo %i
type nul
dir 2>nul
dir >nul 2>&1
sort a.txt
tasklist
ipconfig /all
reg query HKCU\Software
attrib a.txt
icacls a.txt
date /t
netstat -an
(echo a & echo b)
echo hi & rem done
cmd /c dir
cmd /c "type a.txt"
powershell -NoProfile -Command "Get-ChildItem -Recurse"
@echo off
path
prompt $p
tasklist /v
openfiles /query
tasklist /local
cmd /c type a.txt
powershell -Version
pwsh --version
cd /d src
`,
		Write: `
set FOO=bar
set /a x=1+2
set /p x=name
echo hi > out.txt
echo hi>>out.txt
>out.txt echo hi
(echo a) > out.txt
copy a.txt b.txt
md build
ren a.txt b.txt
move a.txt b.txt
git commit -m "x"
go build ./...
npm test
xcopy /s a b
mklink l a.txt
attrib +r a.txt
sort /o out.txt a.txt
unknown-tool
.\script.bat
script.cmd
node -e "x"
findstr x \\server\share\f
type \\server\share\f
type \\?\C:\ws\a.txt
for %i in (a b) do md %i
if exist a.txt copy a.txt b.txt
if exist a.txt (echo y) else (md z)
for /f %i in ('npm test') do echo %i
cd planted & git status
tasklist /s server
copy C:\x\a.txt
copy C:\x\a.txt b.txt
expand a C:\x\b c
robocopy a b
robocopy a b /e
cd /d src & echo hi > x.txt
set /q x
remove-thing x
echo hi > C:\ws\out.txt
`,
		Destructive: `
del a.txt
DEL /q a.txt
d^el a.txt
"del" a.txt
echo hi & del a.txt
echo hi && del a.txt
echo hi || del a.txt
echo hi | del a.txt
dir&del a.txt
echo "a" & del a.txt
echo ^" & del a.txt
echo a^^& del a.txt
echo %x & del a.txt %
echo %% & del a.txt
(echo a & del a.txt)
@del a.txt
,;=del a.txt
2>&1 del a.txt
>out.txt 2>&1 rd /s /q b
rd /s /q build
rmdir build
if exist a.txt del a.txt
if not exist a.txt (echo x) else del b.txt
if 1==1 (if 2==2 (del a.txt))
if 1 equ 1 del a.txt
for %i in (a b) do del %i
for %i in (del) do %i a.txt
for /f %i in ('del a.txt') do echo %i
echo %FOO%
%FOO% a.txt
%COMSPEC:~0,1%el a.txt
echo %PATH:a=b%
%COMSPEC% /c del a.txt
!x! a.txt
call echo hi
start calc
echo hi > C:\Windows\x
echo hi > ..\x
echo hi > .git\config
echo hi > .git\hooks\pre-commit
echo hi > a.txt:hidden
echo hi > D:x
copy a.txt C:\Windows\System32
copy a.txt \x
md C:\x
cd .. & echo hi > x.txt
reg add HKCU\Software\x
reg delete HKCU\Software\x /f
sc stop x
net user x y /add
schtasks /create /tn x
taskkill /f /im x
shutdown /s
powershell -EncodedCommand ZABlAGwA
powershell -e ZABlAGwA
powershell -enc ZABlAGwA
powershell -File x.ps1
powershell -c "Remove-Item x"
powershell -Command Remove-Item x
cmd /c del a.txt
cmd /c "del a.txt"
cmd /k dir
cmd /v:on /c "echo !x!"
wscript x.vbs
mshta http://x
rundll32 x
certutil -urlcache -f http://x x
bitsadmin /transfer x
wmic process call create calc
path C:\ws
set PATH=C:\ws
set PATH=C:\ws&& git status
set ComSpec=x
set GIT_EXTERNAL_DIFF=calc & git diff
setx PATH x
runas /user:x cmd
format c:
echo hi ^
echo a ) & del a.txt
if exist
for %i in (a) echo x
dir | | del
dir | python
git push
git reset --hard
robocopy a b /mir
assoc .txt=x
date 01-01-2020
vssadmin delete shadows
git log "\" & del a.txt & echo \""
rg x "a\" --pre=calc "
forfiles /c "cmd /c del @file"
expand a C:\x
cd /d .. & echo hi > x.txt
popd & echo hi > x.txt
ipconfig /release
reg
openfiles /disconnect /a x
openfiles /local on
icacls a.txt /grant x
icacls /x
cmd /c
cmd /c echo "a b" c
cmd /c dir a^&b
powershell
powershell -NoProfile
powershell -Version 2 -c "rm a"
echo hi > C:out.txt
echo hi > \\?\C:\ws\a.txt
`,
	},
	PowerShell: {
		Read: `
echo hi
Write-Output "hi"
Write-Host 'a; Remove-Item b'
Get-ChildItem
gci -Recurse -Filter *.go
ls
dir -Name
Get-Content a.txt
cat a.txt -Tail 5
Get-Content a.txt | Select-String foo
Select-String -Path *.go -Pattern 'TODO|FIXME'
Get-Location
Test-Path a.txt
Get-ChildItem | Where-Object { $_.Length -gt 1MB }
Get-ChildItem | Where-Object Name -like '*.go' | Measure-Object
gci | ? { $_.Name -match '\.go$' -and -not $_.PSIsContainer } | sort Length | select -First 5
gci | % { $_.FullName }
gci | ForEach-Object { "$($_.Name): $($_.Length)" }
gci | sort { $_.Length } -Descending
(Get-ChildItem).Count
(Get-Content a.txt | Measure-Object -Line).Lines
$x = Get-ChildItem; $x.Count
$x = 1; $x + 2
$x = 9; $x -= 2; $x *= 3
1..10 | % { $_ * 2 }
"a".ToUpper()
$env:PATH
echo $env:USERPROFILE
echo "home is $HOME"
Get-Process | Sort-Object CPU -Descending | Select-Object -First 10
Get-Date
Get-Command git
git status
git log --oneline -5
git diff; git status
git status && git log
git log --format='%H %s'
go version
rg foo
if (Test-Path a.txt) { Get-Content a.txt } else { 'none' }
foreach ($f in Get-ChildItem) { $f.Name }
Get-ChildItem | Format-Table Name, Length
Get-Content a.txt | Out-Null
Get-ChildItem 2>$null
Get-ChildItem *> $null
cd src; ls
Get-FileHash a.txt
ConvertFrom-Json '{"a":1}'
Get-Content a.json | ConvertFrom-Json | Select-Object -ExpandProperty name
& git status
# a comment
ls # Remove-Item a
whoami
@('a','b') | Sort-Object
"a,b" -split ','
-not $true
[int]"5" + 1
Get-Content ~/x.txt
pwsh -NoProfile -c "Get-Date"
Set-Location -LiteralPath src; ls
Get-Content -P a.txt
Get-Date -Out x
Compare-Object a b -p x
Get-Help x -o
`,
		Write: `
Set-Content a.txt hi
"hi" > out.txt
Get-ChildItem > out.txt
Get-ChildItem | Out-File out.txt
Get-ChildItem | Tee-Object -FilePath out.txt
New-Item -ItemType Directory build
mkdir build
Copy-Item a.txt b.txt
Copy-Item -Path a.txt -Destination b.txt
Move-Item a.txt b.txt
go build ./...
npm test
git commit -m "x"
Unknown-Thing
.\script.ps1
Get-ChildItem \\server\share
Get-Process -ComputerName x
Invoke-WebRequest https://x
iwr https://x -OutFile out.txt
Get-Date -OutVariable x
Get-Help x -Online
gci | % { Set-Content $_.Name x }
if (Test-Path a) { mkdir b }
(mkdir b).Name
echo $(mkdir b)
echo "$(mkdir b)"
echo @(mkdir b)
Where-Object { mkdir b }
$x = mkdir b
Get-Item a[$(mkdir b)]
Get-Process -CimSession x
Get-Process -ci x
Get-Date -OutV x
Get-Date -PipelineV x
Get-Help x -On
Set-Content -Path
Set-Content -f a.txt C:\x
Set-Content a.txt -Value C:\x
Set-Content -Encoding:utf8 a.txt C:\x
Copy-Item C:\x\a.txt
Copy-Item a.txt C:\x\b c.txt
Remove x
.\Remove-Thing x
`,
		Destructive: `
Remove-Item a.txt
Get-Content a.txt | python
rm a.txt
del a.txt
ri -Recurse -Force build
Get-ChildItem | Remove-Item
gci | % { Remove-Item $_ }
gci | % { $_.Delete() }
gci | % Delete
gci | ForEach-Object -MemberName Delete
gci | ? { Remove-Item $_ }
echo hi; Remove-Item a
echo hi && rm a
echo hi || rm a
if ($true) { rm a }
if ($false) { ls } else { rm a }
if ($false) { ls } elseif (rm a) { ls }
foreach ($f in rm a) { ls }
while (rm a) { ls }
echo $(rm a)
echo "x $(rm a)"
echo (rm a)
$x = rm a
(rm a)
@(rm a)
& { rm a }
& $x
& "r$y" a
. .\x.ps1
iex "rm a"
Invoke-Expression $x
[IO.File]::Delete('a')
[System.IO.File]::WriteAllText('a','b')
(New-Object Net.WebClient).DownloadString('http://x')
$x.Delete()
echo $x.Delete()
(Get-Item a).Delete()
$f = Get-Item a; $f.MoveTo('b')
Start-Process calc
saps calc
Invoke-Item a
ii a
Add-Type x
Import-Module .\x
powershell -EncodedCommand ZABlAGwA
pwsh -e ZABlAGwA
cmd /c del a.txt
cmd /c "del a.txt"
r` + "`" + `m a
` + "`" + `iex x
$env:PATH = 'C:\ws'
$env:PSModulePath = 'C:\ws'
$env:GIT_EXTERNAL_DIFF = 'calc'; git diff
$function:ls = { rm a }
${function:ls} = 'x'
$PSDefaultParameterValues = @{}
$global:PSDefaultParameterValues = 1
function ls { rm a }
Set-Alias ls rm
Set-ExecutionPolicy Bypass
Set-Content C:\Windows\x hi
Set-Content ..\x hi
"x" > ..\x
"x" > .git\config
Set-Content .git\hooks\pre-commit x
Set-Content HKCU:\x y
Set-Item function:ls x
Copy-Item a.txt C:\Windows
Copy-Item a.txt -Destination C:\x
Move-Item C:\x a
Clear-Content a.txt
Stop-Process -Name x
Format-Volume C
Clear-RecycleBin
Invoke-Command { rm a }
Start-Job { rm a }
Get-ChildItem @args
ls --% foo
echo 'unclosed
echo "unclosed
echo (ls
ls }
ls <# x #>
@"
x
"@
Get-ChildItem | & { rm a }
try { ls } finally { rm a }
switch (1) { 1 { rm a } }
Get-ChildItem &
ls ‘a’
git push
git reset --hard
mkdir C:\x
New-Item ~/.ssh/x
sort a -OutVariable x; rm b
"a" -replace 'a', { rm b }
$x[(rm a)]
"x".PadLeft((rm a))
Unregister-Thing x
Invoke-Thing x
Set-Location -Path ..; "x" > a
Pop-Location; "x" > a
robocopy a b $x
cmd /c dir $x
pwsh -c $x
Set-Content -Path: C:\x y
Set-Content -Path:C:\x y
Set-Content -Encoding:utf8 C:\x y
Set-Content -Encoding utf8 C:\x y
Set-Content -LP C:\x y
Set-Content -PSPath C:\x y
Expand-Archive a.zip -dest C:\x
Get-Date | Out-File -filep C:\x
iwr https://x -outf C:\x
Move-Item a.txt C:\x
mv a.txt C:\x
ren a.txt C:\x
`,
	},
}

// TestWindowsLines judges lines of cmd and PowerShell.
func TestWindowsLines(t *testing.T) {
	count := 0
	for dialect, byRisk := range windowsLines {
		for least, lines := range byRisk {
			for line := range strings.Lines(unwrap(lines)) {
				line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "␤", "\n")
				if line == "" {
					continue
				}
				count++
				v := Classify(line, windowsWorld(dialect))
				if least.Worse(v.Risk) || v.Risk.Worse(least) {
					t.Errorf("%s is %s and not %s: %s %s", line, v.Risk, least, v.Flags, v.Reasons)
				}
				if v.Risk != Read && len(v.Reasons) == 0 {
					t.Errorf("%s is %s without a reason", line, v.Risk)
				}
				followed(t, line, v)
			}
		}
	}
	if count < 120 {
		t.Errorf("only %d lines", count)
	}
}

// unwrap joins the lines of a here-string, which is one case.
func unwrap(lines string) string { return strings.ReplaceAll(lines, "@\"\nx\n\"@", "@\"␤x␤\"@") }

// TestWindowsForbidden has what nobody may approve.
func TestWindowsForbidden(t *testing.T) {
	for line, d := range map[string]Dialect{
		`format c:`: Cmd, `rd /s /q C:\`: Cmd, `del /s /q \`: Cmd, `rd /s /q C:\Users\ann`: Cmd, `rd /s C:\Windows`: Cmd, `echo x > \\.\PhysicalDrive0`: Cmd,
		`echo hi & diskpart`: Cmd, `Remove-Item -Recurse -Force C:\`: PowerShell, `rm -r ~`: PowerShell, `rm -r C:\*`: PowerShell, `Clear-Disk 0`: PowerShell,
		`powershell -c "Format-Volume C"`: Cmd, `echo x > \\.\C:`: Cmd,
	} {
		if v := Classify(line, windowsWorld(d)); !v.HardDeny {
			t.Errorf("%s is allowed: %s", line, v.Risk)
		}
	}
	for _, line := range []string{`rd /s /q build`, `echo x > \\?\C:\ws\a`, `del a.txt:`} {
		if v := Classify(line, windowsWorld(Cmd)); v.HardDeny {
			t.Errorf("nobody may approve %s", line)
		}
	}
}

// TestWindowsFlags has paths outside, text that is not understood, and what is computed.
func TestWindowsFlags(t *testing.T) {
	for _, c := range []struct {
		line string
		d    Dialect
		want string
	}{
		{`type C:\x\a`, Cmd, "outside_workspace"}, {`type a`, Cmd, ""}, {`type nul`, Cmd, ""}, {`sort < C:\x\a`, Cmd, "outside_workspace"}, {`sort < nul`, Cmd, ""},
		{`Get-Content C:\x\a`, PowerShell, "outside_workspace"}, {`cat a -Tail 5`, PowerShell, ""}, {`a )`, Cmd, "opaque"}, {`echo %FOO%`, Cmd, "obfuscated"}, {`if`, Cmd, "syntax_error"},
	} {
		var flags []string
		for _, f := range Classify(c.line, windowsWorld(c.d)).Flags {
			flags = append(flags, string(f))
		}
		if got := strings.Join(flags, ","); got != c.want {
			t.Errorf("%s: %q, not %q", c.line, got, c.want)
		}
	}
}

// TestWindowsArgv judges programs that are started without a shell.
func TestWindowsArgv(t *testing.T) {
	for _, c := range []struct {
		argv []string
		risk policy.Risk
	}{
		{[]string{"git", "status"}, Read},
		{[]string{`C:\Windows\System32\findstr.exe`, "x", "a.txt"}, Read},
		{[]string{"cmd", "/c", "dir & type a.txt"}, Read},
		{[]string{"cmd", "/c", "dir & del a.txt"}, Destructive},
		{[]string{"cmd.exe", "/d", "/s", "/c", "git commit"}, Write},
		{[]string{"powershell", "-NoProfile", "-Command", "Get-Date"}, Read},
		{[]string{"powershell", "-Command", "-"}, Destructive},
		{[]string{`C:\ws\tool.exe`}, Write},
	} {
		for _, d := range []Dialect{Cmd, PowerShell} {
			if v := Argv(c.argv, windowsWorld(d)); v.Risk != c.risk {
				t.Errorf("%q is %s and not %s: %s", c.argv, v.Risk, c.risk, v.Reasons)
			}
		}
	}
}

// TestWindowsEnvironment has variables that the call sets: cmd reads their values as
// part of the line.
func TestWindowsEnvironment(t *testing.T) {
	for env, want := range map[string]policy.Risk{"FOO=1": Write, "no_color=1": Read, "username=& del x": Destructive, "Path=C:\\ws": Destructive, "PathExt=.x": Destructive} {
		o := windowsWorld(Cmd)
		o.Env = []string{env}
		if v := Classify("echo %USERNAME%", o); v.Risk != want {
			t.Errorf("with %s it is %s and not %s", env, v.Risk, want)
		}
	}
}

// TestWindowsPrograms tells a program of Windows from another one of its name.
func TestWindowsPrograms(t *testing.T) {
	o := windowsWorld(Cmd)
	o.Exists = func(abs string) bool { return abs == "C:/ws/findstr.bat" || abs == "C:/ws/dir.bat" }
	for line, want := range map[string]policy.Risk{"findstr x a": Write, "fc a b": Read, "dir": Read} {
		if v := Classify(line, o); v.Risk != want {
			t.Errorf("%s beside a file of its name is %s", line, v.Risk)
		}
	}
	o.Exists = nil
	if v := Classify("git status", o); v.Risk != Read {
		t.Errorf("nobody knows which files there are: %v", v.Reasons)
	}
	for abs, want := range map[string]policy.Risk{`C:\Windows\System32\find.exe`: Read, `C:\Git\usr\bin\find.exe`: Destructive, "": Read} {
		o.LookPath = func(string) (string, bool) { return abs, true }
		if v := Classify(`find . -delete`, o); v.Risk != want {
			t.Errorf("%q: %s", abs, v.Risk)
		}
	}
}

func FuzzWindows(f *testing.F) {
	for dialect, byRisk := range windowsLines {
		for _, lines := range byRisk {
			for line := range strings.Lines(lines) {
				f.Add(strings.TrimSuffix(line, "\n"), dialect == PowerShell)
			}
		}
	}
	f.Fuzz(func(t *testing.T, line string, powerShell bool) {
		d := Cmd
		if powerShell {
			d = PowerShell
		}
		v := Classify(line, windowsWorld(d))
		for _, why := range v.Reasons {
			if strings.Contains(why.String(), "could not be analyzed") {
				t.Fatalf("%q: %s", line, why)
			}
		}
		if v.Risk != Read {
			return
		}
		// What is read alone reads with more of the same beside it, and a deletion behind
		// it is always seen.
		if longer := Classify(line+"\ndel x.txt", windowsWorld(d)); longer.Risk != Destructive {
			t.Fatalf("%q hides what follows it: %s", line, longer.Risk)
		}
	})
}
