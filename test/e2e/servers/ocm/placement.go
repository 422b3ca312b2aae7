// How does OCM itself decide? This is OCM's own placement controller, its own command but for the server for metrics, which would need
// a port: with leader election on the Lease placement-lock in --namespace, or without:
//
//	placement --kubeconfig FILE --namespace NAME [--kube-api-qps 50] [--kube-api-burst 100] [--disable-leader-election]
package main

import (
	"context"
	"log"

	"k8s.io/utils/clock"
	"open-cluster-management.io/ocm/pkg/common/options"
	hub "open-cluster-management.io/ocm/pkg/placement/controllers"
	"open-cluster-management.io/ocm/pkg/version"
)

func runPlacement(ctx context.Context) {
	opts := options.NewOptions()
	config := opts.NewControllerCommandConfig("placement", version.Get(), hub.RunControllerManager, clock.RealClock{})
	config.DisableServing = true
	command := config.NewCommandWithContext(ctx)
	opts.AddFlags(command.Flags())
	if err := command.Execute(); err != nil {
		log.Fatal(err)
	}
}
