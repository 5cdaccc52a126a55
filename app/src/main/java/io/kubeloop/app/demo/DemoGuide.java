package io.kubeloop.app.demo;

import io.kubeloop.api.core.Pod;
import io.kubeloop.app.demo.Convergence.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text before and after the run: which parts there are, and where to look next. Holds no state. */
final class DemoGuide {

    private DemoGuide() {}

    /**
     * Returns one line for each part that runs.
     *
     * @param url the address of the API server
     * @param informers the resources of the informers
     */
    static List<String> parts(String url, List<String> informers) {
        return List.of(
                "Kubernetes' control plane in this process. No container runs; the kubelet is simulated.",
                "",
                part("API server", "stores the objects and sends each change to all watches; " + url),
                part("informers", "list and watch " + String.join(", ", informers)),
                part("", "and keep a cache of each, which the controllers read"),
                part("ReplicaSet controller", "creates and deletes pods until a ReplicaSet has as many as it requests"),
                part("Replication controller", "does the same for ReplicationControllers"),
                part("Endpoints controller", "writes the addresses of the ready pods of each Service"),
                part("kubelet", "(simulated) binds each pod to a node, gives it an address, reports it ready"),
                "",
                "What happens");
    }

    private static String part(String name, String does) {
        return String.format(Locale.ROOT, "  %-24s%s", name, does);
    }

    /** Returns where to look after a demo that has ended. */
    static List<String> afterwards() {
        return List.of(
                "",
                "Where to look next",
                next("./kubeloop demo", "the same, but it keeps running, with kubectl commands to try"),
                next("./kubeloop demo -f FILE", "the same with your own manifests"),
                next("docs/tour.md", "follows one event through the code, step by step"));
    }

    /**
     * Returns the commands that a user can try while the demo runs.
     *
     * @param kubeconfig the kubeconfig for the API server
     * @param rows the objects; the first ReplicaSet is the example
     * @param convergence where to find one of its pods
     */
    static List<String> meanwhile(Path kubeconfig, List<Row> rows, Convergence convergence) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("Where to look next, in another terminal (Ctrl-C ends the demo)");
        lines.add("  export KUBECONFIG=" + kubeconfig);
        lines.add(next("kubectl get replicasets,pods,endpoints", "the objects of the table"));
        rows.stream()
                .filter(row -> row.kind().equals("ReplicaSet"))
                .findFirst()
                .ifPresent(row -> examples(lines, row, convergence));
        lines.add(next("kubectl get events", "the creations and deletions of the controllers"));
        lines.add(next("docs/tour.md", "follows one event through the code, step by step"));
        lines.add("");
        return lines;
    }

    private static void examples(List<String> lines, Row set, Convergence convergence) {
        String namespace = set.name().namespace().equals("default")
                ? ""
                : " -n " + set.name().namespace();
        for (Pod pod : convergence.pods().list(set.name().namespace())) {
            var controller = pod.metadata().controller();
            if (controller != null && controller.name().equals(set.name().name())) {
                lines.add(next(
                        "kubectl" + namespace + " delete pod " + pod.metadata().name(),
                        "the ReplicaSet controller creates another one"));
                break;
            }
        }
        lines.add(next(
                "kubectl" + namespace + " scale replicaset " + set.name().name() + " --replicas=" + (set.wanted() + 2),
                "two more pods, then two more addresses"));
    }

    private static String next(String what, String why) {
        return String.format(Locale.ROOT, "  %-45s %s", what, why);
    }
}
