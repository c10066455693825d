package search

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/rank"
)

// mostGuesses limits the matches of a result with guesses.
const mostGuesses = 10

// ranked is a find with a query, or in another order than by level.
type ranked struct {
	find    *find
	rankers []*rank.Ranker // one for each worker; nil without a query
	kept    *best
	// worst is the worst tier that may still be wanted, given what was found.
	worst atomic.Int32
	hits  [rank.None]atomic.Int64
}

func newRanked(f *find) *ranked {
	r := &ranked{find: f, kept: newBest(f.Limit, f.Offset)}
	r.worst.Store(int32(rank.Some))
	if f.Sort != "" && f.Sort != ByRelevance {
		r.kept.most = unbounded
	}
	if f.query != nil {
		for range walk.Workers() {
			r.rankers = append(r.rankers, f.query.Ranker())
		}
	}
	return r
}

// take keeps an entry that fits. It is no result of the walk: that has another order.
func (r *ranked) take(worker int, h *walk.Handle, e walk.Entry) bool {
	if !r.find.selects(e) {
		return false
	}
	if r.rankers == nil {
		r.kept.add(worker, rank.Score{}, e)
		return false
	}
	ranker := r.rankers[worker]
	ranker.Enter(e.Prefix())
	worst := rank.Tier(r.worst.Load())
	s := ranker.Rank(e.Name(), worst)
	if s.Tier >= rank.Near && r.find.matcher != nil && e.Type == walk.File && r.find.holds(worker, h, e) {
		r.kept.addContent(worker, e)
		return false
	}
	if s.Tier < rank.None {
		r.kept.add(worker, s, e)
		if worst > rank.Part {
			r.count(s.Tier)
		}
	}
	return false
}

// count counts a hit, and gives up tiers that it makes unnecessary.
func (r *ranked) count(tier rank.Tier) {
	r.hits[tier].Add(1)
	var found [rank.None]int
	for i := range found {
		found[i] = int(r.hits[i].Load())
	}
	worst := rank.Some
	for worst > rank.Part && rank.Enough(&found, worst) {
		worst--
	}
	for {
		old := r.worst.Load()
		if old <= int32(worst) || r.worst.CompareAndSwap(old, int32(worst)) {
			return
		}
	}
}

func (r *ranked) found(walk.Names) {}

func (r *ranked) result(to *FindResult) { r.kept.result(r.find, to) }

// pick is an entry that may be a match.
type pick struct {
	score   rank.Score
	content bool // the text holds the query, the path does not
	entry   walk.Entry
}

// compare orders candidates of one tier: the best first, by level and path among equals.
func compare(a, b pick) int {
	return cmp.Or(a.score.Compare(b.score), a.entry.Compare(b.entry))
}

// best keeps the best candidates of each tier.
type best struct {
	limit, offset int
	most          int // candidates of a tier to keep
	workers       []workerBest
}

// leastKept is the number of candidates that are kept before worse ones are dropped.
const leastKept = 64

// workerBest holds the best candidates of one worker.
type workerBest struct {
	total [groups]int
	kept  [groups][]pick
	cut   [groups]bool // kept began with its best, in order, when worse ones were dropped
	_     [64]byte     // keeps the counts of two workers out of one cache line
}

// Candidates are grouped by tier, and those by content come before guesses.
const (
	byContent = int(rank.Near)
	groups    = int(rank.None) + 1
)

func groupOf(tier rank.Tier) int {
	if tier >= rank.Near {
		return int(tier) + 1
	}
	return int(tier)
}

func newBest(limit, offset int) *best {
	return &best{limit: limit, offset: offset, most: offset + limit, workers: make([]workerBest, walk.Workers())}
}

func (b *best) add(worker int, s rank.Score, e walk.Entry) {
	b.put(worker, groupOf(s.Tier), pick{score: s, entry: e})
}

func (b *best) addContent(worker int, e walk.Entry) {
	b.put(worker, byContent, pick{content: true, entry: e})
}

func (b *best) put(worker, group int, c pick) {
	s := &b.workers[worker]
	s.total[group]++
	kept := s.kept[group]
	if s.cut[group] && compare(c, kept[b.most-1]) > 0 {
		return
	}
	kept = append(kept, c)
	if len(kept)/2 > max(b.most, leastKept) {
		slices.SortFunc(kept, compare)
		clear(kept[b.most:])
		kept, s.cut[group] = kept[:b.most], true
	}
	s.kept[group] = kept
}

// choose returns the candidates that a result shows, in order, without those before the
// offset and behind the limit; and how many there are in all.
func (b *best) choose() (chosen []pick, total int, guessed bool) {
	var found [rank.None]int
	contents := 0
	for i := range b.workers {
		contents += b.workers[i].total[byContent]
		for tier := range found {
			found[tier] += b.workers[i].total[groupOf(rank.Tier(tier))]
		}
	}
	guessed = true
	for group := range groups {
		var kept []pick
		count := 0
		for i := range b.workers {
			kept = append(kept, b.workers[i].kept[group]...)
			count += b.workers[i].total[group]
		}
		slices.SortFunc(kept, compare)
		switch {
		case count == 0:
			continue
		case group == byContent:
			guessed = false
		case group < byContent:
			if rank.Enough(&found, rank.Tier(group)) {
				continue
			}
			guessed = false
		case contents > 0 || rank.Enough(&found, rank.Tier(group-1)) || total >= mostGuesses:
			continue
		default:
			count = min(count, mostGuesses-total)
			kept = kept[:min(len(kept), count)]
		}
		chosen, total = append(chosen, kept...), total+count
	}
	return chosen, total, guessed && total > 0
}

// result fills a result with the best candidates.
func (b *best) result(f *find, to *FindResult) {
	chosen, total, guessed := b.choose()
	to.Total, to.Guessed = total, guessed
	entries := make([]walk.Entry, len(chosen))
	for i := range chosen {
		entries[i] = chosen[i].entry
	}
	var infos []walk.Info
	switch f.Sort {
	case ByName:
		slices.SortFunc(chosen, func(x, y pick) int {
			return cmp.Or(strings.Compare(x.entry.Name(), y.entry.Name()), x.entry.Compare(y.entry))
		})
	case ByModified, BySize:
		infos = f.root.StatAll(entries)
		order := make([]int, len(chosen))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int {
			first := infos[j].Modified.Compare(infos[i].Modified)
			if f.Sort == BySize {
				first = cmp.Compare(sizeOf(infos[j]), sizeOf(infos[i]))
			}
			return cmp.Or(first, chosen[i].entry.Compare(chosen[j].entry))
		})
		sorted := make([]pick, len(order))
		for to, from := range order {
			sorted[to] = chosen[from]
		}
		chosen = sorted
	}
	chosen = chosen[min(len(chosen), b.offset):]
	chosen = chosen[:min(len(chosen), b.limit)]
	entries = entries[:len(chosen)]
	for i := range chosen {
		entries[i] = chosen[i].entry
		to.PathBytes += len(chosen[i].entry.Path()) + 1
	}
	infos = nil
	if !f.NamesOnly {
		infos = f.root.StatAll(entries)
	}
	to.Found = len(chosen)
	to.Matches = func(yield func(Match) bool) {
		for i, c := range chosen {
			hit := c.score.Hit()
			if c.content {
				hit = "content"
			}
			var info walk.Info
			if infos != nil {
				info = infos[i]
			}
			if !yield(match(workspace.Escape(c.entry.Prefix()), c.entry.Name(), c.entry.Type, hit, info)) {
				return
			}
		}
	}
}

// sizeOf returns the size of a file, and 0 for a directory.
func sizeOf(i walk.Info) int64 {
	if i.Type == walk.Dir {
		return 0
	}
	return i.Size
}
