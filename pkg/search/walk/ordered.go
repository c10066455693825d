package walk

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// batchFiles is the number of files of one directory that make one task.
const batchFiles = 256

// Visitor works on the files of an ordered walk.
type Visitor[T any] struct {
	// MaxDepth limits the levels of directories that are entered; 0 means all, 1 only the
	// directory where the walk starts.
	MaxDepth int
	// Visit is called for each entry that is not a directory, by several
	// goroutines at once, each with a number below [Workers]. If keep is true, its
	// result is passed to Emit.
	Visit func(worker int, h *Handle, e Entry) (result T, keep bool)
	// Emit receives the results one at a time, in byte-wise order of their paths.
	// The walk ends if it returns false.
	Emit func(T) (more bool)
}

// Ordered walks the tree below start. It emits results in the order of their paths
// while it still walks, so a caller that has enough results also ends the work.
func Ordered[T any](w *Walker, start Directory, v Visitor[T]) {
	o := &ordered[T]{w: w, visitor: v}
	o.ready.L = &o.mu
	root := &node[T]{dir: start}
	o.cursor = []position[T]{{node: root}}
	o.tasks = &task[T]{node: root, batch: -1}
	var all Group
	for i := range Workers() {
		all.Go(func() { o.work(i) }, w.Stop)
	}
	all.Wait()
	// If the walk was stopped, emit what it has found: in order, with gaps where it
	// did not arrive.
	o.final = true
	o.advance()
}

type ordered[T any] struct {
	w       *Walker
	visitor Visitor[T]

	mu    sync.Mutex
	ready sync.Cond
	tasks *task[T] // in the order of the results, so that few results have to wait
	busy  int

	emit   sync.Mutex // guards cursor, node.open and batch.done
	cursor []position[T]
	final  bool // all workers have ended
}

// task is a directory to read (batch < 0) or a batch of files to visit. The task
// of a directory stays in the list while it is read, because the tasks for its
// content go to its position.
type task[T any] struct {
	node  *node[T]
	batch int
	state taskState
	next  *task[T]
}

type taskState int8

const (
	waiting taskState = iota
	taken             // a directory that is being read
	gone              // a directory without further tasks
)

type node[T any] struct {
	dir     Directory
	open    bool // subs and batches are known
	subs    []*node[T]
	name    string // of the directory
	batches []batch[T]
	content *shared
}

// shared is an open directory that the tasks of its batches use. The last of
// them closes it.
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

// position is the point up to which the results of one directory have been emitted.
type position[T any] struct {
	node               *node[T]
	sub, batch, result int
}

// pop waits for a task and returns the first one, or nil if there is nothing left
// to do.
func (o *ordered[T]) pop() *task[T] {
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		at := &o.tasks
		for *at != nil && (*at).state != waiting {
			if (*at).state == gone {
				*at = (*at).next
			} else {
				at = &(*at).next
			}
		}
		if t := *at; t != nil {
			if t.batch < 0 {
				t.state = taken
			} else {
				*at = t.next
			}
			o.busy++
			return t
		}
		if o.busy == 0 {
			return nil
		}
		o.ready.Wait()
	}
}

// put replaces the task of a directory by the tasks for its content.
func (o *ordered[T]) put(t *task[T], inner []task[T]) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(inner) == 0 {
		t.state, t.node = gone, nil
		return
	}
	for i := range inner[1:] {
		inner[i].next = &inner[i+1]
	}
	inner[len(inner)-1].next = t.next
	*t = inner[0]
	if len(inner) == 1 {
		o.ready.Signal()
	} else {
		o.ready.Broadcast()
	}
}

func (o *ordered[T]) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy--; o.busy == 0 {
		o.ready.Broadcast()
	}
}

func (o *ordered[T]) work(worker int) {
	var s Scratch
	for {
		t := o.pop()
		if t == nil {
			return
		}
		o.do(t, worker, &s)
	}
}

func (o *ordered[T]) do(t *task[T], worker int, s *Scratch) {
	defer o.finish()
	switch {
	case o.w.Stopped():
		if t.batch >= 0 {
			t.node.content.release()
		}
	case t.batch < 0:
		o.read(t, worker, s)
	default:
		n := t.node
		t.node = nil // other tasks of the same slice keep t in memory, but not the node
		o.files(n, t.batch, worker)
	}
}

// read lists a directory and visits its first batch of files. Its directories and
// its other batches become tasks.
func (o *ordered[T]) read(t *task[T], worker int, s *Scratch) {
	n := t.node
	c, err := o.w.Open(n.dir, s)
	if err != nil {
		o.w.Report(n.dir.Rel(), err)
		o.opened(n, nil, nil)
		o.put(t, nil)
		return
	}
	var subs []*node[T]
	if o.visitor.MaxDepth == 0 || n.dir.Depth+1 < o.visitor.MaxDepth {
		subs = make([]*node[T], len(c.Dirs))
		for i, e := range c.Dirs {
			sub := c.Sub(n.dir, e)
			subs[i] = &node[T]{dir: sub, name: sub.prefix[len(e.prefix) : len(sub.prefix)-1]} // e.Name() would keep all names in memory
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
	inner := make([]task[T], 0, len(subs)+len(batches))
	for i := range batches[min(1, len(batches)):] {
		inner = append(inner, task[T]{node: n, batch: i + 1})
	}
	for _, sub := range subs {
		inner = append(inner, task[T]{node: sub, batch: -1})
	}
	o.opened(n, subs, batches)
	o.put(t, inner)
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

// advance emits the results that are next in order and known.
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

func (o *ordered[T]) enter(p *position[T], sub *node[T]) {
	p.node.subs[p.sub] = nil
	p.sub++
	o.cursor = append(o.cursor, position[T]{node: sub})
}

// dirBefore reports whether the paths below dir sort before the path of file.
func dirBefore(dir, file string) bool {
	n := min(len(dir), len(file))
	if c := strings.Compare(dir[:n], file[:n]); c != 0 {
		return c < 0
	}
	return len(file) > len(dir) && '/' < file[len(dir)]
}
