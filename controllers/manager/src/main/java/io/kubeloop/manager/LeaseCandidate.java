/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerScope;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * The object with which a process applies for the lease of a coordinated election (upstream: {@code
 * leaderelection.LeaseCandidate}). kube-apiserver compares the versions in these objects, names a holder, and pings the
 * candidates before.
 *
 * <p>Keeps the object present, renews it every five minutes and after each ping. Thread-safe: the work runs on one
 * worker of a loop.
 */
final class LeaseCandidate implements AutoCloseable {

    static final ResourceType<GenericObject> TYPE = ResourceTypes.generic(
            "coordination.k8s.io", "v1beta1", "leasecandidates", "LeaseCandidate", ResourceType.Scope.NAMESPACED);

    private static final Duration RENEWAL = Duration.ofMinutes(5);
    private static final String QUEUE = "leasecandidate";
    private static final List<String> RENEW_TIME = List.of("spec", "renewTime");

    private final ObjectName name;
    private final String lease;
    private final ControllerManager.Versions versions;
    private final Clock clock;
    private final ResourceClient<GenericObject> candidates;
    private final SharedInformerFactory informers;
    private final SharedInformer<GenericObject> informer;
    private final RateLimitingQueue<ObjectName> queue;
    private final ControllerLoop<ObjectName> loop;

    /**
     * Creates a candidate that has not started.
     *
     * @param client reads and writes the object; without a fence
     * @param lease the lease; the object has its namespace
     * @param identity the name of the object and of the candidate
     */
    LeaseCandidate(
            KubeClient client,
            ObjectName lease,
            String identity,
            ControllerManager.Versions versions,
            Clock clock,
            InformerConfig config,
            ThreadFactory threads) {
        this.name = new ObjectName(lease.namespace(), identity);
        this.lease = lease.name();
        this.versions = versions;
        this.clock = clock;
        this.candidates = client.resource(TYPE);
        this.informers = SharedInformers.factory(client, config);
        this.informer =
                informers.informer(TYPE, new InformerScope(lease.namespace(), "", "metadata.name=" + identity, ""));
        this.queue = WorkQueues.rateLimiting(WorkQueueConfig.named(QUEUE));
        var pings = informer.addHandler(new ResourceEventHandler<>() {
            @Override
            public void onUpdate(GenericObject before, GenericObject now) {
                String ping = now.string("spec", "pingTime");
                String renewed = now.string("spec", "renewTime");
                if (!ping.isEmpty()
                        && (renewed.isEmpty() || MicroTime.parse(ping).compareTo(MicroTime.parse(renewed)) > 0)) {
                    queue.add(name);
                }
            }
        });
        this.loop = new ControllerLoop<>(QUEUE, queue, this::renew, List.of(pings), threads);
    }

    /** Starts the candidate, and returns. */
    LeaseCandidate start() {
        queue.add(name);
        loop.start(1);
        informers.start();
        return this;
    }

    private void renew(ObjectName key) {
        GenericObject known = informer.lister().get(key);
        String now = new MicroTime(clock.instant()).toString();
        if (known == null) {
            candidates.create(
                    GenericObject.of(TYPE.apiVersion(), TYPE.kind(), ObjectMeta.named(name.namespace(), name.name()))
                            .with(List.of("spec", "leaseName"), lease)
                            .with(List.of("spec", "binaryVersion"), versions.binary())
                            .with(List.of("spec", "emulationVersion"), versions.emulated())
                            .with(List.of("spec", "strategy"), "OldestEmulationVersion")
                            .with(RENEW_TIME, now));
        } else {
            candidates.update(known.with(RENEW_TIME, now));
        }
        queue.addAfter(key, RENEWAL);
    }

    @Override
    public void close() {
        loop.shutDown();
        informers.close();
    }
}
