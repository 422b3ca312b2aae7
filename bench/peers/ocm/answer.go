// What did OCM decide? The controller is run once for each Placement, each time on the hub as it was given: candidates,
// filters, scores, groups, decisions and conditions are all OCM's own work.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	"open-cluster-management.io/ocm/pkg/placement/controllers/framework"
	"open-cluster-management.io/ocm/pkg/placement/controllers/scheduling"
	"open-cluster-management.io/sdk-go/pkg/basecontroller/factory"
)

type request struct {
	ID      json.RawMessage   `json:"id"`
	Now     string            `json:"now"`
	Objects []json.RawMessage `json:"objects"`
}

type response struct {
	ID         json.RawMessage `json:"id"`
	Placements []answer        `json:"placements"`
	Error      string          `json:"error,omitempty"`
}

// answer is what came of a Placement. Without a status the scheduler was not asked.
type answer struct {
	Key string `json:"key"`
	// Error is why the controller gave up before it asked the scheduler.
	Error string `json:"error,omitempty"`
	// Panic is what the controller died of.
	Panic  string  `json:"panic,omitempty"`
	Status *status `json:"status,omitempty"`
	// Selected are the names of the clusters, sorted.
	Selected     []string                       `json:"selected"`
	Scores       scheduling.PrioritizerScore    `json:"scores,omitempty"`
	Prioritizers []scheduling.PrioritizerResult `json:"prioritizers,omitempty"`
	Filters      []scheduling.FilterResult      `json:"filters,omitempty"`
	Unscheduled  int                            `json:"unscheduled"`
	Conditions   []condition                    `json:"conditions,omitempty"`
	Groups       []group                        `json:"groups,omitempty"`
}

type status struct {
	Code    string `json:"code"`
	Plugin  string `json:"plugin"`
	Message string `json:"message"`
}

type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// group is a decision group with its slices: the names of PlacementDecisions and the clusters in each.
type group struct {
	Name   string  `json:"name"`
	Slices []slice `json:"slices"`
}

type slice struct {
	Name     string   `json:"name"`
	Clusters []string `json:"clusters"`
}

var codes = map[framework.Code]string{
	framework.Success: "Success", framework.Warning: "Warning", framework.Error: "Error", framework.Misconfigured: "Misconfigured",
}

func answerLine(line []byte) response {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return response{Error: err.Error()}
	}
	placements, err := answersOf(asked)
	if err != nil {
		return response{ID: asked.ID, Error: err.Error()}
	}
	return response{ID: asked.ID, Placements: placements}
}

func answersOf(asked request) ([]answer, error) {
	if err := stopClocks(asked.Now); err != nil {
		return nil, err
	}
	objects := make([]runtime.Object, len(asked.Objects))
	var answers []answer
	var err error
	for i, text := range asked.Objects {
		if objects[i], err = objectOf(text); err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
	}
	for _, object := range objects {
		placement, is := object.(*clusterv1beta1.Placement)
		if !is {
			continue
		}
		one, err := place(objects, placement)
		if err != nil {
			return nil, err
		}
		answers = append(answers, one)
	}
	return answers, nil
}

func place(objects []runtime.Object, placement *clusterv1beta1.Placement) (result answer, err error) {
	result = answer{Key: placement.Namespace + "/" + placement.Name, Selected: []string{}}
	h, err := newHub(objects)
	if err != nil {
		return result, err
	}
	defer func() {
		if died := recover(); died != nil {
			result.Panic = fmt.Sprint(died)
		}
	}()
	syncErr := h.controller.Sync(context.Background(), factory.NewSyncContext("placement"), result.Key)
	if h.scheduler.result == nil {
		if syncErr != nil {
			result.Error = syncErr.Error()
		}
		return result, nil
	}
	told := h.scheduler.status
	result.Status = &status{Code: codes[told.Code()], Plugin: told.Plugin(), Message: told.Message()}
	for _, cluster := range h.scheduler.result.Decisions() {
		result.Selected = append(result.Selected, cluster.Name)
	}
	sort.Strings(result.Selected)
	result.Scores = h.scheduler.result.PrioritizerScores()
	result.Prioritizers = h.scheduler.result.PrioritizerResults()
	result.Filters = h.scheduler.result.FilterResults()
	result.Unscheduled = h.scheduler.result.NumOfUnscheduled()
	return result, h.readWritten(placement, &result)
}

// readWritten adds what the controller wrote: the status of the Placement, and the PlacementDecisions that it names.
func (h *hub) readWritten(placement *clusterv1beta1.Placement, result *answer) error {
	client, context := h.client.ClusterV1beta1(), context.Background()
	written, err := client.Placements(placement.Namespace).Get(context, placement.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, one := range written.Status.Conditions {
		result.Conditions = append(result.Conditions, condition{one.Type, string(one.Status), one.Reason, one.Message})
	}
	for _, one := range written.Status.DecisionGroups {
		made := group{Name: one.DecisionGroupName}
		for _, name := range one.Decisions {
			decision, err := client.PlacementDecisions(placement.Namespace).Get(context, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			cut := slice{Name: name, Clusters: []string{}}
			for _, one := range decision.Status.Decisions {
				cut.Clusters = append(cut.Clusters, one.ClusterName)
			}
			made.Slices = append(made.Slices, cut)
		}
		result.Groups = append(result.Groups, made)
	}
	return nil
}
