// What does this program do? It says what OCM decides about Placements, with OCM's own controller and scheduler: one JSON
// line with a fleet in, one JSON line with an answer for each Placement out, in order; or, with -bench FILE, how fast.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"
)

func main() {
	benchFile := flag.String("bench", "", "file with the objects of a fleet, one a line, to measure")
	seconds := flag.Float64("seconds", 2, "begin no further run of a Placement after so many seconds of CPU time")
	runs := flag.Int("runs", 5, "place at most so many times")
	now := flag.String("now", "", "the time that -bench goes by, RFC 3339")
	flag.Parse()
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	var err error
	if *benchFile != "" {
		err = runBench(*benchFile, *now, *runs, *seconds, out)
	} else {
		err = eachLine(os.Stdin, func(line []byte) error { return writeLine(out, answerLine(line)) })
	}
	out.Flush()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func eachLine(in io.Reader, use func(line []byte) error) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := reader.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := use(line); err != nil {
				return err
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

func writeLine(out *bufio.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if _, err = out.Write(append(text, '\n')); err != nil {
		return err
	}
	return out.Flush()
}
