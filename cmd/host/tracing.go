package host

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/trace"
	"github.com/helve-dev/helve/pkg/web"
)

// The variables of OpenTelemetry that helve reads.
const (
	collectorVariable        = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesVariable           = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	collectorHeadersVariable = "OTEL_EXPORTER_OTLP_HEADERS"
	serviceVariable          = "OTEL_SERVICE_NAME"
	parentVariable           = "TRACEPARENT"
)

// collector returns the address that spans are sent to; "" is none.
func collector() string {
	if at := os.Getenv(tracesVariable); at != "" {
		return at
	}
	if at := os.Getenv(collectorVariable); at != "" {
		return strings.TrimSuffix(at, "/") + "/v1/traces"
	}
	return ""
}

// tracer returns what records calls as spans; nil where the environment names no collector.
func (s *Settings) tracer() tool.Tracer {
	at := collector()
	if at == "" {
		return nil
	}
	mask := s.mask()
	if mask == nil {
		mask = secret.Mask
	}
	return trace.New(trace.Options{
		State: s.home.State, Version: s.host.Release(), Parent: os.Getenv(parentVariable), Content: s.Config.OTel.Content,
		Service: cmp.Or(os.Getenv(serviceVariable), "helve"), Mask: mask, Now: time.Now,
		Post: func(ctx context.Context, body []byte) error {
			// The person chose the address: the rules about hosts are for the model.
			client := web.New(web.Options{AllowPrivate: true, Proxy: proxies(s.Config.Web.Proxy)})
			r, err := client.Get(ctx, web.Request{URL: web.At(at), Body: body, ContentType: "application/json", Secret: collectorHeaders(), Once: true, Timeout: 5 * time.Second})
			if err != nil {
				return err
			}
			if r.Status/100 != 2 {
				return fault.New(fault.HTTPStatus, fault.T("the collector answers with status %d", r.Status))
			}
			return nil
		},
	})
}

// collectorHeaders returns the headers of requests to the collector.
func collectorHeaders() map[string]string {
	h := map[string]string{}
	for pair := range strings.SplitSeq(os.Getenv(collectorHeadersVariable), ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if plain, err := url.PathUnescape(value); ok && err == nil {
			h[strings.TrimSpace(name)] = strings.TrimSpace(plain)
		}
	}
	return h
}
