/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.apiserver.http.KubeletAccess;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the options of connections to kubelets. Holds no state. */
final class KubeletOptions {

    private KubeletOptions() {}

    /**
     * Reads the files.
     *
     * @throws UsageException if an option is missing or a file has no usable content
     * @throws CommandException if a file cannot be read
     */
    static KubeletAccess read(OptionValues values) {
        Path certificateFile = values.file("kubelet-client-certificate");
        Path keyFile = values.file("kubelet-client-key");
        Path authoritiesFile = values.file("kubelet-certificate-authority");
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
                    values.texts("kubelet-preferred-address-types"));
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
