package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
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

// storeCommand is "helve store": what messages and schedules are kept in.
func storeCommand(h *host.Host, out *Printer) *cobra.Command {
	return group(&cobra.Command{
		Use:   "store",
		Short: out.Text("Look after the store that messages and schedules are kept in"),
		Example: out.Examples(
			"helve store check", out.Text("whether it is in order"),
			"helve store check --repair", out.Text("save what can be read"),
		),
	}, storeCheckCommand(h, out), storeExportCommand(h, out), storeCompactCommand(h, out))
}

// checked is what a check found.
type checked struct {
	Engine string `json:"engine"`
	bolt.Report
}

// reached is what a check of a store on a server found: that it can be read.
type reached struct {
	Engine string `json:"engine"`
	export.Counts
}

// storeCheckCommand is "helve store check".
func storeCheckCommand(h *host.Host, out *Printer) *cobra.Command {
	var repair bool
	c := &cobra.Command{
		Use: "check", Args: takes(0, 0),
		Short: out.Text("Read the whole store and name what is damaged"),
		Example: out.Examples(
			"helve store check", out.Text("whether it is in order"),
			"helve store check --repair", out.Text("save what can be read"),
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
				return checkServer(cmd.Context(), out, s)
			case repair:
				return repairStore(cmd.Context(), h, out, file)
			}
			return checkFile(cmd.Context(), out, file)
		},
	}
	c.Flags().BoolVar(&repair, "repair", false, out.Text("save what can be read into a new file, and keep the damaged one beside it"))
	return c
}

func checkFile(ctx context.Context, out *Printer, file *bolt.Store) error {
	found, err := file.Check(ctx)
	if err != nil {
		return err
	}
	text := countsText(out, export.Counts(found.Counts)) + out.Text("%d bytes, %d of them free: %s\n", found.Bytes, found.Free, found.Path)
	if len(found.Damage) == 0 {
		text += out.Text("no damage\n")
		return out.Report(report{data: checked{boltEngine, *found}, text: text})
	}
	failure := fault.New(fault.BadDocument, fault.T("the store %s is damaged in %d places", found.Path, len(found.Damage))).
		WithHint(fault.T("save what can be read: helve store check --repair")).
		WithDetails(checked{boltEngine, *found})
	return out.Report(report{data: checked{boltEngine, *found}, text: text + damageText(out, found.Damage), failure: failure})
}

func checkServer(ctx context.Context, out *Printer, s store.Store) error {
	n, err := export.Each(ctx, s, func(export.Entry) error { return nil })
	if err != nil {
		return err
	}
	text := countsText(out, n) + out.Text("the server can be reached, and everything can be read\n")
	return out.Report(report{data: reached{natsEngine, n}, text: text})
}

func repairStore(ctx context.Context, h *host.Host, out *Printer, file *bolt.Store) error {
	if err := changesStore(h); err != nil {
		return err
	}
	fixed, err := file.Repair(ctx)
	if err != nil {
		return err
	}
	text := countsText(out, export.Counts(fixed.Counts))
	if fixed.Kept == "" {
		return out.Report(report{data: fixed, text: text + out.Text("no damage\n")})
	}
	text += damageText(out, fixed.Damage) + lostText(out, fixed.Lost) + out.Text("the damaged file: %s\n", fixed.Kept)
	var warnings []fault.Text
	if len(fixed.Lost) > 0 {
		warnings = append(warnings, fault.T("some of it could not be saved: see lost"))
	}
	if fixed.Doubtful {
		warnings = append(warnings, fault.T("some keys may have an earlier value, and messages that had been removed may be back"))
	}
	return out.Report(report{data: fixed, text: text, warnings: warnings})
}

// changesStore refuses to change a store for a run that only reads, and for a process that
// helve started.
func changesStore(h *host.Host) error {
	return h.MayWrite(fault.T("change the store or write it out"))
}

// mostExported is how much is printed as one document, in bytes. It is held in memory.
const mostExported = 16 << 20

// storeExportCommand is "helve store export".
func storeExportCommand(h *host.Host, out *Printer) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use: "export", Args: takes(0, 0),
		Short:   out.Text("Write out the keys and messages of the store"),
		Example: out.Examples("helve store export --out store.ndjson", out.Text("everything in it, to a file")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := h.Store()
			if err != nil {
				return err
			}
			if file == "" {
				return printStore(cmd.Context(), out, s)
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
			return out.Report(report{data: exported{file, n}, text: countsText(out, n) + file + "\n"})
		},
	}
	c.Flags().StringVar(&file, "out", "", out.Text("new file to write to, one JSON object a line"))
	return c
}

// exported is an export to a file.
type exported struct {
	File string `json:"file"`
	export.Counts
}

func printStore(ctx context.Context, out *Printer, s store.Store) error {
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
		if out.text() {
			text.Write(append(line, '\n'))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.Report(report{data: schema.Document{{Name: "entries", Value: entries}}, text: text.String()})
}

// compacted is what was removed from a store, and of its file what was free.
type compacted struct {
	Engine  string        `json:"engine"`
	Removed bus.Compacted `json:"removed"`
	*bolt.Compacted
}

// storeCompactCommand is "helve store compact".
func storeCompactCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "compact", Args: takes(0, 0),
		Short:   out.Text("Remove messages that are past their time, and make the store's file smaller"),
		Example: out.Examples("helve store compact", out.Text("when messages were many")),
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
			text := out.Text("removed %d messages, %d dead letters, %d files\n", done.Removed.Messages, done.Removed.Letters, done.Removed.Files)
			file, ok := s.(*bolt.Store)
			if !ok {
				return out.Report(report{data: done, text: text, warnings: []fault.Text{
					fault.T("the server makes its own files smaller; nothing is to be done for that"),
				}})
			}
			done.Engine = boltEngine
			if done.Compacted, err = file.Compact(cmd.Context()); err != nil {
				return err
			}
			text += out.Text("%d bytes, before %d: %s\n", done.After, done.Before, done.Path)
			return out.Report(report{data: done, text: text})
		},
	}
}

func countsText(out *Printer, n export.Counts) string {
	return out.Text("%d keys, %d messages in %d streams\n", n.Keys, n.Messages, n.Streams)
}

func damageText(out *Printer, damage []bolt.Damage) string {
	var b strings.Builder
	for _, d := range damage {
		b.WriteString(out.Text("page %d: %s", d.Page, d.Kind))
		if d.Record != "" {
			fmt.Fprintf(&b, " %s", d.Record)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func lostText(out *Printer, lost []bolt.Lost) string {
	var b strings.Builder
	for _, l := range lost {
		if l.Name != "" {
			b.WriteString(out.Text("lost: %s %s\n", l.Kind, l.Name))
			continue
		}
		b.WriteString(out.Text("lost: %s from %q to %q\n", l.Kind, l.From, l.To))
	}
	return b.String()
}
