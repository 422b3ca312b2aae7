// How does OCM itself decide? This is OCM's own placement controller, with everything that decides and writes, but without
// leader election, and without the server for metrics and debugging around it:
//
//	placement --kubeconfig FILE [--kube-api-qps 50] [--kube-api-burst 100]
package main

import (
	"context"
	"flag"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/clock"
	clusterclient "open-cluster-management.io/api/client/cluster/clientset/versioned"
	clusterscheme "open-cluster-management.io/api/client/cluster/clientset/versioned/scheme"
	clusterinformers "open-cluster-management.io/api/client/cluster/informers/externalversions"
	"open-cluster-management.io/ocm/pkg/placement/controllers/metrics"
	"open-cluster-management.io/ocm/pkg/placement/controllers/scheduling"
	"open-cluster-management.io/sdk-go/pkg/basecontroller/events"
)

// As OCM runs it in a hub.
const (
	shippedQPS   = 50
	shippedBurst = 100
	workers      = 1
	resync       = 10 * time.Minute
)

func runPlacement(ctx context.Context) {
	kubeconfig := flag.String("kubeconfig", "", "the kubeconfig of the hub")
	qps := flag.Float64("kube-api-qps", shippedQPS, "requests in a second")
	burst := flag.Int("kube-api-burst", shippedBurst, "requests at once")
	flag.Parse()

	config := must(clientcmd.BuildConfigFromFlags("", *kubeconfig))
	config.QPS, config.Burst = float32(*qps), *burst
	clusters := must(clusterclient.NewForConfig(config))
	kube := must(kubernetes.NewForConfig(config))
	recorder := must(events.NewEventRecorder(ctx, clusterscheme.Scheme, kube.EventsV1(), "placement-controller"))
	measures := metrics.NewScheduleMetrics(clock.RealClock{})
	informers := clusterinformers.NewSharedInformerFactory(clusters, resync)
	api := informers.Cluster()

	scheduler := scheduling.NewPluginScheduler(scheduling.NewSchedulerHandler(
		clusters,
		api.V1beta1().PlacementDecisions().Lister(),
		api.V1alpha1().AddOnPlacementScores().Lister(),
		api.V1().ManagedClusters().Lister(),
		recorder, measures,
	))
	controller := scheduling.NewSchedulingController(
		ctx,
		clusters,
		api.V1().ManagedClusters(),
		api.V1beta2().ManagedClusterSets(),
		api.V1beta2().ManagedClusterSetBindings(),
		api.V1beta1().Placements(),
		api.V1beta1().PlacementDecisions(),
		api.V1alpha1().AddOnPlacementScores(),
		scheduler,
		recorder, measures,
	)

	go informers.Start(ctx.Done())
	go controller.Run(ctx, workers)
	<-ctx.Done()
}
