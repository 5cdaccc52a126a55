/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.apiserver.kinds.AdmissionSelection;
import io.kubeloop.command.Command;
import io.kubeloop.command.OptionTable;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.UsageException;
import io.kubeloop.command.log.Logs;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code kubeloop apiserver} runs the embedded API server without controllers. */
public final class ApiServerCommand implements Command {

    private static final OptionTable OPTIONS = OptionTable.read(
                    ApiServerCommand.class.getResourceAsStream("apiserver.tsv"))
            .with(ServingOptions.TABLE)
            .with(OptionTable.LOG);

    private final ShutdownSignal signal;

    public ApiServerCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public String name() {
        return "apiserver";
    }

    @Override
    public String description() {
        return "Runs the embedded API server until SIGTERM or Ctrl-C, and beside it the controllers that each server "
                + "needs: " + String.join(", ", ControlPlane.HOUSEKEEPING) + " and, if it serves HTTPS, "
                + ControlPlane.ROOT_CA_PUBLISHER + ". With --enable-garbage-collector=false it runs none, as "
                + "kube-apiserver does.";
    }

    @Override
    public OptionTable options() {
        return OPTIONS;
    }

    @Override
    public int run(OptionValues values, PrintWriter out, PrintWriter err) {
        Logs.level(values.integer("v"));
        ServingOptions.Serving serving = ServingOptions.read(values);
        Path kubeconfigOut = values.file("kubeconfig-out");
        String authority = kubeconfigOut == null ? "" : ServingAuthority.of(serving.certificates());
        ControlPlane.Builder builder = ControlPlane.builder()
                .http(serving.at(values.text("bind-address"), values.integer("port")))
                .admission(admission(values))
                .garbageCollector(values.bool("enable-garbage-collector"))
                .rootCa(serving.certificates())
                .tokens(TokenOptions.read(values))
                .roles(serving.roles())
                .standardRoles(true)
                .kubelet(values.bool("simulate-kubelet"))
                .heartbeats(true);
        setServiceRanges(builder, values.text("service-cluster-ip-range"));
        serving.services().forEach(builder::serviceAddress);
        List<JsonObject> manifests = ManifestApplier.read(values.texts("f"), System.in);
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
            out.println("listening on " + plane.uri());
            out.flush();
            signal.await();
        }
        return 0;
    }

    private static AdmissionSelection admission(OptionValues values) {
        List<String> enabled = values.texts("enable-admission-plugins");
        List<String> disabled = values.texts("disable-admission-plugins");
        for (String plugin : enabled) {
            if (disabled.contains(plugin)) {
                throw new UsageException(
                        "--enable-admission-plugins and --disable-admission-plugins both name " + plugin);
            }
        }
        try {
            return configured(
                    AdmissionSelection.STANDARD
                            .enable(enabled.toArray(String[]::new))
                            .disable(disabled.toArray(String[]::new)),
                    values.file("admission-control-config-file"));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--enable-admission-plugins, --disable-admission-plugins: " + e.getMessage());
        }
    }

    private static AdmissionSelection configured(AdmissionSelection selection, @Nullable Path file) {
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

    private static void setServiceRanges(ControlPlane.Builder builder, String serviceRanges) {
        try {
            builder.serviceClusterIpRanges(serviceRanges.split(",", -1));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--service-cluster-ip-range: " + e.getMessage());
        }
    }
}
