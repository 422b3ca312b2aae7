// What does this program do? It says what OLM v1 says about the upgrade of a CustomResourceDefinition, with crdify in the
// configuration of operator-controller: one JSON line in, one JSON line out, in order; or, with -bench FILE, how fast.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/crdify/pkg/runner"
)

type request struct {
	ID  json.RawMessage              `json:"id"`
	Old *v1.CustomResourceDefinition `json:"old"`
	New *v1.CustomResourceDefinition `json:"new"`
}

type response struct {
	ID     json.RawMessage `json:"id"`
	Passes bool            `json:"passes"`
	Faults []fault         `json:"faults,omitempty"`
	Error  string          `json:"error,omitempty"`
}

func main() {
	benchFile := flag.String("bench", "", "file with one pair a line to measure")
	rounds := flag.Int("rounds", 1, "how often all pairs are checked in one sample")
	flag.Parse()
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	checks, err := newRunner()
	if err == nil && *benchFile != "" {
		err = runBench(checks, *benchFile, *rounds, out)
	} else if err == nil {
		err = eachLine(os.Stdin, func(line []byte) { writeLine(out, answerLine(checks, line)) })
	}
	out.Flush()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func eachLine(in io.Reader, use func(line []byte)) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := reader.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			use(line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// answerLine never fails: a pair at which crdify panics becomes an answer with an error.
func answerLine(checks *runner.Runner, line []byte) (result response) {
	var pair request
	defer func() {
		if problem := recover(); problem != nil {
			result = response{ID: pair.ID, Error: fmt.Sprintf("panic: %v", problem)}
		}
	}()
	if err := json.Unmarshal(line, &pair); err != nil {
		return response{ID: json.RawMessage("null"), Error: "bad request: " + err.Error()}
	}
	results := checks.Run(pair.Old, pair.New)
	return response{ID: pair.ID, Passes: !results.HasFailures(), Faults: faultsOf(results)}
}

func writeLine(out *bufio.Writer, value any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fmt.Fprintf(out, "{\"id\":null,\"error\":%q}\n", err.Error())
	}
}
