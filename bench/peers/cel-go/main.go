// What does this program do? It answers CEL questions with cel-go and the Kubernetes libraries: one JSON line in, one JSON
// line out, in order; or, with -bench FILE, it says how fast cel-go answers a set of expressions.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	benchFile := flag.String("bench", "", "JSON file with expressions and objects to measure")
	flag.Parse()
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	if *benchFile != "" {
		if err := runBench(*benchFile, out); err != nil {
			out.Flush()
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := answerLines(os.Stdin, out); err != nil {
		out.Flush()
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
