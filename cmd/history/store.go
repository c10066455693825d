package history

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
	"github.com/helve-dev/helve/pkg/state/store/export"
)

// The engines of a store, as they are printed.
const (
	boltEngine = "bolt"
	natsEngine = "nats"
)

// Store is "helve store": what messages and schedules are kept in.
func Store(h *host.Host, p *out.Printer) *cobra.Command {
	return out.Group(&cobra.Command{
		Use:   "store",
		Short: p.Text("Check and maintain the store of messages and schedules"),
		Example: p.Examples(
			"helve store check", p.Text("whether it is in order"),
			"helve store check --repair", p.Text("save what can be read"),
		),
	}, storeCheckCommand(h, p), storeExportCommand(h, p), storeCompactCommand(h, p))
}

// checked is the result of a check.
type checked struct {
	Engine string `json:"engine"`
	bolt.Report
}

// reached is the result of checking a store on a server: it can be read.
type reached struct {
	Engine string `json:"engine"`
	export.Counts
}

// storeCheckCommand is "helve store check".
func storeCheckCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var repair bool
	c := &cobra.Command{
		Use: "check", Args: out.Args(0, 0),
		Short: p.Text("Read the whole store and name what is damaged"),
		Example: p.Examples(
			"helve store check", p.Text("whether it is in order"),
			"helve store check --repair", p.Text("save what can be read"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := h.Store()
			if err != nil {
				return err
			}
			file, ok := s.(*bolt.Store)
			switch {
			case !ok && repair:
				return fault.New(fault.Unsupported, fault.T("the store is on a server, which looks after its files itself")).
					WithHint(fault.T("ask whoever runs the server"))
			case !ok:
				return checkServer(cmd.Context(), p, s)
			case repair:
				return repairStore(cmd.Context(), h, p, file)
			}
			return checkFile(cmd.Context(), p, file)
		},
	}
	c.Flags().BoolVar(&repair, "repair", false, p.Text("save what can be read into a new file, and keep the damaged one beside it"))
	return c
}

func checkFile(ctx context.Context, p *out.Printer, file *bolt.Store) error {
	found, err := file.Check(ctx)
	if err != nil {
		return err
	}
	text := countsText(p, export.Counts(found.Counts)) + p.Text("%d bytes, %d of them free: %s\n", found.Bytes, found.Free, found.Path)
	if len(found.Damage) == 0 {
		text += p.Text("no damage\n")
		return p.Report(out.Report{Data: checked{boltEngine, *found}, Text: text})
	}
	failure := fault.New(fault.BadDocument, fault.T("the store %s is damaged in %d places", found.Path, len(found.Damage))).
		WithHint(fault.T("save what can be read: helve store check --repair")).
		WithDetails(checked{boltEngine, *found})
	return p.Report(out.Report{Data: checked{boltEngine, *found}, Text: text + damageText(p, found.Damage), Failure: failure})
}

func checkServer(ctx context.Context, p *out.Printer, s store.Store) error {
	n, err := export.Each(ctx, s, func(export.Entry) error { return nil })
	if err != nil {
		return err
	}
	text := countsText(p, n) + p.Text("the server can be reached, and everything can be read\n")
	return p.Report(out.Report{Data: reached{natsEngine, n}, Text: text})
}

func repairStore(ctx context.Context, h *host.Host, p *out.Printer, file *bolt.Store) error {
	if err := changesStore(h); err != nil {
		return err
	}
	fixed, err := file.Repair(ctx)
	if err != nil {
		return err
	}
	text := countsText(p, export.Counts(fixed.Counts))
	if fixed.Kept == "" {
		return p.Report(out.Report{Data: fixed, Text: text + p.Text("no damage\n")})
	}
	text += damageText(p, fixed.Damage) + lostText(p, fixed.Lost) + p.Text("the damaged file: %s\n", fixed.Kept)
	var warnings []fault.Text
	if len(fixed.Lost) > 0 {
		warnings = append(warnings, fault.T("some of it could not be saved: see lost"))
	}
	if fixed.Doubtful {
		warnings = append(warnings, fault.T("some keys may have an earlier value, and messages that had been removed may be back"))
	}
	return p.Report(out.Report{Data: fixed, Text: text, Warnings: warnings})
}

// changesStore refuses to change a store for a run that only reads, and for a process that
// helve started.
func changesStore(h *host.Host) error {
	return h.MayWrite(fault.T("change the store or write it out"))
}

// mostExported limits the bytes that are printed as one document, which is held in memory.
const mostExported = 16 << 20

// storeExportCommand is "helve store export".
func storeExportCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use: "export", Args: out.Args(0, 0),
		Short:   p.Text("Write out the keys and messages of the store"),
		Example: p.Examples("helve store export --out store.ndjson", p.Text("everything in it, to a file")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := h.Store()
			if err != nil {
				return err
			}
			if file == "" {
				return printStore(cmd.Context(), p, s)
			}
			if err := changesStore(h); err != nil {
				return err
			}
			if file, err = filepath.Abs(file); err != nil {
				return fault.System(err, file)
			}
			n, err := export.File(cmd.Context(), s, file)
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: exported{file, n}, Text: countsText(p, n) + file + "\n"})
		},
	}
	c.Flags().StringVar(&file, "out", "", p.Text("new file to write to, one JSON object a line"))
	return c
}

// exported is an export to a file.
type exported struct {
	File string `json:"file"`
	export.Counts
}

func printStore(ctx context.Context, p *out.Printer, s store.Store) error {
	entries := []export.Entry{}
	var text strings.Builder
	size := 0
	_, err := export.Each(ctx, s, func(e export.Entry) error {
		line, err := schema.Marshal(e)
		if err != nil {
			return err
		}
		if size += len(line); size > mostExported {
			return fault.New(fault.TooLarge, fault.T("the store has more than %d bytes to print", mostExported)).
				WithHint(fault.T("write it to a file: helve store export --out FILE"))
		}
		entries = append(entries, e)
		if p.AsText() {
			text.Write(append(line, '\n'))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "entries", Value: entries}}, Text: text.String()})
}

// compacted counts the entries removed from a store, and the bytes of its file that were free.
type compacted struct {
	Engine  string        `json:"engine"`
	Removed bus.Compacted `json:"removed"`
	*bolt.Compacted
}

// storeCompactCommand is "helve store compact".
func storeCompactCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "compact", Args: out.Args(0, 0),
		Short:   p.Text("Remove messages that are past their time, and make the store's file smaller"),
		Example: p.Examples("helve store compact", p.Text("when messages were many")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := changesStore(h); err != nil {
				return err
			}
			s, err := h.Store()
			if err != nil {
				return err
			}
			b, err := h.Bus()
			if err != nil {
				return err
			}
			done := compacted{Engine: natsEngine}
			if done.Removed, err = b.Compact(cmd.Context()); err != nil {
				return err
			}
			text := p.Text("removed %d messages, %d dead letters, %d files\n", done.Removed.Messages, done.Removed.Letters, done.Removed.Files)
			file, ok := s.(*bolt.Store)
			if !ok {
				return p.Report(out.Report{Data: done, Text: text, Warnings: []fault.Text{
					fault.T("the server makes its own files smaller; nothing is to be done for that"),
				}})
			}
			done.Engine = boltEngine
			if done.Compacted, err = file.Compact(cmd.Context()); err != nil {
				return err
			}
			text += p.Text("%d bytes, before %d: %s\n", done.After, done.Before, done.Path)
			return p.Report(out.Report{Data: done, Text: text})
		},
	}
}

func countsText(p *out.Printer, n export.Counts) string {
	return p.Text("%d keys, %d messages in %d streams\n", n.Keys, n.Messages, n.Streams)
}

func damageText(p *out.Printer, damage []bolt.Damage) string {
	var b strings.Builder
	for _, d := range damage {
		b.WriteString(p.Text("page %d: %s", d.Page, d.Kind))
		if d.Record != "" {
			fmt.Fprintf(&b, " %s", d.Record)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func lostText(p *out.Printer, lost []bolt.Lost) string {
	var b strings.Builder
	for _, l := range lost {
		if l.Name != "" {
			b.WriteString(p.Text("lost: %s %s\n", l.Kind, l.Name))
			continue
		}
		b.WriteString(p.Text("lost: %s from %q to %q\n", l.Kind, l.From, l.To))
	}
	return b.String()
}
