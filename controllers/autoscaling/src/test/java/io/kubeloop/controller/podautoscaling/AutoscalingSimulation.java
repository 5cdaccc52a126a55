/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.autoscaling.MetricSpec;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SeededSimulation;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One autoscaler of a Deployment, a real (embedded) API server, and a world that goes wrong: watches lag, break and
 * lose changes, requests and responses get lost, other processes take the lead, the load changes, pods start late and
 * fail, and clients change bounds and numbers. One thread, virtual time; every choice comes from the seed.
 */
final class AutoscalingSimulation extends SeededSimulation {

    private static final ObjectName KEY = new ObjectName("default", "web");
    private static final Odds ODDS = new Odds(20, 50, 75, 90, 92, 95, 97);
    private static final Duration PERIOD = Duration.ofSeconds(15);
    private static final int REQUEST = 100;
    private static final int SETTLE_ROUNDS = 45;

    /** A change that the controller made and remembers. */
    private record Change(Instant time, int from, int to) {}

    /** A number of pods that the controller took from the metrics, or read first, at a time. */
    private record Recommendation(Instant time, int replicas) {}

    private final SimulatedLoad load;
    private final ResourceClient<Pod> pods;
    private final ResourceClient<Deployment> deployments;
    private final ResourceClient<HorizontalPodAutoscaler> autoscalers;
    private final FakeRecorder events = new FakeRecorder();
    private final SimulatedBehavior behavior;

    private LaggingCache<HorizontalPodAutoscaler> cached = new LaggingCache<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Recommendation> recommendations = new ArrayList<>();
    private int target = 50;
    private int created;
    private int reported;

    AutoscalingSimulation(long seed) {
        super(seed, ODDS);
        pods = client.resource(ResourceTypes.PODS);
        deployments = client.resource(ResourceTypes.DEPLOYMENTS);
        autoscalers = client.resource(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS);
        load = new SimulatedLoad(server.transport(), this::pods, clock);
        behavior = SimulatedBehavior.any(random);
        target = 30 + random.nextInt(100);
        create(ResourceTypes.DEPLOYMENTS, """
                {'metadata':{'name':'web','namespace':'default'},'spec':{'replicas':%d,\
                'selector':{'matchLabels':{'app':'web'}},
                 'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}\
                }""".formatted(1 + random.nextInt(8)));
        create(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, """
                {'metadata':{'name':'web','namespace':'default'},'spec':{'minReplicas':1,'maxReplicas':10,
                 'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'web'},
                 'metrics':[{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization',\
                'averageUtilization':%d}}}]%s}}""".formatted(target, behavior.json()));
        lead();
    }

    private <T extends KubeObject> void create(ResourceType<T> type, String json) {
        client.resource(type)
                .create(JsonCodec.standard()
                        .decode(
                                type,
                                new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))));
    }

    @Override
    protected Transport transport() {
        return load;
    }

    private List<Pod> pods() {
        return pods.list("default", ListOptions.NONE).items();
    }

    /** A new process remembers nothing. */
    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<HorizontalPodAutoscaler> mine = new LaggingCache<>();
        LaggingCache<Pod> podCache = new LaggingCache<>();
        TargetSelectors selectors = new TargetSelectors();
        ScaleClient scales = new ScaleClient(process.client().transport(), clock, Duration.ofDays(1));
        MetricsClient metrics = new MetricsClient(process.client().transport(), scales, clock, PERIOD);
        ReplicaCalculator calculator = new ReplicaCalculator(metrics, podCache, PodAutoscalingConfig.DEFAULT, clock);
        MetricEvaluation evaluation = new MetricEvaluation(calculator) {
            @Override
            Proposal evaluate(MetricSpec spec, ReplicaCalculator.Pods pods, Tolerances tolerances) {
                noteFirstRead();
                Proposal proposal = super.evaluate(spec, pods, tolerances);
                recommendations.add(new Recommendation(clock.instant(), proposal.replicas()));
                return proposal;
            }
        };
        AutoscalerMonitor monitor = new AutoscalerMonitor(ControllerMetrics.NONE, clock);
        AutoscalerSync sync = new AutoscalerSync(
                mine,
                new WriteBarrier(clock, process.queue::add)
                        .owners(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, process.client(), mine),
                scales,
                new AutoscalerMetrics(evaluation, selectors, podCache, events, 0.1, monitor),
                events,
                behavior.controllerWindow(),
                monitor);
        process.cache(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, mine, new ResourceEventHandler<>() {
            @Override
            public void onAdd(HorizontalPodAutoscaler added, boolean isInInitialList) {
                selectors.add(added.objectName());
                process.queue.add(added.objectName());
            }

            @Override
            public void onUpdate(HorizontalPodAutoscaler old, HorizontalPodAutoscaler current) {
                process.queue.addAfter(current.objectName(), PERIOD);
            }
        });
        process.cache(ResourceTypes.PODS, podCache, new ResourceEventHandler<>() {});
        cached = mine;
        changes.clear();
        recommendations.clear();
        return key -> {
            if (sync.sync(key)) {
                process.queue.addAfter(key, PERIOD);
            }
        };
    }

    /** The next sync is due a period after the last one. */
    @Override
    protected void step(int choice) {
        if (choice >= ODDS.watch() && choice < ODDS.work()) {
            clock.advance(PERIOD);
        }
        super.step(choice);
    }

    @Override
    protected void othersWork() {
        workload(1 + random.nextInt(4));
    }

    @Override
    protected Duration time() {
        return Duration.ofSeconds(random.nextInt(400));
    }

    @Override
    protected String processNextWorkItem(Consumer<ObjectName> sync) {
        int before = events.events().size();
        load.forgetScale();
        String result = leader.processNextWorkItem(sync);
        if (load.readScale() >= 0
                && events.events().stream()
                        .skip(before)
                        .noneMatch(event -> event.reason().equals("FailedGetScale"))) {
            noteFirstRead();
        }
        events.events().stream().skip(before).forEach(event -> {
            if (event.reason().equals("SuccessfulRescale")) {
                int to = Integer.parseInt(event.message().replaceFirst("New size: (\\d+);.*", "$1"));
                if (behavior.isSet()) {
                    remember(new Change(clock.instant(), load.readScale(), to));
                }
            }
        });
        return result;
    }

    /**
     * A change takes the place of the last one of its direction that is older than the policy's period (upstream:
     * {@code storeScaleEvent}). If the policy of the other direction has a longer period, that policy no longer counts
     * the older change.
     */
    private void remember(Change change) {
        boolean isUp = change.to() > change.from();
        Instant begin = clock.instant().minusSeconds((isUp ? behavior.up() : behavior.down()).period());
        for (int i = changes.size() - 1; i >= 0; i--) {
            Change each = changes.get(i);
            if (each.to() > each.from() == isUp && each.time().isBefore(begin)) {
                changes.set(i, change);
                return;
            }
        }
        changes.add(change);
    }

    /**
     * The number that the controller reads for the first time is its first recommendation, whatever becomes of the
     * sync.
     */
    private void noteFirstRead() {
        if (recommendations.isEmpty()) {
            recommendations.add(new Recommendation(clock.instant(), load.readScale()));
        }
    }

    /**
     * Another client may change the Deployment between the controller's read and its write, so the write
     * conflicts.
     */
    @Override
    protected void beforeWrite(ApiRequest request) {
        if (request.path().endsWith("/scale") && random.nextInt(10) == 0) {
            note("somebody changes the deployment meanwhile");
            deployments.patch(
                    KEY, Patch.merge("{\"metadata\":{\"annotations\":{\"changed\":\"" + random.nextInt() + "\"}}}"));
        }
    }

    @Override
    protected void afterWrite(ApiRequest request) {
        if (!request.path().endsWith("/scale")) {
            return;
        }
        Long number =
                JsonObject.parse(Objects.requireNonNull(request.body()).bytes()).number("spec", "replicas");
        int to = number == null ? 0 : number.intValue();
        int from = load.readScale();
        note("scale from " + from + " to " + to);
        leader.worldChanged();
        HorizontalPodAutoscaler seen = Objects.requireNonNull(cached.get(KEY));
        int max = seen.spec().maxReplicas();
        int min = Objects.requireNonNull(seen.spec().minReplicas());
        assertThat(to)
                .as(
                        "bounds %s to %s, behavior %s, recommended %s: %s",
                        min, max, behavior.json(), recommendations, history)
                .isEqualTo(from > max ? max : from < min ? min : allowed(from, min, max));
    }

    /** Returns the only number that bounds, windows and policies allow for the last recommendation. */
    private int allowed(int from, int min, int max) {
        int recommended = recommendations.get(recommendations.size() - 1).replicas();
        if (!behavior.isSet()) {
            // An older recommendation also raises: after someone has scaled down, for example.
            int highest = highest(recommended, age -> age.compareTo(behavior.downWindow()) <= 0);
            return Math.max(min, Math.min(highest, Math.min(max, Math.max(2 * from, 4))));
        }
        int highest = highest(recommended, age -> age.compareTo(behavior.downWindow()) < 0);
        int stable = Math.min(Math.max(from, recommended), highest);
        return stable > from
                ? Math.min(stable, Math.min(max, Math.max(from, behavior.most(from, period -> startOf(period, from)))))
                : Math.max(
                        stable, Math.max(min, Math.min(from, behavior.least(from, period -> startOf(period, from)))));
    }

    private int highest(int recommended, Predicate<Duration> isInWindow) {
        Instant now = clock.instant();
        return recommendations.stream()
                .filter(each -> isInWindow.test(Duration.between(each.time(), now)))
                .mapToInt(Recommendation::replicas)
                .reduce(recommended, Math::max);
    }

    /** Returns the number of pods before the changes that the controller remembers of the last seconds. */
    private int startOf(int seconds, int current) {
        Instant begin = clock.instant().minusSeconds(seconds);
        return current
                - changes.stream()
                        .filter(change -> change.time().isAfter(begin))
                        .mapToInt(change -> change.to() - change.from())
                        .sum();
    }

    /** The controllers and kubelets of the Deployment make some of their steps. */
    private void workload(int steps) {
        List<Pod> all = pods();
        int wanted = Objects.requireNonNull(deployments.get(KEY).spec().replicas());
        for (int i = 0; i < steps && workloadStep(all, wanted); i++) {
            all = pods();
        }
        if (all.size() != reported) {
            reported = all.size();
            deployments.patch(KEY, Patch.merge("{\"status\":{\"replicas\":" + reported + "}}"), "status");
        }
        leader.worldChanged();
    }

    /** Returns whether there was something to do. */
    private boolean workloadStep(List<Pod> all, int wanted) {
        List<Pod> active = all.stream().filter(pod -> !pod.isFinished()).toList();
        if (active.size() < all.size()) {
            delete(all.stream().filter(Pod::isFinished).findFirst().orElseThrow());
        } else if (active.size() > wanted) {
            delete(active.get(active.size() - 1));
        } else if (active.size() < wanted) {
            create(ResourceTypes.PODS, """
                    {'metadata':{'name':'web-%d','namespace':'default','labels':{'app':'web'}},
                     'spec':{'nodeName':'n','containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'%dm'}\
                    }}]}}""".formatted(created++, REQUEST));
        } else {
            Optional<Pod> unready =
                    active.stream().filter(pod -> !pod.isReady()).findFirst();
            unready.ifPresent(pod -> report(pod, "Running", true));
            return unready.isPresent();
        }
        return true;
    }

    private void delete(Pod pod) {
        pods.delete(pod.objectName(), new DeleteOptions(0L, null, null, null));
    }

    private void report(Pod pod, String phase, boolean isReady) {
        String ready = isReady ? "True" : "False";
        String start = pod.status().startTime() == null
                ? clock.instant().toString()
                : pod.status().startTime().toString();
        pods.patch(pod.objectName(), Patch.merge("""
                        {"status":{"phase":"%s","startTime":"%s","conditions":[{"type":"Ready","status":"%s",\
                        "lastTransitionTime":"%s"}]}}""".formatted(phase, start, ready, clock.instant())), "status");
    }

    @Override
    protected void usersAct() {
        List<Pod> all = pods();
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> {
                load.total(random.nextInt(1500));
                note("load " + load.total());
            }
            case 4 -> {
                int min = 1 + random.nextInt(4);
                int max = min + random.nextInt(12);
                note("bounds " + min + " to " + max);
                autoscalers.patch(
                        KEY, Patch.merge("{\"spec\":{\"minReplicas\":" + min + ",\"maxReplicas\":" + max + "}}"));
            }
            case 5 -> {
                int replicas = random.nextInt(12);
                note("somebody scales to " + replicas);
                deployments.patch(KEY, Patch.merge("{\"spec\":{\"replicas\":" + replicas + "}}"));
            }
            case 6 -> load.hide(random.nextInt(3));
            default -> {
                if (!all.isEmpty()) {
                    report(all.get(random.nextInt(all.size())), random.nextBoolean() ? "Failed" : "Running", false);
                }
            }
        }
        leader.worldChanged();
    }

    /**
     * With no more faults, and the load that it has, the autoscaler brings the usage to the target without any further
     * push.
     */
    @Override
    protected void settle() {
        load.hide(0);
        if (Objects.requireNonNull(deployments.get(KEY).spec().replicas()) == 0) {
            deployments.patch(KEY, Patch.merge("{\"spec\":{\"replicas\":1}}"));
        }
        calm(SETTLE_ROUNDS, Duration.ofMinutes(1), () -> workload(100));
        HorizontalPodAutoscaler autoscaler = autoscalers.get(KEY);
        int max = autoscaler.spec().maxReplicas();
        int min = Objects.requireNonNull(autoscaler.spec().minReplicas());
        int replicas = Objects.requireNonNull(deployments.get(KEY).spec().replicas());
        int utilization = load.total() / replicas * 100 / REQUEST;
        double ratio = (double) utilization / target;
        boolean isAtTarget = Math.ceil(ratio * replicas) == replicas || (ratio >= 1 - 0.1 && ratio <= 1 + 0.1);
        assertThat(isAtTarget
                        || (ratio > 1 && (replicas == max || behavior.forbidsUp()))
                        || (ratio < 1 && (replicas == min || behavior.forbidsDown())))
                .as(
                        "%s replicas of %s to %s, ratio %s, behavior %s: %s",
                        replicas, min, max, ratio, behavior.json(), history)
                .isTrue();
        assertThat(autoscaler.status().desiredReplicas()).as("%s", history).isEqualTo(replicas);
    }
}
