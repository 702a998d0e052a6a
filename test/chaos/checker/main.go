// Checks a history of operations on records for linearizability, each record separately.
//
// Input, on standard input: a JSON list of operations. Output: one JSON object,
// {"ok": true, "records": n, "operations": n} or {"ok": false, "record": id, "unknown": bool}.
// With -visualize <file>, writes a page that shows the first violation.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// Operation from the view of the fleet's clients. An operation without a response has no return time: it may have
// happened at any time after its call, or never.
type Operation struct {
	Client  int    `json:"client"`
	Kind    string `json:"kind"`
	Record  string `json:"record"`
	Value   string `json:"value"`
	IfMatch int    `json:"ifMatch"`
	Call    int64  `json:"call"`
	Return  int64  `json:"return"`
	// "ok", "missing" (404), "mismatch" (412) or "unknown".
	Outcome  string `json:"outcome"`
	Version  int    `json:"version"`
	Observed string `json:"observed"`
}

// state of one record. A deleted record keeps its version.
type state struct {
	Version int
	Live    bool
	Value   string
}

func step(s, input, _ interface{}) []interface{} {
	before := s.(state)
	operation := input.(Operation)
	after, allowed := apply(before, operation)
	if operation.Outcome == "unknown" {
		// The operation may have taken effect, but only if the state allowed it.
		if allowed {
			return []interface{}{before, after}
		}
		return []interface{}{before}
	}
	if !allowed {
		return nil
	}
	return []interface{}{after}
}

// apply returns the state of a record after an operation, and whether the outcome is possible.
func apply(s state, o Operation) (state, bool) {
	switch o.Outcome {
	case "missing":
		return s, !s.Live
	case "mismatch":
		return s, s.Live && o.IfMatch != 0 && o.IfMatch != s.Version
	}
	isKnown := o.Outcome == "ok"
	switch o.Kind {
	case "create":
		next := state{Version: 1, Live: true, Value: o.Value}
		return next, s.Version == 0 && (!isKnown || o.Version == 1)
	case "update":
		next := state{Version: s.Version + 1, Live: true, Value: o.Value}
		isMatch := o.IfMatch == 0 || o.IfMatch == s.Version
		return next, s.Live && isMatch && (!isKnown || o.Version == next.Version)
	case "delete":
		return state{Version: s.Version + 1}, s.Live && (o.IfMatch == 0 || o.IfMatch == s.Version)
	case "read":
		return s, s.Live && o.Version == s.Version && o.Observed == s.Value
	}
	panic("unknown kind " + o.Kind)
}

func describe(input, _ interface{}) string {
	o := input.(Operation)
	return fmt.Sprintf("%s %s ifMatch=%d -> %s v%d %s", o.Kind, o.Value, o.IfMatch, o.Outcome, o.Version, o.Observed)
}

func main() {
	visualization := flag.String("visualize", "", "file for a page that shows the first violation")
	timeout := flag.Duration("timeout", 60*time.Second, "for one record")
	flag.Parse()

	var operations []Operation
	if err := json.NewDecoder(os.Stdin).Decode(&operations); err != nil {
		fmt.Fprintln(os.Stderr, "not a history:", err)
		os.Exit(2)
	}
	byRecord := map[string][]porcupine.Operation{}
	last := int64(0)
	for _, o := range operations {
		last = max(last, o.Call, o.Return)
	}
	for _, o := range operations {
		returned := o.Return
		if o.Outcome == "unknown" {
			returned = last + 1
		}
		byRecord[o.Record] = append(byRecord[o.Record], porcupine.Operation{
			ClientId: o.Client, Input: o, Call: o.Call, Output: o, Return: returned,
		})
	}
	model := (&porcupine.NondeterministicModel{
		Init:              func() []interface{} { return []interface{}{state{}} },
		Step:              step,
		DescribeOperation: describe,
	}).ToModel()

	records := make([]string, 0, len(byRecord))
	for record := range byRecord {
		records = append(records, record)
	}
	sort.Strings(records)
	for _, record := range records {
		result, info := porcupine.CheckOperationsVerbose(model, byRecord[record], *timeout)
		if result == porcupine.Ok {
			continue
		}
		if *visualization != "" {
			if file, err := os.Create(*visualization); err == nil {
				_ = porcupine.Visualize(model, info, file)
				file.Close()
			}
		}
		answer(map[string]any{"ok": false, "record": record, "unknown": result == porcupine.Unknown})
		return
	}
	answer(map[string]any{"ok": true, "records": len(records), "operations": len(operations)})
}

func answer(value any) {
	if err := json.NewEncoder(os.Stdout).Encode(value); err != nil {
		os.Exit(2)
	}
}
