// What does this program do? It judges objects as the Kubernetes API server does, with k8s.io/apiextensions-apiserver: one
// JSON line in, one JSON line out, in order; or, with -bench FILE, it says how fast that package judges objects.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	benchFile := flag.String("bench", "", "JSON file with a schema and objects to measure")
	flag.Parse()
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	var err error
	if *benchFile != "" {
		err = runBench(*benchFile, out)
	} else {
		err = answerLines(os.Stdin, out)
	}
	out.Flush()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answerLines flushes whenever no further input is waiting, so that it can also serve one question at a time.
func answerLines(in io.Reader, out *bufio.Writer) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := reader.ReadBytes('\n')
		if len(trimmed(line)) > 0 {
			writeLine(out, answerLine(line))
		}
		if reader.Buffered() == 0 {
			if flushErr := out.Flush(); flushErr != nil {
				return flushErr
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
