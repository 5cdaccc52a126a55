/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.apiserver.http.KubeletAccess;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The options of connections to kubelets, with the names of kube-apiserver's flags. */
final class KubeletOptions {

    @CommandLine.Option(
            names = "--kubelet-client-certificate",
            paramLabel = "FILE",
            description = "Certificate with which the server identifies itself to kubelets, as PEM. "
                    + "Requires --kubelet-client-key.")
    private @Nullable Path certificateFile;

    @CommandLine.Option(
            names = "--kubelet-client-key",
            paramLabel = "FILE",
            description = "Private key of this certificate: PEM, PKCS#8, not encrypted.")
    private @Nullable Path keyFile;

    @CommandLine.Option(
            names = "--kubelet-certificate-authority",
            paramLabel = "FILE",
            description =
                    "Authorities of the certificates of kubelets, as PEM. Without it any certificate is accepted.")
    private @Nullable Path authoritiesFile;

    @CommandLine.Option(
            names = "--kubelet-preferred-address-types",
            paramLabel = "TYPE[,TYPE]",
            split = ",",
            defaultValue = "Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP",
            description = "Types of the addresses of nodes at which kubelets are called, the preferred one first. "
                    + "Default: ${DEFAULT-VALUE}.")
    private List<String> addressTypes = List.of();

    /**
     * Reads the files.
     *
     * @throws UsageException if an option is missing or a file has no usable content
     * @throws CommandException if a file cannot be read
     */
    KubeletAccess read() {
        if ((certificateFile == null) != (keyFile == null)) {
            throw new UsageException("--kubelet-client-certificate and --kubelet-client-key require each other");
        }
        try {
            return KubeletAccess.of(
                    authoritiesFile == null ? null : read("--kubelet-certificate-authority", authoritiesFile),
                    certificateFile == null ? null : read("--kubelet-client-certificate", certificateFile),
                    keyFile == null
                            ? ""
                            : new String(read("--kubelet-client-key", keyFile), StandardCharsets.ISO_8859_1),
                    addressTypes);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--kubelet-client-certificate, --kubelet-client-key, "
                    + "--kubelet-certificate-authority: " + e.getMessage());
        }
    }

    private static byte[] read(String flag, Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new CommandException("cannot read " + flag + " " + file + ": " + KubeconfigFile.describe(e), e);
        }
    }
}
