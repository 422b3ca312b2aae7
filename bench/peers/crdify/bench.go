// How much CPU time does crdify take to check many pairs of definitions?
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"syscall"

	"sigs.k8s.io/crdify/pkg/runner"
)

const benchSamples = 5

type benchResult struct {
	Pairs  int `json:"pairs"`
	Fails  int `json:"fails"`
	Panics int `json:"panics"`
	Rounds int `json:"rounds"`
	// CPUMs is the least of some samples: reading the JSON and checking all pairs, all rounds.
	CPUMs float64 `json:"cpuMs"`
	// CheckCPUMs is the same without reading the JSON.
	CheckCPUMs float64 `json:"checkCpuMs"`
}

func runBench(checks *runner.Runner, file string, rounds int, out *bufio.Writer) error {
	text, err := os.Open(file)
	if err != nil {
		return err
	}
	defer text.Close()
	lines := [][]byte{}
	if err := eachLine(text, func(line []byte) { lines = append(lines, append([]byte{}, line...)) }); err != nil {
		return err
	}
	best := benchResult{}
	for sample := range benchSamples {
		result := benchResult{Pairs: len(lines), Rounds: rounds}
		for range rounds {
			if err := benchRound(checks, lines, &result); err != nil {
				return err
			}
		}
		if sample == 0 || result.CPUMs < best.CPUMs {
			best = result
		}
	}
	best.Fails /= rounds
	best.Panics /= rounds
	writeLine(out, best)
	return nil
}

func benchRound(checks *runner.Runner, lines [][]byte, result *benchResult) error {
	start := cpuMs()
	pairs := make([]request, len(lines))
	for index, line := range lines {
		if err := json.Unmarshal(line, &pairs[index]); err != nil {
			return err
		}
	}
	read := cpuMs()
	for index := range pairs {
		fails, panicked := checkOne(checks, &pairs[index])
		if fails {
			result.Fails++
		}
		if panicked {
			result.Panics++
		}
	}
	end := cpuMs()
	result.CPUMs += end - start
	result.CheckCPUMs += end - read
	return nil
}

func checkOne(checks *runner.Runner, pair *request) (fails, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	return checks.Run(pair.Old, pair.New).HasFailures(), false
}

func cpuMs() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}
