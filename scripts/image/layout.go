package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"maps"
	"slices"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// user owns nothing in the image: with -u, any other does as well.
const user = "65532"

// layout are the blobs of an image layout, by their digests.
type layout map[string][]byte

// descriptor names a blob.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// manifest is an image manifest or, with Manifests, an image index.
type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        *descriptor       `json:"config,omitempty"`
	Layers        []descriptor      `json:"layers,omitempty"`
	Manifests     []descriptor      `json:"manifests,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// put stores a blob and returns its descriptor.
func (l layout) put(mediaType string, data []byte) descriptor {
	d := "sha256:" + digest(data)
	l[d] = data
	return descriptor{MediaType: mediaType, Digest: d, Size: len(data)}
}

func (l layout) putJSON(mediaType string, v any) (descriptor, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, err
	}
	return l.put(mediaType, data), nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// image stores the image of one processor.
func (l layout) image(program []byte, processor, version string) (descriptor, error) {
	files, err := archived(root(program))
	if err != nil {
		return descriptor{}, err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(files)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return descriptor{}, err
	}
	of := platform{processor, "linux"}
	config, err := l.putJSON(configType, map[string]any{
		"architecture": of.Architecture, "os": of.OS,
		"config": map[string]any{
			"User": user + ":" + user, "WorkingDir": "/workspace", "Entrypoint": []string{"/usr/local/bin/helve"},
			"Env":    []string{"PATH=/usr/local/bin", "HOME=/home/helve"},
			"Labels": annotations(version),
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + digest(files)}},
		"history": []map[string]string{{"created_by": "scripts/image"}},
	})
	if err != nil {
		return descriptor{}, err
	}
	image, err := l.putJSON(manifestType, manifest{
		SchemaVersion: 2, MediaType: manifestType, Config: &config, Layers: []descriptor{l.put(layerType, packed.Bytes())}, Annotations: annotations(version),
	})
	image.Platform = &of
	return image, err
}

// annotations are those of https://github.com/opencontainers/image-spec/blob/main/annotations.md
func annotations(version string) map[string]string {
	const prefix = "org.opencontainers.image."
	return map[string]string{
		prefix + "title": "helve", prefix + "version": version, prefix + "licenses": "MIT",
		prefix + "description": "Tools for AI agents as commands that take and print JSON",
		prefix + "source":      "https://github.com/helve-dev/helve",
	}
}

// root returns the files of the image. What may be written to is open to every user.
func root(program []byte) []entry {
	var roots bytes.Buffer
	for r := range bundle.Roots() {
		// A root with constraints is for a program that checks them.
		if r.Constraint == nil {
			_ = pem.Encode(&roots, &pem.Block{Type: "CERTIFICATE", Bytes: r.Certificate}) // a buffer takes all
		}
	}
	return []entry{
		{"etc/", nil, 0o755},
		{"etc/group", []byte("helve:x:" + user + ":\n"), 0o644},
		{"etc/passwd", []byte("helve:x:" + user + ":" + user + ":helve:/home/helve:/usr/local/bin/helve\n"), 0o644},
		{"etc/ssl/", nil, 0o755},
		{"etc/ssl/certs/", nil, 0o755},
		{"etc/ssl/certs/ca-certificates.crt", roots.Bytes(), 0o644},
		{"home/", nil, 0o755},
		{"home/helve/", nil, 0o1777},
		{"tmp/", nil, 0o1777},
		{"usr/", nil, 0o755},
		{"usr/local/", nil, 0o755},
		{"usr/local/bin/", nil, 0o755},
		{"usr/local/bin/helve", program, 0o755},
		{"usr/share/", nil, 0o755},
		{"usr/share/helve/", nil, 0o755},
		{"usr/share/helve/image", []byte(Name + "\n"), 0o644}, // by which helve upgrade knows it
		{"workspace/", nil, 0o1777},
	}
}

// archive returns the layout with an index of the images as an archive.
func (l layout) archive(images []descriptor, version string) ([]byte, error) {
	all, err := l.putJSON(indexType, manifest{SchemaVersion: 2, MediaType: indexType, Manifests: images, Annotations: annotations(version)})
	if err != nil {
		return nil, err
	}
	all.Annotations = map[string]string{"org.opencontainers.image.ref.name": version, "io.containerd.image.name": Name + ":" + version}
	index, err := json.Marshal(manifest{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{all}})
	if err != nil {
		return nil, err
	}
	entries := []entry{
		{"oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644}, {"index.json", index, 0o644},
		{"blobs/", nil, 0o755}, {"blobs/sha256/", nil, 0o755},
	}
	for _, d := range slices.Sorted(maps.Keys(l)) {
		entries = append(entries, entry{"blobs/sha256/" + d[len("sha256:"):], l[d], 0o644})
	}
	return archived(entries)
}
