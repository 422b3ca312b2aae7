// How much CPU time does the package take to judge many objects under one schema?
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"syscall"
)

const benchSamples = 5

type benchPlan struct {
	Schema  json.RawMessage   `json:"schema"`
	Objects []json.RawMessage `json:"objects"`
	// Rounds is how often all objects are judged in one sample.
	Rounds int `json:"rounds"`
}

type benchResult struct {
	Objects int `json:"objects"`
	Invalid int `json:"invalid"`
	Rounds  int `json:"rounds"`
	// CPUMs is the least of some samples: reading the JSON, pruning, defaulting and judging all objects, all rounds.
	CPUMs float64 `json:"cpuMs"`
	// JudgeCPUMs is the same without reading the JSON, pruning and defaulting.
	JudgeCPUMs float64 `json:"judgeCpuMs"`
}

func runBench(file string, out *bufio.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	plan := benchPlan{Rounds: 1}
	if err := json.Unmarshal(text, &plan); err != nil {
		return err
	}
	schema, err := schemaOf(plan.Schema)
	if err != nil {
		return err
	}
	defined, err := definitionOf(schema, false)
	if err != nil {
		return err
	}
	result := benchResult{Objects: len(plan.Objects), Rounds: plan.Rounds}
	for sample := range benchSamples {
		whole, judging, invalid, err := defined.benchRound(&plan)
		if err != nil {
			return err
		}
		if sample == 0 || whole < result.CPUMs {
			result.CPUMs = whole
		}
		if sample == 0 || judging < result.JudgeCPUMs {
			result.JudgeCPUMs = judging
		}
		result.Invalid = invalid
	}
	writeLine(out, result)
	return nil
}

func (d *definition) benchRound(plan *benchPlan) (whole, judging float64, invalid int, err error) {
	for range plan.Rounds {
		invalid = 0
		objects := make([]map[string]any, 0, len(plan.Objects))
		start := cpuMs()
		for _, raw := range plan.Objects {
			object, _, err := d.read(raw, true)
			if err != nil {
				return 0, 0, 0, err
			}
			objects = append(objects, object)
		}
		read := cpuMs()
		for _, object := range objects {
			answered := response{}
			d.judge(object, nil, &answered)
			if len(answered.Schema)+len(answered.Embedded)+len(answered.Lists)+len(answered.Rules) > 0 {
				invalid++
			}
		}
		end := cpuMs()
		whole += end - start
		judging += end - read
	}
	return whole, judging, invalid, nil
}

func cpuMs() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}
