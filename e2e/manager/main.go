// Prints the feature gates of kube-controller-manager, one a line with tabs between the cells, and the controllers that do not run without it.
package main

import (
	"fmt"
	"sort"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	fmt.Println("name\tdefault\tlocked\tcontrollers")
	controllers := map[featuregate.Feature][]string{}
	for name, descriptor := range app.NewControllerDescriptors() {
		for _, gate := range descriptor.GetRequiredFeatureGates() {
			controllers[gate] = append(controllers[gate], name)
		}
	}
	// This one is asked by the controller's own start.
	controllers["StorageVersionMigrator"] = []string{"storage-version-migrator-controller"}
	all := utilfeature.DefaultMutableFeatureGate.GetAll()
	var names []string
	for name := range all {
		names = append(names, string(name))
	}
	sort.Strings(names)
	for _, name := range names {
		spec := all[featuregate.Feature(name)]
		without := controllers[featuregate.Feature(name)]
		sort.Strings(without)
		fmt.Printf("%s\t%t\t%t\t%s\n", name, spec.Default, spec.LockToDefault, strings.Join(without, " "))
	}
}
