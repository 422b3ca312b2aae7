// What of OCM do the tests run? One binary is both programs, by the name it is called by: placement decides, decisions reads what
// was decided. They share nearly all of their code.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	switch name := filepath.Base(os.Args[0]); name {
	case "placement":
		runPlacement(ctx)
	case "decisions":
		readDecisions(ctx)
	default:
		fmt.Fprintf(os.Stderr, "called as %q: link it as placement or decisions\n", name)
		os.Exit(2)
	}
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
