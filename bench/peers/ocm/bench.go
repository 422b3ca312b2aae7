// How long does OCM take to place? The clusters of the bound sets are collected with OCM's own function, as its controller
// does it, and given to its scheduler; cutting and writing PlacementDecisions is not measured.
package main

import (
	"bufio"
	"context"
	"os"
	"sort"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clustersdk "open-cluster-management.io/sdk-go/pkg/apis/cluster/v1beta2"
)

// measured is what came of placing one Placement some times.
type measured struct {
	Key      string  `json:"key"`
	Status   string  `json:"status"`
	Selected int     `json:"selected"`
	Runs     int     `json:"runs"`
	CPU      float64 `json:"cpuMs"`
	Wall     float64 `json:"wallMs"`
	// Peak is the memory of the whole process so far.
	Peak int64 `json:"peakKb"`
}

func runBench(path, now string, runs int, seconds float64, out *bufio.Writer) error {
	if err := stopClocks(now); err != nil {
		return err
	}
	objects, placements, err := readFleet(path)
	if err != nil {
		return err
	}
	h, err := newHub(objects)
	if err != nil {
		return err
	}
	for _, placement := range placements {
		one, err := h.measure(placement, runs, seconds)
		if err != nil {
			return err
		}
		if err := writeLine(out, one); err != nil {
			return err
		}
	}
	return nil
}

func readFleet(path string) (objects []runtime.Object, placements []*clusterv1beta1.Placement, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	err = eachLine(file, func(line []byte) error {
		object, err := objectOf(line)
		if err != nil {
			return err
		}
		if placement, is := object.(*clusterv1beta1.Placement); is {
			placements = append(placements, placement)
		}
		objects = append(objects, object)
		return nil
	})
	return objects, placements, err
}

// measure has the median of the runs.
func (h *hub) measure(placement *clusterv1beta1.Placement, runs int, seconds float64) (measured, error) {
	result := measured{Key: placement.Namespace + "/" + placement.Name}
	var cpus, walls []float64
	begin := cpuMilliseconds()
	for len(cpus) < runs && (len(cpus) == 0 || cpuMilliseconds()-begin < seconds*1000) {
		start, startCPU := time.Now(), cpuMilliseconds()
		clusters, err := h.candidates(placement)
		if err != nil {
			return result, err
		}
		decided, status := h.scheduler.Schedule(context.Background(), placement, clusters)
		cpus = append(cpus, cpuMilliseconds()-startCPU)
		walls = append(walls, float64(time.Since(start).Nanoseconds())/1e6)
		result.Status, result.Selected = codes[status.Code()], len(decided.Decisions())
	}
	sort.Float64s(cpus)
	sort.Float64s(walls)
	result.Runs, result.CPU, result.Wall = len(cpus), cpus[len(cpus)/2], walls[len(walls)/2]
	result.Peak = usage().Maxrss
	return result, nil
}

// candidates does what the controller does before it asks the scheduler; that part of OCM is not exported.
func (h *hub) candidates(placement *clusterv1beta1.Placement) ([]*clusterv1.ManagedCluster, error) {
	v1, v1beta2 := h.informers.Cluster().V1(), h.informers.Cluster().V1beta2()
	asked := map[string]bool{}
	for _, name := range placement.Spec.ClusterSets {
		asked[name] = true
	}
	bindings, err := v1beta2.ManagedClusterSetBindings().Lister().ManagedClusterSetBindings(placement.Namespace).List(labels.Everything())
	if err != nil {
		return nil, err
	}
	found := map[string]*clusterv1.ManagedCluster{}
	for _, binding := range bindings {
		set, err := v1beta2.ManagedClusterSets().Lister().Get(binding.Name)
		if err != nil || (len(asked) > 0 && !asked[binding.Name]) {
			continue
		}
		members, err := clustersdk.GetClustersFromClusterSet(set, v1.ManagedClusters().Lister())
		if err != nil {
			return nil, err
		}
		for _, member := range members {
			if member.DeletionTimestamp.IsZero() {
				found[member.Name] = member
			}
		}
	}
	result := make([]*clusterv1.ManagedCluster, 0, len(found))
	for _, cluster := range found {
		result = append(result, cluster)
	}
	return result, nil
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
