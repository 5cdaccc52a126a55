/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.value.CidrRange;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.Transforms;
import io.kubeloop.controller.certificates.CertificateAuthority;
import io.kubeloop.controller.certificates.SelfSignedCertificate;
import io.kubeloop.controller.certificates.SigningConfig;
import io.kubeloop.controller.nodeipam.NodeIpamConfig;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerOptionsBuilder;
import io.kubeloop.manager.ControllerSelection;
import io.kubeloop.manager.ServiceAccountOptions;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Kubeloop's controllers under crashes, missed states, stale caches and refusals, with the scenarios of {@code
 * e2e/world} as workloads. {@code -Dkubeloop.world.scenarios=REGEX} and {@code -Dkubeloop.world.trials=N} run more of
 * them; {@code e2e/simulate-controllers.sh} runs all.
 */
class OwnControllersTest {

    private static final Path SCENARIOS = Path.of("../../e2e/world/scenarios");

    private static final String SELECTED =
            System.getProperty("kubeloop.world.scenarios", "rs-basics|deploy-rollout|sts-ordered|endpoints-basics");

    private static final int TRIALS = Integer.getInteger("kubeloop.world.trials", 4);

    /** The controller of tokens needs a key and the certificate that it hands out, that of addresses a range. */
    private static final ControllerOptions OPTIONS = ControllerOptionsBuilder.builder(ControllerOptions.DEFAULT)
            .serviceAccounts(new ServiceAccountOptions(keys(), "certificate", Duration.ofDays(365)))
            .signing(signing())
            .nodeIpam(new NodeIpamConfig(List.of(CidrRange.parse("10.244.0.0/22")), List.of(), 24, 64))
            .build();

    private static final Set<Perturbation> KINDS =
            EnumSet.of(Perturbation.CRASH, Perturbation.MISSED, Perturbation.STALE, Perturbation.ANSWERS);

    /** The controllers that others need: those of their dependents, and the one of their own objects. */
    private static final Map<String, List<String>> BESIDE = Map.of(
            "deployment-controller", List.of("replicaset-controller"),
            "cronjob-controller", List.of("job-controller"),
            "disruption-controller", List.of("replicaset-controller", "deployment-controller"),
            "ttl-after-finished-controller", List.of("job-controller"),
            "ephemeral-volume-controller", List.of("persistentvolumeclaim-protection-controller"),
            "statefulset-controller", List.of("persistentvolumeclaim-protection-controller"),
            "persistentvolume-binder-controller",
                    List.of("persistentvolumeclaim-protection-controller", "persistentvolume-protection-controller"),
            "garbage-collector-controller", List.of("replicaset-controller", "deployment-controller"));

    /** Trials in which the original, too, comes to another state. */
    private static final Map<String, Perturbation> AS_UPSTREAM = Map.of(
            // They number the templates that they see, so a template that they miss is none of their revisions.
            "deployment-controller", Perturbation.MISSED,
            "statefulset-controller", Perturbation.MISSED,
            "daemonset-controller", Perturbation.MISSED,
            // A new instance that does not see an object with a generated name makes another one, which it keeps.
            "job-controller", Perturbation.STALE,
            "resourceclaim-controller", Perturbation.STALE,
            // It binds a volume that it sees.
            "persistentvolume-binder-controller", Perturbation.MISSED,
            // Nothing reports the deletion of an object that they have not seen.
            "serviceaccount-controller", Perturbation.MISSED,
            "serviceaccount-token-controller", Perturbation.MISSED);

    /** Addresses, their ranges and nodes are drawn; the rest of a pod's status is the kubelet's. */
    private static final List<String> DRAWN = List.of(
            ".status.podIP",
            ".status.podIPs",
            ".spec.clusterIP",
            ".spec.clusterIPs",
            ".ip",
            ".addresses",
            ".nodeName",
            ".spec.podCIDR",
            ".spec.podCIDRs",
            // An autoscaler without metrics knows only what it has done itself.
            ".status.desiredReplicas",
            ".status.lastScaleTime",
            "HorizontalPodAutoscaler default/high .status.conditions",
            "HorizontalPodAutoscaler default/low .status.conditions",
            // A generated name, also of an object that is gone.
            ".resourceClaimName",
            "ReplicaSet default/web .status.conditions[0].message",
            // A token names the UID of its account.
            "Secret default/robot-token .data.token",
            // A certificate has a random number.
            ".status.certificate",
            // The time of the last change that the controller has seen.
            ".annotations.endpoints.kubernetes.io/last-change-trigger-time");

    private static SigningConfig signing() {
        SelfSignedCertificate signer = SelfSignedCertificate.create(Instant.parse("2026-01-05T00:00:00Z"));
        CertificateAuthority authority = CertificateAuthority.parse(signer.certificate(), signer.key());
        return SigningConfig.of(() -> authority);
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static WorldScenario read(Path file) {
        try {
            return WorldScenario.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Subject manager(List<String> controllers) {
        return environment -> {
            SimulatedClock clock = environment.clock();
            return ControllerManager.builder(environment.client(JsonCodec.standard()))
                    .controllers(new ControllerSelection(controllers))
                    .options(OPTIONS)
                    .informers(InformerConfig.DEFAULT
                            .withScheduler(clock.scheduler())
                            .withTransform(Transforms::stripManagedFields))
                    .queues(name -> WorkQueueConfig.named(name).withScheduler(clock.scheduler()))
                    .time(clock.controllerTime())
                    .start();
        };
    }

    /**
     * What the controller has seen decides: endpoints outlive the selector of their service, pods their job, a quota
     * limits nothing before, a job is not resumed that was never seen suspended, and a pod that was never seen before
     * its end gets no claim. In others, the user waits for a state that the controller then never makes.
     */
    private static final Pattern WITH_A_PAST =
            Pattern.compile("endpoints-(external-name.*|selector-removed|edited)|job-(delete|suspend)|"
                    + "r[cs]-(orphan.*|same-name-again)|quota-usage|gc-orphan"
                    + "|rs-delete-foreground|dra-done");

    /** A round takes a minute: after three refusals or a restart, it takes longer than a trial waits. */
    private static final Set<String> SLOW = Set.of("podgc-lost-node");

    /**
     * The finalizer of a claim goes right after its last reservation. If that fails, it stays until the claim is
     * deleted: the scheduler, too, adds the finalizer before it allocates.
     */
    private static final Set<String> ONCE = Set.of("dra-reserved");

    /** Its pods are held while they end: one that a new instance made too many, and deleted, is still there. */
    private static final Set<String> HELD = Set.of("rs-delete-foreground");

    /** What comes first decides: the end of a pod, a deadline, the volume of a claim, the pods that are seen. */
    private static final Set<String> RACES =
            Set.of("job-success-policy", "job-deadline", "pv-lost", "rs-terminating", "rs-deletion-order");

    private static Set<Perturbation> kinds(WorldScenario scenario) {
        Set<Perturbation> kinds = EnumSet.copyOf(KINDS);
        if (WITH_A_PAST.matcher(scenario.name()).matches()) {
            kinds.remove(Perturbation.MISSED);
        }
        if (SLOW.contains(scenario.name())) {
            kinds.removeAll(EnumSet.of(Perturbation.ANSWERS, Perturbation.STALE));
        }
        if (HELD.contains(scenario.name())) {
            kinds.remove(Perturbation.STALE);
        }
        if (ONCE.contains(scenario.name())) {
            kinds.removeAll(EnumSet.of(Perturbation.ANSWERS, Perturbation.CRASH));
        }
        scenario.underTest().stream()
                .map(AS_UPSTREAM::get)
                .filter(Objects::nonNull)
                .forEach(kinds::remove);
        return kinds;
    }

    private static SimulationReport simulate(WorldScenario scenario) {
        List<String> beside =
                new ArrayList<>(List.of("-*", "garbage-collector-controller", "serviceaccount-controller"));
        beside.addAll(scenario.beside());
        scenario.underTest().forEach(name -> beside.addAll(BESIDE.getOrDefault(name, List.of())));
        beside.removeAll(scenario.underTest());
        Simulation simulation = Simulation.of(manager(scenario.underTest()))
                .workload(scenario.workload())
                .perturbations(kinds(scenario))
                .trials(TRIALS)
                .budget(Duration.ofMinutes(10))
                .cluster(plane -> plane.controllers(beside).nodes(1));
        DRAWN.forEach(simulation::ignore);
        return simulation.run();
    }

    /** Some scenarios need another cluster, such as one with two families of addresses, or a key for tokens. */
    private static void requireSteps(SimulationReport report) {
        report.findings().stream()
                .filter(finding -> finding.kind() == Perturbation.NONE)
                .flatMap(finding -> finding.problems().stream())
                .filter(problem -> problem.startsWith("the step ") || problem.equals("the operator sent no request"))
                .findFirst()
                .ifPresent(Assumptions::abort);
    }

    @TestFactory
    Stream<DynamicTest> scenarios() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(SCENARIOS)) {
            files = all.filter(file -> file.toString().endsWith(".json")
                            && !file.toString().endsWith(".golden.json"))
                    .sorted()
                    .toList();
        }
        List<WorldScenario> chosen = files.stream()
                .map(OwnControllersTest::read)
                .filter(scenario -> scenario.name().matches(SELECTED))
                .toList();
        assertThat(chosen).isNotEmpty();
        return chosen.stream()
                .map(scenario -> DynamicTest.dynamicTest(scenario.name() + " " + scenario.underTest(), () -> {
                    boolean isRace = RACES.contains(scenario.name());
                    if (isRace || !scenario.unsupported().isEmpty()) {
                        String reason = isRace
                                ? "its end depends on what comes first"
                                : "no counterpart here of " + String.join(", ", scenario.unsupported());
                        System.out.println(scenario.name() + ": skipped, " + reason);
                        Assumptions.abort(reason);
                    }
                    SimulationReport report = simulate(scenario);
                    System.out.print(scenario.name() + ": " + report.text());
                    requireSteps(report);
                    assertThat(report.findings()).as(report.text()).isEmpty();
                }));
    }
}
