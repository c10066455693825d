package walk

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// batchFiles is how many files of one directory make a piece of work.
const batchFiles = 256

// Visitor works on the files of an ordered walk.
type Visitor[T any] struct {
	// MaxDepth is how many levels of directories are entered; 0 means all. 1 is
	// the directory where the walk starts alone.
	MaxDepth int
	// Visit looks at one entry that is no directory. It is called by several
	// goroutines at once, each with a number below [Workers]. What it returns is
	// kept for Emit if keep is true.
	Visit func(worker int, h *Handle, e Entry) (result T, keep bool)
	// Emit takes the results in byte-wise order of their paths, one at a time.
	// It ends the walk by returning false.
	Emit func(T) (more bool)
}

// Ordered walks the tree below start. Results come out in path order while the
// tree is still being searched, so that a consumer with enough of them ends the
// work, not only the output.
func Ordered[T any](w *Walker, start Directory, v Visitor[T]) {
	o := &ordered[T]{w: w, visitor: v}
	o.ready.L = &o.mu
	root := &node[T]{dir: start}
	o.cursor = []place[T]{{node: root}}
	o.push(task[T]{node: root, batch: -1})
	var all Group
	for i := range Workers() {
		all.Go(func() { o.work(i) }, w.Stop)
	}
	all.Wait()
	// What a walk that was ended from outside has found comes out all the same,
	// in order, with gaps where it did not get to.
	o.final = true
	o.advance()
}

type ordered[T any] struct {
	w       *Walker
	visitor Visitor[T]

	mu    sync.Mutex
	ready sync.Cond
	tasks []task[T] // last in, first out: near the order of the results
	busy  int

	emit   sync.Mutex // guards cursor, node.open and batch.done
	cursor []place[T]
	final  bool // nothing more will come
}

// task is a directory to read (batch < 0) or some files of one.
type task[T any] struct {
	node  *node[T]
	batch int
}

type node[T any] struct {
	dir     Directory
	open    bool // subs and batches are known
	subs    []*node[T]
	name    string // of the directory
	batches []batch[T]
	content *shared
}

// shared is a directory that the tasks of its batches have open.
type shared struct {
	handle *Handle
	uses   atomic.Int32
}

func (s *shared) release() {
	if s.uses.Add(-1) == 0 {
		s.handle.Close()
	}
}

type batch[T any] struct {
	files   []Entry
	first   string // name of the first file
	done    bool
	results []result[T]
}

type result[T any] struct {
	name  string
	value T
}

// place is how far the results of one directory have been emitted.
type place[T any] struct {
	node               *node[T]
	sub, batch, result int
}

func (o *ordered[T]) push(tasks ...task[T]) {
	o.mu.Lock()
	o.tasks = append(o.tasks, tasks...)
	o.mu.Unlock()
	if len(tasks) == 1 {
		o.ready.Signal()
	} else {
		o.ready.Broadcast()
	}
}

// pop waits for a task; false means that all is done.
func (o *ordered[T]) pop() (task[T], bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.tasks) == 0 && o.busy > 0 {
		o.ready.Wait()
	}
	if len(o.tasks) == 0 {
		o.ready.Broadcast()
		return task[T]{}, false
	}
	o.busy++
	t := o.tasks[len(o.tasks)-1]
	o.tasks[len(o.tasks)-1] = task[T]{}
	o.tasks = o.tasks[:len(o.tasks)-1]
	return t, true
}

func (o *ordered[T]) finish() {
	o.mu.Lock()
	o.busy--
	idle := o.busy == 0 && len(o.tasks) == 0
	o.mu.Unlock()
	if idle {
		o.ready.Broadcast()
	}
}

func (o *ordered[T]) work(worker int) {
	var s Scratch
	for {
		t, ok := o.pop()
		if !ok {
			return
		}
		o.do(t, worker, &s)
	}
}

func (o *ordered[T]) do(t task[T], worker int, s *Scratch) {
	defer o.finish()
	switch {
	case o.w.Stopped():
		if t.batch >= 0 {
			t.node.content.release()
		}
	case t.batch < 0:
		o.read(t.node, worker, s)
	default:
		o.files(t.node, t.batch, worker)
	}
}

// read lists a directory, hands on its directories and all but its first batch
// of files, and works on that one itself.
func (o *ordered[T]) read(n *node[T], worker int, s *Scratch) {
	c, err := o.w.Open(n.dir, s)
	if err != nil {
		o.w.Report(n.dir.Rel(), err)
		o.opened(n, nil, nil)
		return
	}
	var subs []*node[T]
	if o.visitor.MaxDepth == 0 || n.dir.Depth+1 < o.visitor.MaxDepth {
		subs = make([]*node[T], len(c.Dirs))
		for i, e := range c.Dirs {
			sub := c.Sub(n.dir, e)
			subs[i] = &node[T]{dir: sub, name: sub.prefix[len(e.prefix) : len(sub.prefix)-1]} // e.Name() would keep all names
		}
	}
	files := slices.Clone(c.Files)
	batches := make([]batch[T], (len(files)+batchFiles-1)/batchFiles)
	for i := range batches {
		part := files[i*batchFiles : min((i+1)*batchFiles, len(files))]
		batches[i] = batch[T]{files: part, first: part[0].Name()}
	}
	n.content = &shared{handle: c.Handle}
	n.content.uses.Store(1 + int32(len(batches)))
	tasks := make([]task[T], 0, len(subs)+len(batches))
	for _, sub := range slices.Backward(subs) {
		tasks = append(tasks, task[T]{sub, -1})
	}
	for i := len(batches) - 1; i > 0; i-- {
		tasks = append(tasks, task[T]{n, i})
	}
	o.opened(n, subs, batches)
	if len(tasks) > 0 {
		o.push(tasks...)
	}
	if len(batches) > 0 {
		o.files(n, 0, worker)
	}
	n.content.release()
}

func (o *ordered[T]) opened(n *node[T], subs []*node[T], batches []batch[T]) {
	o.emit.Lock()
	defer o.emit.Unlock()
	n.subs, n.batches, n.open = subs, batches, true
	if len(batches) == 0 {
		o.advance()
	}
}

func (o *ordered[T]) files(n *node[T], i, worker int) {
	var results []result[T]
	for _, e := range n.batches[i].files {
		if o.w.Stopped() {
			break
		}
		if value, keep := o.visitor.Visit(worker, n.content.handle, e); keep {
			results = append(results, result[T]{e.Name(), value})
		}
	}
	n.content.release()
	o.emit.Lock()
	defer o.emit.Unlock()
	b := &n.batches[i]
	b.results, b.done, b.files = results, true, nil
	o.advance()
}

// advance emits what is next in order and already known.
func (o *ordered[T]) advance() {
	for len(o.cursor) > 0 {
		p := &o.cursor[len(o.cursor)-1]
		n := p.node
		if !n.open && !o.final {
			return
		}
		var sub *node[T]
		if p.sub < len(n.subs) {
			sub = n.subs[p.sub]
		}
		if p.batch == len(n.batches) {
			if sub == nil {
				o.cursor = o.cursor[:len(o.cursor)-1]
				continue
			}
			o.enter(p, sub)
			continue
		}
		b := &n.batches[p.batch]
		next := b.first
		if b.done || o.final {
			if p.result == len(b.results) {
				*b = batch[T]{done: true}
				p.batch++
				p.result = 0
				continue
			}
			next = b.results[p.result].name
		}
		if sub != nil && dirBefore(sub.name, next) {
			o.enter(p, sub)
			continue
		}
		if !b.done && !o.final {
			return
		}
		p.result++
		if !o.visitor.Emit(b.results[p.result-1].value) {
			o.w.Stop()
			o.cursor = nil
		}
	}
}

func (o *ordered[T]) enter(p *place[T], sub *node[T]) {
	p.node.subs[p.sub] = nil
	p.sub++
	o.cursor = append(o.cursor, place[T]{node: sub})
}

// dirBefore reports whether the paths below dir stand before the one of file.
func dirBefore(dir, file string) bool {
	n := min(len(dir), len(file))
	if c := strings.Compare(dir[:n], file[:n]); c != 0 {
		return c < 0
	}
	return len(file) > len(dir) && '/' < file[len(dir)]
}
