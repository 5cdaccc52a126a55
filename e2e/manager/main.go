// Prints the feature gates of kube-controller-manager, one a line with tabs between the cells.
package main

import (
	"fmt"
	"sort"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	fmt.Println("name\tdefault\tlocked")
	all := utilfeature.DefaultMutableFeatureGate.GetAll()
	var names []string
	for name := range all {
		names = append(names, string(name))
	}
	sort.Strings(names)
	for _, name := range names {
		spec := all[featuregate.Feature(name)]
		fmt.Printf("%s\t%t\t%t\n", name, spec.Default, spec.LockToDefault)
	}
}
