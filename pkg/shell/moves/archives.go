package moves

import (
	"context"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Unpack returns what unpacking an archive will change, by the list of its members. All of
// it is brought in.
func (w World) Unpack(ctx context.Context, dir string, argv []string) (f Forecast, err error) {
	list, to, strip := unpacking(argv)
	if len(list) == 0 || w.List == nil {
		return f, nil
	}
	out, ok, err := w.List(ctx, dir, list...)
	if err != nil || !ok {
		return f, err
	}
	p := &plan{ctx: ctx, World: w, f: &f}
	for name := range strings.Lines(out) {
		names := strings.Split(strings.TrimPrefix(path.Clean("/"+strings.TrimSuffix(name, "\n")), "/"), "/")
		if strings.HasSuffix(strings.TrimSuffix(name, "\n"), "/") || len(names) <= strip {
			continue // a directory
		}
		p.change(join(dir, to), strings.Join(names[strip:], "/"), true, true)
	}
	if paths := f.Brought(); len(paths) > 0 {
		f.shows = append(f.shows, show{text: strings.Join(list, " ") + "\n"})
	}
	return f, nil
}

// unpacking returns the command that lists what a command unpacks, without a word if it
// unpacks nothing, the directory in which it does, and how many names it drops.
func unpacking(argv []string) (list []string, to string, strip int) {
	program, args := argv[0], argv[1:]
	if filepath.Base(program) == "unzip" {
		l := split(args, "-d -x -P")
		if len(l.operands) == 0 || l.has("-l -v -t -p -c -z -Z") {
			return nil, "", 0
		}
		to, _ = l.value("-d")
		return []string{"unzip", "-Z1", "--", l.operands[0]}, to, 0
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		args = append([]string{"-" + args[0]}, args[1:]...) // letters without a dash
	}
	l := split(args, "-f -C -T -X -K -N -b -H -I -g --file --directory --strip-components --exclude --transform --xform --use-compress-program --files-from --one-top-level")
	archive, ok := l.value("-f --file")
	if !ok || archive == "-" || !l.has("-x --extract --get") || l.has("--transform --xform --one-top-level -I --use-compress-program -P -O --to-stdout --to-command") {
		return nil, "", 0
	}
	to, _ = l.value("-C --directory")
	if value, ok := l.value("--strip-components"); ok {
		strip, _ = strconv.Atoi(value) // tar refuses others
	}
	return []string{filepath.Base(program), "--list", "--file=" + archive}, to, strip
}
