// What does OLM's own solver answer, and how long does it take? Reads one instance (a JSON file with its variables), solves
// it some times and prints a line with CPU time and selection each time. Nobody here judges the selection: the caller does.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"github.com/operator-framework/operator-lifecycle-manager/pkg/controller/registry/resolver/solver"
)

// entry is a variable of an instance, with what must hold when it is selected.
type entry struct {
	ID        int     `json:"id"`
	Mandatory int     `json:"m"`
	Forbidden int     `json:"p"`
	Requires  [][]int `json:"d"`
	Conflicts []int   `json:"c"`
	// AtMost has lists whose first number is how many of the others may be selected.
	AtMost [][]int `json:"a"`
}

type instance struct {
	Vars []entry `json:"vars"`
}

// answer is what came of solving once: a selection, or "unsatisfiable", or another error.
type answer struct {
	CPUMilliseconds float64 `json:"cpuMs"`
	Selected        []int   `json:"selected,omitempty"`
	Error           string  `json:"error,omitempty"`
	// Core counts the constraints that it names when there is no answer.
	Core int `json:"core,omitempty"`
	// PeakKilobytes is the memory of the whole process so far.
	PeakKilobytes int64 `json:"peakKb"`
}

type variable struct {
	id          solver.Identifier
	constraints []solver.Constraint
}

func (v variable) Identifier() solver.Identifier    { return v.id }
func (v variable) Constraints() []solver.Constraint { return v.constraints }

func main() {
	times := flag.Int("times", 1, "solve so many times")
	budget := flag.Float64("seconds", 2, "begin no further time after so many seconds of CPU time")
	limit := flag.Uint64("limit", 60, "be killed after so many seconds of CPU time: the solver cannot be interrupted")
	flag.Parse()
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: *limit, Max: *limit}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := run(flag.Arg(0), *times, *budget); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string, times int, budget float64) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var read instance
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	variables := make([]solver.Variable, len(read.Vars))
	for i, one := range read.Vars {
		variables[i] = variableOf(one)
	}
	out := json.NewEncoder(os.Stdout)
	start := cpuMilliseconds()
	for done := 0; done < times && (done == 0 || cpuMilliseconds()-start < budget*1000); done++ {
		if err := out.Encode(solveOnce(variables)); err != nil {
			return err
		}
	}
	return nil
}

// solveOnce measures from the variables to the answer: teaching the solver its constraints is part of it.
func solveOnce(variables []solver.Variable) answer {
	start := cpuMilliseconds()
	selected, err := solve(variables)
	result := answer{CPUMilliseconds: cpuMilliseconds() - start, PeakKilobytes: usage().Maxrss}
	var unsatisfiable solver.NotSatisfiable
	switch {
	case errors.As(err, &unsatisfiable):
		result.Error = "unsatisfiable"
		result.Core = len(unsatisfiable)
	case err != nil:
		result.Error = err.Error()
	default:
		result.Selected = make([]int, 0, len(selected))
		for _, one := range selected {
			id, err := strconv.Atoi(one.Identifier().String())
			if err != nil {
				result.Error = err.Error()
				return result
			}
			result.Selected = append(result.Selected, id)
		}
	}
	return result
}

func solve(variables []solver.Variable) ([]solver.Variable, error) {
	s, err := solver.New(solver.WithInput(variables))
	if err != nil {
		return nil, err
	}
	return s.Solve(context.Background())
}

func variableOf(one entry) variable {
	result := variable{id: identifier(one.ID)}
	if one.Mandatory != 0 {
		result.constraints = append(result.constraints, solver.Mandatory())
	}
	if one.Forbidden != 0 {
		result.constraints = append(result.constraints, solver.Prohibited())
	}
	for _, candidates := range one.Requires {
		result.constraints = append(result.constraints, solver.Dependency(identifiers(candidates)...))
	}
	for _, other := range one.Conflicts {
		result.constraints = append(result.constraints, solver.Conflict(identifier(other)))
	}
	for _, group := range one.AtMost {
		result.constraints = append(result.constraints, solver.AtMost(group[0], identifiers(group[1:])...))
	}
	return result
}

func identifier(id int) solver.Identifier { return solver.Identifier(strconv.Itoa(id)) }

func identifiers(ids []int) []solver.Identifier {
	result := make([]solver.Identifier, len(ids))
	for i, id := range ids {
		result[i] = identifier(id)
	}
	return result
}

func cpuMilliseconds() float64 {
	used := usage()
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

func usage() syscall.Rusage {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return used
}
