// What do consumers of OCM see of a Placement? This reads its PlacementDecisions as OCM's own consumers do: with an informer, and
// with the tracker of OCM's SDK. It reports at the start and at every event, until it is stopped; a report is a line of JSON:
//
//	decisions --kubeconfig FILE --namespace NAMESPACE --placement NAME [--existing CLUSTER,CLUSTER]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"os"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	clusterclient "open-cluster-management.io/api/client/cluster/clientset/versioned"
	clusterinformers "open-cluster-management.io/api/client/cluster/informers/externalversions"
	"open-cluster-management.io/ocm/pkg/common/helpers"
	clustersdk "open-cluster-management.io/sdk-go/pkg/apis/cluster/v1beta1"
)

// What the tracker says at one moment.
type report struct {
	// Since the last report; in the first one, compared with the clusters of --existing.
	Added   []string `json:"added"`
	Deleted []string `json:"deleted"`
	// The groups in their order.
	Groups []group `json:"groups"`
}

// A decision group: its clusters by every way to ask for them.
type group struct {
	Name  string `json:"name"`
	Index int32  `json:"index"`
	// Among all groups.
	Clusters []string `json:"clusters"`
	ByIndex  []string `json:"byIndex"`
	// Several groups can have one name. No group can be asked for by the empty name.
	ByName []string `json:"byName"`
	// The clusters of all other groups.
	Besides []string `json:"besides"`
}

func readDecisions(ctx context.Context) {
	// Not the common flags: packages of the controller have put theirs there.
	flags := flag.NewFlagSet("decisions", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "the kubeconfig of the hub")
	namespace := flags.String("namespace", "", "the namespace of the Placement")
	name := flags.String("placement", "", "the Placement")
	existing := flags.String("existing", "", "the clusters that the consumer knows already")
	_ = flags.Parse(os.Args[1:])

	config := must(clientcmd.BuildConfigFromFlags("", *kubeconfig))
	clusters := must(clusterclient.NewForConfig(config))
	placement := must(clusters.ClusterV1beta1().Placements(*namespace).Get(ctx, *name, metav1.GetOptions{}))
	informers := clusterinformers.NewSharedInformerFactoryWithOptions(clusters, 0, clusterinformers.WithNamespace(*namespace))
	decisions := informers.Cluster().V1beta1().PlacementDecisions()
	// Without a buffer: each event has a report of its own.
	events := make(chan struct{})
	announce := func(any) { events <- struct{}{} }
	must(decisions.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    announce,
		UpdateFunc: func(_, changed any) { announce(changed) },
		DeleteFunc: announce,
	}))
	informers.Start(ctx.Done())
	// Before that, decisions are missing in the informer.
	informers.WaitForCacheSync(ctx.Done())

	known := sets.New[string]()
	if *existing != "" {
		known.Insert(strings.Split(*existing, ",")...)
	}
	getter := helpers.PlacementDecisionGetter{Client: decisions.Lister()}
	tracker := clustersdk.NewPlacementDecisionClustersTracker(placement, getter, known)
	lines := json.NewEncoder(os.Stdout)
	for {
		if err := lines.Encode(reportOf(tracker)); err != nil {
			log.Fatal(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-events:
		}
	}
}

func reportOf(tracker *clustersdk.PlacementDecisionClustersTracker) report {
	added, deleted, err := tracker.GetClusterChanges()
	if err != nil {
		log.Fatal(err)
	}
	all := tracker.ExistingClusterGroupsBesides()
	groups := []group{}
	for _, key := range all.GetOrderedGroupKeys() {
		index := clustersdk.GroupKey{GroupIndex: key.GroupIndex}
		one := group{
			Name:     key.GroupName,
			Index:    key.GroupIndex,
			Clusters: sets.List(all[key]),
			ByIndex:  sets.List(tracker.ExistingClusterGroups(index).GetClusters()),
			ByName:   []string{},
			Besides:  sets.List(tracker.ExistingClusterGroupsBesides(index).GetClusters()),
		}
		if key.GroupName != "" {
			one.ByName = sets.List(tracker.ExistingClusterGroups(clustersdk.GroupKey{GroupName: key.GroupName}).GetClusters())
		}
		groups = append(groups, one)
	}
	return report{Added: sets.List(added), Deleted: sets.List(deleted), Groups: groups}
}
