// What does a hub with OCM's placement controller look like? Informers that are filled by hand instead of watching, a client
// that keeps what is written, and a scheduler whose last answer can be read.
package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	kevents "k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"open-cluster-management.io/api/client/cluster/clientset/versioned/fake"
	informers "open-cluster-management.io/api/client/cluster/informers/externalversions"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1alpha1 "open-cluster-management.io/api/cluster/v1alpha1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"
	"open-cluster-management.io/ocm/pkg/placement/controllers/framework"
	"open-cluster-management.io/ocm/pkg/placement/controllers/metrics"
	"open-cluster-management.io/ocm/pkg/placement/controllers/scheduling"
	"open-cluster-management.io/sdk-go/pkg/basecontroller/factory"
)

// listening is OCM's scheduler, and what it last answered.
type listening struct {
	scheduling.Scheduler
	result scheduling.ScheduleResult
	status *framework.Status
}

func (l *listening) Schedule(ctx context.Context, placement *clusterv1beta1.Placement, clusters []*clusterv1.ManagedCluster,
) (scheduling.ScheduleResult, *framework.Status) {
	l.result, l.status = l.Scheduler.Schedule(ctx, placement, clusters)
	return l.result, l.status
}

type hub struct {
	client     *fake.Clientset
	informers  informers.SharedInformerFactory
	scheduler  *listening
	controller factory.Controller
}

// newHub has a hub with these objects. Whatever a client writes is not seen by the informers: each sync starts from them.
func newHub(objects []runtime.Object) (*hub, error) {
	// The client keeps what is written and needs nothing else: whatever is read comes from the informers.
	var written []runtime.Object
	for _, object := range objects {
		switch object.(type) {
		case *clusterv1beta1.Placement, *clusterv1beta1.PlacementDecision:
			written = append(written, object)
		}
	}
	client := fake.NewSimpleClientset(written...)
	all := informers.NewSharedInformerFactory(client, 0)
	recorder, measures := &kevents.FakeRecorder{}, metrics.NewScheduleMetrics(clock.RealClock{})
	v1, v1alpha1, v1beta1, v1beta2 := all.Cluster().V1(), all.Cluster().V1alpha1(), all.Cluster().V1beta1(), all.Cluster().V1beta2()
	scheduler := &listening{Scheduler: scheduling.NewPluginScheduler(scheduling.NewSchedulerHandler(client,
		v1beta1.PlacementDecisions().Lister(), v1alpha1.AddOnPlacementScores().Lister(), v1.ManagedClusters().Lister(),
		recorder, measures))}
	controller := scheduling.NewSchedulingController(context.Background(), client, v1.ManagedClusters(),
		v1beta2.ManagedClusterSets(), v1beta2.ManagedClusterSetBindings(), v1beta1.Placements(), v1beta1.PlacementDecisions(),
		v1alpha1.AddOnPlacementScores(), scheduler, recorder, measures)
	made := &hub{client: client, informers: all, scheduler: scheduler, controller: controller}
	for _, object := range objects {
		store, err := made.storeOf(object)
		if err == nil {
			err = store.Add(object)
		}
		if err != nil {
			return nil, err
		}
	}
	return made, nil
}

func (h *hub) storeOf(object runtime.Object) (cache.Store, error) {
	all := h.informers.Cluster()
	switch object.(type) {
	case *clusterv1.ManagedCluster:
		return all.V1().ManagedClusters().Informer().GetStore(), nil
	case *clusterv1alpha1.AddOnPlacementScore:
		return all.V1alpha1().AddOnPlacementScores().Informer().GetStore(), nil
	case *clusterv1beta1.Placement:
		return all.V1beta1().Placements().Informer().GetStore(), nil
	case *clusterv1beta1.PlacementDecision:
		return all.V1beta1().PlacementDecisions().Informer().GetStore(), nil
	case *clusterv1beta2.ManagedClusterSet:
		return all.V1beta2().ManagedClusterSets().Informer().GetStore(), nil
	case *clusterv1beta2.ManagedClusterSetBinding:
		return all.V1beta2().ManagedClusterSetBindings().Informer().GetStore(), nil
	default:
		return nil, fmt.Errorf("nobody here keeps a %T", object)
	}
}
