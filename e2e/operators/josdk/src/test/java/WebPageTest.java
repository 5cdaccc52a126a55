/* SPDX-License-Identifier: Apache-2.0 */
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.sample.WebPageManagedDependentsReconciler;
import io.javaoperatorsdk.operator.sample.WebPageReconciler;
import io.javaoperatorsdk.operator.sample.WebPageStandaloneDependentsReconciler;
import io.kubeloop.simulation.Simulation;
import io.kubeloop.simulation.SimulationReport;
import io.kubeloop.simulation.Subject;
import io.kubeloop.simulation.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Trials of the sample operator WebPage of the Java Operator SDK, in this process; each reconciler is a way to write
 * it.
 */
class WebPageTest {

    /** Each client would study fabric8's model again. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: webpages.sample.javaoperatorsdk}
            spec:
              group: sample.javaoperatorsdk
              scope: Namespaced
              names: {kind: WebPage, plural: webpages, singular: webpage}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          html: {type: string}
                          exposed: {type: boolean}
                      status:
                        type: object
                        properties:
                          htmlConfigMap: {type: string}
                          areWeGood: {type: boolean}
                          errorMessage: {type: string}
            """;

    private static String page(String label, String text, boolean exposed) {
        return """
               apiVersion: sample.javaoperatorsdk/v1
               kind: WebPage
               metadata: {name: hello, labels: {%s: "true"}}
               spec: {html: "<html>%s</html>", exposed: %s}
               """.formatted(label, text, exposed);
    }

    /** The reconcilers are unmodified. What they wait for in production, such as 2 s before a retry, is short here. */
    private static Subject operator(Supplier<Reconciler<?>> reconciler) {
        return Subject.foreign(environment -> {
            Config config = new ConfigBuilder(Config.fromKubeconfig(Files.readString(environment.kubeconfig())))
                    .withWatchReconnectInterval(10)
                    .withRequestRetryBackoffInterval(10)
                    .build();
            KubernetesClient client = new KubernetesClientBuilder()
                    .withConfig(config)
                    .withKubernetesSerialization(SERIALIZATION)
                    .build();
            Operator operator = new Operator(
                    settings -> settings.withKubernetesClient(client).withStopOnInformerErrorDuringStartup(false));
            register(operator, reconciler.get());
            operator.start();
            return operator::stop;
        });
    }

    private static <P extends HasMetadata> void register(Operator operator, Reconciler<P> reconciler) {
        operator.register(
                reconciler,
                settings -> settings.withRetry(new GenericRetry()
                                .setInitialInterval(20)
                                .setIntervalMultiplier(1.5)
                                .setMaxAttempts(5))
                        .withRateLimiter(new LinearRateLimiter(Duration.ofMillis(30), 2)));
    }

    /** Returns trials of one way to write the reconciler, without a budget. */
    private static Simulation simulation(String kind, boolean isDeleted) {
        Supplier<Reconciler<?>> reconciler = switch (kind) {
            case "classic" -> WebPageReconciler::new;
            case "managed" -> WebPageManagedDependentsReconciler::new;
            default -> WebPageStandaloneDependentsReconciler::new;
        };
        String label = kind.equals("classic") ? "low-level" : "managed";
        Workload.Builder workload = Workload.builder()
                .apply("create a page", page(label, "hello", false))
                .apply("change and expose it", page(label, "bye", true));
        if (isDeleted) {
            workload.delete("sample.javaoperatorsdk/v1", "WebPage", "default", "hello");
        }
        return Simulation.of(operator(reconciler))
                .definitions(DEFINITION)
                .workload(workload.build())
                .cluster(builder -> builder.controllers(List.of("-*", "garbagecollector")))
                .calm(Duration.ofMillis(60));
    }

    private static void report(String name, SimulationReport report) throws IOException {
        Files.writeString(Path.of("target", name + ".txt"), report.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "managed", "standalone"})
    void trials(String kind) throws IOException {
        report(
                kind,
                simulation(kind, true)
                        .budget(Duration.ofSeconds(Long.getLong("budget", 60)))
                        .run());
    }

    /** A page that stays shows what an operator does not mend after a restart. */
    @ParameterizedTest
    @ValueSource(strings = {"classic", "managed", "standalone"})
    void restart(String kind) throws IOException {
        report(
                kind + "-restart",
                simulation(kind, false).only("restart: after step 2").run());
    }
}
