/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.api.core.Pod;
import io.kubeloop.demo.Convergence.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The text that the demo prints before and after its run: the started parts, and the next pages to read. Holds no
 * state.
 */
final class DemoGuide {

    private DemoGuide() {}

    /**
     * Returns one line for each part that runs.
     *
     * @param url the address of the API server
     * @param page the address of the live page; empty for none
     * @param informers the names of the informers
     */
    static List<String> parts(String url, String page, List<String> informers) {
        List<String> whole =
                informers.stream().filter(name -> !name.endsWith("(metadata)")).toList();
        List<String> lines = new ArrayList<>(List.of(
                "Kubernetes' control plane in this process. No container runs; the kubelet is simulated.",
                "",
                part("API server", "stores the objects and sends each change to all watches; " + url),
                part(
                        "informers",
                        "list and watch " + whole.size() + " resources, such as pods, and the metadata of "
                                + (informers.size() - whole.size()) + " others,"),
                part("", "and keep a cache of each, which the controllers read"),
                part(
                        "Deployment controller",
                        "creates a ReplicaSet for each pod template, and rolls from one to the next"),
                part("ReplicaSet controller", "creates and deletes pods until a ReplicaSet has as many as it requests"),
                part("StatefulSet controller", "does the same with numbered pods, one after the other"),
                part("Job controller", "creates pods until enough have completed; a CronJob starts a Job on schedule"),
                part("Endpoints controller", "writes the addresses of the ready pods of each Service"),
                part("kubelet", "(simulated) binds each pod to a node, gives it an address, reports it ready")));
        if (!page.isEmpty()) {
            lines.add(
                    part("live page", "shows all of this at a speed of your choice, with faults and lessons; " + page));
        }
        lines.addAll(List.of("", "What happens"));
        return lines;
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
     * @param rows the objects; the first Deployment and the first ReplicaSet are the examples
     * @param convergence where to find one of its pods
     */
    static List<String> meanwhile(Path kubeconfig, List<Row> rows, Convergence convergence) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("Where to look next, in another terminal (Ctrl-C ends the demo)");
        lines.add("  export KUBECONFIG=" + kubeconfig);
        lines.add(next("kubectl get all,endpoints", "the objects of the table"));
        Row set = first(rows, "ReplicaSet");
        if (set != null) {
            deletion(lines, set, convergence);
            Row deployment = first(rows, "Deployment");
            scaling(lines, deployment == null ? set : deployment);
        }
        lines.add(next("kubectl get events", "the creations and deletions of the controllers"));
        lines.add(next("docs/tour.md", "follows one event through the code, step by step"));
        lines.add("");
        return lines;
    }

    private static @Nullable Row first(List<Row> rows, String kind) {
        return rows.stream().filter(row -> row.kind().equals(kind)).findFirst().orElse(null);
    }

    private static void deletion(List<String> lines, Row set, Convergence convergence) {
        for (Pod pod : convergence.pods().list(set.name().namespace())) {
            var controller = pod.metadata().controller();
            if (controller != null && controller.name().equals(set.name().name())) {
                lines.add(next(
                        "kubectl" + namespace(set) + " delete pod "
                                + pod.metadata().name(),
                        "the ReplicaSet controller creates another one"));
                return;
            }
        }
    }

    private static void scaling(List<String> lines, Row owner) {
        lines.add(next(
                "kubectl" + namespace(owner) + " scale " + owner.kind().toLowerCase(Locale.ROOT) + " "
                        + owner.name().name() + " --replicas=" + (owner.wanted() + 2),
                "two more pods, then two more addresses"));
    }

    private static String namespace(Row row) {
        String namespace = row.name().namespace();
        return namespace.equals("default") ? "" : " -n " + namespace;
    }

    private static String next(String what, String why) {
        return String.format(Locale.ROOT, "  %-45s %s", what, why);
    }
}
