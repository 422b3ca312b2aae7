// Which objects are there? They are read into OCM's own types, each by its kind; the clock stands still.
package main

import (
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clocktesting "k8s.io/utils/clock/testing"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1alpha1 "open-cluster-management.io/api/cluster/v1alpha1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"
	"open-cluster-management.io/ocm/pkg/placement/plugins/addon"
	"open-cluster-management.io/ocm/pkg/placement/plugins/tainttoleration"
)

// kinds has an empty object of each kind.
var kinds = map[string]func() runtime.Object{
	"ManagedCluster":           func() runtime.Object { return &clusterv1.ManagedCluster{} },
	"ManagedClusterSet":        func() runtime.Object { return &clusterv1beta2.ManagedClusterSet{} },
	"ManagedClusterSetBinding": func() runtime.Object { return &clusterv1beta2.ManagedClusterSetBinding{} },
	"Placement":                func() runtime.Object { return &clusterv1beta1.Placement{} },
	"PlacementDecision":        func() runtime.Object { return &clusterv1beta1.PlacementDecision{} },
	"AddOnPlacementScore":      func() runtime.Object { return &clusterv1alpha1.AddOnPlacementScore{} },
}

// objectOf leaves apiVersion and kind empty, as an informer does.
func objectOf(text []byte) (runtime.Object, error) {
	var typed struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(text, &typed); err != nil {
		return nil, err
	}
	empty, known := kinds[typed.Kind]
	if !known {
		return nil, fmt.Errorf("nobody here knows the kind %q", typed.Kind)
	}
	object := empty()
	err := json.Unmarshal(text, object)
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return object, err
}

// stopClocks makes every plugin that asks for the time get this one.
func stopClocks(now string) error {
	time, err := time.Parse(time.RFC3339, now)
	if err != nil {
		return err
	}
	tainttoleration.TolerationClock = clocktesting.NewFakeClock(time)
	addon.AddOnClock = clocktesting.NewFakeClock(time)
	return nil
}
