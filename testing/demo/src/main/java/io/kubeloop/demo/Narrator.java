/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.demo.Convergence.ServiceProgress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Explains what the controllers and the kubelet do, in one line per phase of an object, from the changes that informers
 * report.
 *
 * <p>Confined to the thread that runs the demo. The caller passes the changes of one object in order. The order across
 * objects is free: pods may arrive before their owner.
 */
final class Narrator {

    /**
     * The most owners and Services that are explained one by one; the counts of {@link ProgressView} cover the others.
     */
    static final int MAX_OBJECTS = 12;

    /** An object that controls pods, and the pods that count for it. */
    private static final class OwnedPods {

        private @Nullable Owner owner;
        private final Map<ObjectName, Pod> pods = new LinkedHashMap<>();

        /** The pods that became ready since the last line of the kubelet. */
        private final Map<ObjectName, Pod> started = new LinkedHashMap<>();

        private boolean settled;

        private int ready() {
            return (int) pods.values().stream().filter(Pod::isReady).count();
        }

        /** Returns how many pods existed before the owner did; the controller has adopted them. */
        private int adopted(Owner owner) {
            Time created = owner.metadata().creationTimestamp();
            return (int) pods.values().stream()
                    .map(pod -> pod.metadata().creationTimestamp())
                    .filter(time -> time != null && created != null && time.compareTo(created) < 0)
                    .count();
        }
    }

    /**
     * The last line about a Service.
     *
     * @param addresses the ready addresses at that time
     * @param complete whether these were all pods of the Service
     */
    private record ServiceLine(Set<String> addresses, boolean complete) {}

    private final Consumer<String> say;
    private final Map<String, OwnedPods> owners = new HashMap<>();
    private final Map<ObjectName, String> ownerOfPod = new HashMap<>();
    private final Map<ObjectName, ServiceLine> services = new HashMap<>();
    private final Set<String> explained = new HashSet<>();
    private final Set<String> events = new HashSet<>();

    /**
     * Creates a narrator.
     *
     * @param say receives each line, without a line break
     */
    Narrator(Consumer<String> say) {
        this.say = say;
    }

    /** Handles a new or changed owner. Repeating an unchanged owner has no effect. */
    void owner(Owner owner) {
        OwnedPods owned = owned(owner.metadata().uid());
        Owner before = owned.owner;
        owned.owner = owner;
        int has = before == null ? owned.adopted(owner) : owned.pods.size();
        if (before == null || before.wanted() != owner.wanted()) {
            explainGap(owned, owner, has, "has ");
            explainStart(owned);
        }
        explainSettled(owned);
    }

    /**
     * Handles an event about an object whose pods belong to objects that it owns. Repeating an event has no effect.
     *
     * @param uid the UID of the event
     */
    void event(Owner owner, String uid, String message) {
        if (events.add(uid)) {
            line(owner, owner.controller() + ": " + name(owner.metadata()) + ": " + message);
        }
    }

    /** Handles the deletion of an owner. */
    void ownerGone(ObjectMeta metadata) {
        OwnedPods owned = owners.remove(metadata.uid());
        if (owned == null || owned.owner == null) {
            return;
        }
        owned.pods.keySet().forEach(ownerOfPod::remove);
        line(
                owned.owner,
                owned.pods.isEmpty()
                        ? owned.owner.kind() + " " + name(metadata) + " is deleted, and it has no pods left"
                        : "Garbage collector: " + owned.owner.kind() + " " + name(metadata) + " is deleted, deleting "
                                + pods(owned.pods.size()) + " that it owned");
    }

    /** Handles a new or changed pod. */
    void pod(Pod pod) {
        ObjectName name = pod.objectName();
        String owner = countsFor(pod);
        String before = ownerOfPod.getOrDefault(name, "");
        if (!before.equals(owner)) {
            leave(name, before);
        }
        if (!owner.isEmpty()) {
            ownerOfPod.put(name, owner);
            OwnedPods owned = owned(owner);
            Pod last = owned.pods.put(name, pod);
            if (pod.isReady() && (last == null || !last.isReady())) {
                owned.started.put(name, pod);
            }
            explainStart(owned);
            explainSettled(owned);
        }
    }

    /** Handles the deletion of a pod. */
    void podGone(ObjectName name) {
        leave(name, ownerOfPod.getOrDefault(name, ""));
    }

    /** Returns the UID of the owner that counts the pod as one of its pods; empty if there is none. */
    private static String countsFor(Pod pod) {
        var controller = pod.metadata().controller();
        return controller == null || pod.metadata().isDeleting() || pod.isFinished() ? "" : controller.uid();
    }

    private OwnedPods owned(String uid) {
        return owners.computeIfAbsent(uid, key -> new OwnedPods());
    }

    private void leave(ObjectName pod, String uid) {
        ownerOfPod.remove(pod);
        OwnedPods owned = owners.get(uid);
        if (owned == null || owned.pods.remove(pod) == null) {
            return;
        }
        owned.started.remove(pod);
        Owner owner = owned.owner;
        if (owner != null && owned.pods.size() < owner.wanted()) {
            explainGap(owned, owner, owned.pods.size(), "lost pod " + pod.name() + " and has ");
        }
    }

    private void explainGap(OwnedPods owned, Owner owner, int has, String verb) {
        int missing = owner.wanted() - has;
        if (missing == 0) {
            return;
        }
        owned.settled = false;
        line(
                owner,
                owner.controller() + ": " + name(owner.metadata()) + " " + verb + has + " of "
                        + pods(owner.wanted()) + ", "
                        + (missing > 0 ? "creating " + missing : "deleting " + -missing));
    }

    /** Explains the work of the kubelet once all pods of an owner are ready. */
    private void explainStart(OwnedPods owned) {
        Owner owner = owned.owner;
        if (owner == null || owned.started.isEmpty() || !isReady(owned, owner)) {
            return;
        }
        Set<String> nodes = new TreeSet<>();
        owned.started.values().forEach(pod -> nodes.add(pod.spec().nodeName()));
        Pod first = owned.started.values().iterator().next();
        int count = owned.started.size();
        line(
                owner,
                "Kubelet: "
                        + (count == 1
                                ? "pod " + first.metadata().name() + " has address "
                                        + first.status().podIP() + " on "
                                        + first.spec().nodeName() + " and is ready"
                                : "the " + pods(count) + " of " + name(owner.metadata()) + " have addresses on "
                                        + String.join(", ", nodes) + " and are ready"));
        owned.started.clear();
    }

    private void explainSettled(OwnedPods owned) {
        Owner owner = owned.owner;
        if (owner == null
                || owned.settled
                || !owner.observed()
                || owner.reportedReady() != owner.wanted()
                || !isReady(owned, owner)) {
            return;
        }
        owned.settled = true;
        line(
                owner,
                owner.controller() + ": " + name(owner.metadata()) + " has " + owner.wanted() + " of "
                        + pods(owner.wanted()) + " ready, reported in its status; nothing left to do");
    }

    private static boolean isReady(OwnedPods owned, Owner owner) {
        return owned.pods.size() == owner.wanted() && owned.ready() == owner.wanted();
    }

    /**
     * Handles new or changed Endpoints.
     *
     * @param progress the Service of these Endpoints and its pods
     */
    void endpoints(ObjectName name, ServiceProgress progress) {
        ServiceLine last = services.get(name);
        String service = "Endpoints controller: Service " + name(name) + " ";
        Set<String> ready = progress.ready();
        if (progress.complete()
                && (last == null || !last.complete() || !last.addresses().equals(ready))) {
            services.put(name, new ServiceLine(ready, true));
            serviceLine(
                    name,
                    service + "selects "
                            + (ready.size() == 1
                                    ? "1 pod, ready; its address is in the Endpoints"
                                    : pods(ready.size()) + ", all ready; their addresses are in the Endpoints"));
        } else if (last == null && ready.isEmpty()) {
            services.put(name, new ServiceLine(ready, false));
            serviceLine(
                    name,
                    progress.notReady() == 0
                            ? service + "selects no pod with an address yet; the Endpoints are empty"
                            : service + "selects " + pods(progress.notReady())
                                    + ", none ready; the Endpoints list them as not ready");
        } else if (last != null
                && last.complete()
                && ready.size() < last.addresses().size()) {
            services.put(name, new ServiceLine(ready, false));
            serviceLine(
                    name,
                    service + "lost " + (last.addresses().size() - ready.size()) + " of "
                            + last.addresses().size() + " ready pods; their addresses leave the Endpoints");
        }
    }

    /** Returns whether there was a line about the Service. */
    boolean hasExplained(ObjectName service) {
        return services.containsKey(service);
    }

    /** Handles the deletion of Endpoints. */
    void endpointsGone(ObjectName name) {
        if (services.remove(name) != null) {
            serviceLine(name, "Endpoints controller: Service " + name(name) + " is deleted, and so are the Endpoints");
        }
    }

    private void line(Owner owner, String text) {
        explain(owner.metadata().uid(), text);
    }

    private void serviceLine(ObjectName name, String text) {
        explain("Service " + name, text);
    }

    private void explain(String object, String text) {
        if (explained.contains(object) || explained.size() < MAX_OBJECTS) {
            explained.add(object);
            say.accept(text);
        }
    }

    private static String pods(int count) {
        return count == 1 ? "1 pod" : count + " pods";
    }

    private static String name(ObjectMeta metadata) {
        return name(new ObjectName(metadata.namespace(), metadata.name()));
    }

    private static String name(ObjectName name) {
        return name.namespace().equals("default") ? name.name() : name.toString();
    }
}
