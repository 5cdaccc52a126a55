/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.junit.KubeloopTest;
import io.kubeloop.manager.ControllerTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/**
 * What the alerts and the dashboard of kube-prometheus read about the controller manager: each selector finds series,
 * and these have the labels by which the expression groups them. Prometheus itself makes {@code up}, {@code job} and
 * {@code instance}.
 */
@KubeloopTest(nodes = 0)
@Timeout(120)
class DashboardMetricsTest {

    /** The number of kube-controller-manager 1.37.2 after the start of all controllers. */
    private static final int MOST_SERIES = 3_542;

    /** A selector with the labels of the grouping; the labels that Prometheus adds are left out. */
    private static final List<String> SELECTORS = List.of(
            "workqueue_adds_total{} by (name)",
            "workqueue_depth{} by (name)",
            "workqueue_queue_duration_seconds_bucket{} by (name, le)",
            "rest_client_requests_total{code=~\"2..\"} by ()",
            "rest_client_requests_total{code=~\"4..\"} by ()",
            "rest_client_request_duration_seconds_bucket{verb=\"POST\"} by (verb, le)",
            "rest_client_request_duration_seconds_bucket{verb=\"GET\"} by (verb, le)",
            "leader_election_master_status{name=\"kube-controller-manager\"} by (name)",
            "informer_queued_items{} by (group, name, resource, version)",
            "informer_processing_latency_seconds_count{resource=\"endpointss\"} by (group, name, version)",
            "informer_store_resource_version{resource=\"pods\"} by (group, name, version)",
            "process_resident_memory_bytes{} by ()",
            "process_cpu_seconds_total{} by ()",
            "process_start_time_seconds{} by ()");

    /**
     * Queues of the original that have no counterpart: one queue here has the work of several there. The controller
     * of trust bundles does not run, because the server of this test has no authority.
     */
    private static final List<String> ABSENT = List.of(
            "DynamicCABundle-serving-cert",
            "DynamicServingCertificateController",
            "ca_cert_publisher_cluster_trust_bundles",
            "certificate",
            "claims",
            "disruption_recheck",
            "noexec_taint_node",
            "pvcs");

    /** Queues that the original does not have: it waits with timers, or gives several queues one name. */
    private static final List<String> OWN = List.of(
            "attach_detach",
            "csrapproving",
            "csrcleaner",
            "device-taint-eviction-controller-rules",
            "legacy-service-account-token-cleaner",
            "migration-runner-controller",
            "node_lifecycle_monitor",
            "podcertificaterequestcleaner",
            "resourcequota_recheck");

    private static final Pattern SELECTOR = Pattern.compile("(\\w+)\\{(.*)} by \\((.*)\\)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)(=~?)\"((?:[^\"\\\\]|\\\\.)*)\"");

    private record Sample(String name, Map<String, String> labels) {

        static Sample of(String line) {
            int brace = line.indexOf('{');
            Map<String, String> labels = new HashMap<>();
            if (brace < 0) {
                return new Sample(line.substring(0, line.indexOf(' ')), labels);
            }
            Matcher label = LABEL.matcher(line.substring(brace, line.lastIndexOf('}')));
            while (label.find()) {
                labels.put(label.group(1), label.group(3));
            }
            return new Sample(line.substring(0, brace), labels);
        }

        boolean meets(String selector) {
            Matcher parts = SELECTOR.matcher(selector);
            assertThat(parts.matches()).isTrue();
            if (!name.equals(parts.group(1))) {
                return false;
            }
            Matcher condition = LABEL.matcher(parts.group(2));
            while (condition.find()) {
                String value = labels.getOrDefault(condition.group(1), "");
                boolean meets = condition.group(2).equals("=")
                        ? value.equals(condition.group(3))
                        : value.matches(condition.group(3));
                if (!meets) {
                    return false;
                }
            }
            return parts.group(3).isEmpty()
                    || labels.keySet().containsAll(List.of(parts.group(3).split(", ")));
        }
    }

    private static List<String> scrape(int port) throws IOException {
        try (InputStream in =
                URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** Returns the names and types of metrics that kube-controller-manager serves under another type. */
    private static List<String> otherTypes(List<String> scraped) throws IOException {
        Map<String, String> theirs = new HashMap<>();
        try (InputStream in = DashboardMetricsTest.class.getResourceAsStream("kube-controller-manager-metrics.txt")) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" ", -1))
                    .forEach(cells -> theirs.put(cells[0], cells[1]));
        }
        return scraped.stream()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.substring("# TYPE ".length()))
                .filter(line ->
                        !line.endsWith(" " + theirs.getOrDefault(line.split(" ", -1)[0], line.split(" ", -1)[1])))
                .toList();
    }

    private static Set<String> recordedQueues() throws IOException {
        try (InputStream in = DashboardMetricsTest.class.getResourceAsStream("kube-controller-manager-queues.txt")) {
            return new TreeSet<>(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void everySelectorOfTheDashboards_findsSeriesWithItsLabels(URI server, KubeClient client) throws Exception {
        Set<String> recorded = recordedQueues();
        int port = freePort();
        ShutdownSignal signal = ShutdownSignal.inert();
        StringWriter out = new StringWriter();
        CommandLine line = new ControllerManagerCommand(signal, ControllerTable.BUILT_IN, ManagerObserver.Factory.NONE)
                .line()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true));
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(
                () -> line.execute("--master=" + server, "--secure-port=0", "--http-port=" + port));
        await().atMost(Duration.ofSeconds(60)).until(() -> out.toString().contains("started ") || exit.isDone());
        client.resource(ResourceTypes.SERVICE_ACCOUNTS).create(ServiceAccount.of(ObjectMeta.named("default", "robot")));

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            List<String> lines = scrape(port);
            List<Sample> samples = lines.stream()
                    .filter(row -> !row.startsWith("#"))
                    .map(Sample::of)
                    .toList();
            assertThat(SELECTORS)
                    .filteredOn(selector -> samples.stream().noneMatch(sample -> sample.meets(selector)))
                    .as("selectors without series")
                    .isEmpty();
            assertThat(otherTypes(lines)).isEmpty();
            assertThat(samples).hasSizeLessThan(MOST_SERIES);
            assertThat(lines)
                    .as("counters of nothing yet")
                    .contains(
                            "cronjob_controller_job_creation_skew_duration_seconds_count 0",
                            "device_taint_eviction_controller_pod_deletions_total 0.0",
                            "ephemeral_volume_controller_create_total 0.0",
                            "ephemeral_volume_controller_create_failures_total 0.0",
                            "garbagecollector_controller_resources_sync_error_total 0.0",
                            "horizontal_pod_autoscaler_controller_num_horizontal_pod_autoscalers 0.0",
                            "replicaset_controller_sorting_deletion_age_ratio_count 0",
                            "retroactive_storageclass_errors_total 0.0",
                            "retroactive_storageclass_total 0.0",
                            "taint_eviction_controller_pod_deletions_total 0.0",
                            "ttl_after_finished_controller_job_deletion_duration_seconds_count 0");
            Set<String> queues = samples.stream()
                    .filter(sample -> sample.name().equals("workqueue_depth"))
                    .map(sample -> sample.labels().get("name"))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(recorded).filteredOn(name -> !queues.contains(name)).containsExactlyElementsOf(ABSENT);
            assertThat(queues).filteredOn(name -> !recorded.contains(name)).containsExactlyElementsOf(OWN);
        });
        signal.ask();
        assertThat(exit.join()).isZero();
    }
}
