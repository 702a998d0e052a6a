// Reads Kubernetes objects as YAML from standard input, and decodes the custom resources whose Go types are known,
// rejecting unknown fields. Prints a line for each object.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"
)

type header struct {
	Kind     string
	Metadata struct{ Name string }
}

func main() {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	types := map[string]func() any{
		"HTTPRoute":      func() any { return &gateway.HTTPRoute{} },
		"PrometheusRule": func() any { return &monitoring.PrometheusRule{} },
		"ServiceMonitor": func() any { return &monitoring.ServiceMonitor{} },
	}
	code := 0
	for _, document := range bytes.Split(input, []byte("\n---\n")) {
		var head header
		if err := yaml.Unmarshal(document, &head); err != nil {
			panic(err)
		}
		create, isKnown := types[head.Kind]
		if !isKnown {
			continue
		}
		result := "valid"
		if err := yaml.UnmarshalStrict(document, create()); err != nil {
			result = err.Error()
			code = 1
		}
		fmt.Printf("%s %s: %s\n", head.Kind, head.Metadata.Name, result)
	}
	os.Exit(code)
}
