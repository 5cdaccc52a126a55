/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.apiserver.kinds.AdmissionSelection;
import io.kubeloop.command.ListenAddress;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.UsageException;
import io.kubeloop.command.Verbosity;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code kubeloop apiserver} runs the embedded API server without controllers. */
@CommandLine.Command(
        name = "apiserver",
        description =
                "Runs the embedded API server until SIGTERM or Ctrl-C. It runs no controllers, as kube-apiserver does.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        showDefaultValues = false)
public final class ApiServerCommand implements Callable<Integer> {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8001",
            description = "Port to listen on; 0 selects a free port. Default: ${DEFAULT-VALUE}.")
    private int port;

    @CommandLine.Option(
            names = "--bind-address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "Address to listen on. Without --token-auth-file every client that reaches it has full access. "
                            + "Default: ${DEFAULT-VALUE}.")
    private String bindAddress = "";

    @CommandLine.Option(
            names = "--kubeconfig-out",
            paramLabel = "FILE",
            description = "File for a kubeconfig of this server.")
    private @Nullable Path kubeconfigOut;

    @CommandLine.Option(
            names = "--simulate-kubelet",
            description = "Binds pods to simulated nodes and reports them as running and ready. No container runs.")
    private boolean simulateKubelet;

    @CommandLine.Option(
            names = "--enable-garbage-collector",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Whether the server deletes the dependents of deleted owners and the content of deleted namespaces. "
                            + "Default: ${DEFAULT-VALUE}.")
    private boolean garbageCollector;

    @CommandLine.Option(
            names = "--service-cluster-ip-range",
            paramLabel = "CIDR[,CIDR]",
            defaultValue = "10.96.0.0/16",
            description =
                    "Range of the cluster addresses of Services. Two ranges of different IP families make the server dual-stack; "
                            + "the first is the default family. Default: ${DEFAULT-VALUE}.")
    private String serviceRanges = "";

    @CommandLine.Option(
            names = "--enable-admission-plugins",
            paramLabel = "NAME[,NAME]",
            split = ",",
            description =
                    "Admission plugins to run in addition to those that run by default, under the names of kube-apiserver.")
    private String[] enabledPlugins = {};

    @CommandLine.Option(
            names = "--disable-admission-plugins",
            paramLabel = "NAME[,NAME]",
            split = ",",
            description = "Admission plugins not to run.")
    private String[] disabledPlugins = {};

    @CommandLine.Option(
            names = "--admission-control-config-file",
            paramLabel = "FILE",
            description =
                    "AdmissionConfiguration in YAML or JSON, as for kube-apiserver, with the defaults and exemptions of"
                            + " PodSecurity in it.")
    private @Nullable Path admissionConfig;

    @CommandLine.Option(
            names = "-f",
            paramLabel = "FILE|DIR|-",
            description = "Manifests to create at the start: a file, a directory, or - for standard input. Repeatable.")
    private List<String> files = List.of();

    @CommandLine.Mixin
    private final ServingOptions servingOptions = new ServingOptions();

    @CommandLine.Mixin
    private final TokenOptions tokenOptions = new TokenOptions();

    @CommandLine.Mixin
    private final Verbosity verbosity = new Verbosity();

    private final ShutdownSignal signal;

    public ApiServerCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public Integer call() {
        verbosity.apply();
        ListenAddress.checkPort("--port", port);
        ListenAddress.checkAddress("--bind-address", bindAddress);
        ServingOptions.Serving serving = servingOptions.read();
        String authority = kubeconfigOut == null ? "" : ServingAuthority.of(serving.certificates());
        ControlPlane.Builder builder = ControlPlane.builder()
                .http(serving.at(bindAddress, port))
                .admission(admission())
                .garbageCollector(garbageCollector)
                .rootCa(serving.certificates())
                .tokens(tokenOptions.read())
                .roles(serving.roles())
                .standardRoles(true)
                .kubelet(simulateKubelet)
                .heartbeats(true);
        setServiceRanges(builder);
        serving.services().forEach(builder::serviceAddress);
        List<JsonObject> manifests = ManifestApplier.read(files, System.in);
        try (ControlPlane plane = builder.start()) {
            ManifestApplier applier = new ManifestApplier(
                    plane.transport(),
                    JsonCodec.standard(),
                    plane.server().backend().registry());
            applier.check(manifests);
            applier.create(manifests);
            if (kubeconfigOut != null) {
                KubeconfigFile.write(kubeconfigOut, plane.uri().toString(), authority, serving.token());
            }
            PrintWriter out = spec.commandLine().getOut();
            out.println("listening on " + plane.uri());
            out.flush();
            signal.await();
        }
        return CommandLine.ExitCode.OK;
    }

    private AdmissionSelection admission() {
        for (String plugin : enabledPlugins) {
            if (List.of(disabledPlugins).contains(plugin)) {
                throw new UsageException(
                        "--enable-admission-plugins and --disable-admission-plugins both name " + plugin);
            }
        }
        try {
            return configured(AdmissionSelection.STANDARD.enable(enabledPlugins).disable(disabledPlugins));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--enable-admission-plugins, --disable-admission-plugins: " + e.getMessage());
        }
    }

    private AdmissionSelection configured(AdmissionSelection selection) {
        Path file = admissionConfig;
        if (file == null) {
            return selection;
        }
        AdmissionSelection configured = selection;
        try {
            for (JsonObject plugin : read(file).array("plugins").objects().toList()) {
                JsonObject stated = plugin.object("configuration");
                Path other = file.resolveSibling(plugin.string("path"));
                JsonObject configuration = plugin.string("path").isEmpty() ? stated : read(other);
                configured = configured.configure(plugin.string("name"), configuration.toString());
            }
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw new UsageException("--admission-control-config-file: " + e.getMessage());
        }
        return configured;
    }

    private static JsonObject read(Path file) {
        return Manifests.read(file).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(file + " is empty"));
    }

    private void setServiceRanges(ControlPlane.Builder builder) {
        try {
            builder.serviceClusterIpRanges(serviceRanges.split(",", -1));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--service-cluster-ip-range: " + e.getMessage());
        }
    }
}
