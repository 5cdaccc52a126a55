/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kubeloop.command.CommandException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class KubeconfigFileTest {

    @TempDir
    Path folder;

    @Test
    void write_newFile_isReadableByItsOwnerAlone() throws IOException {
        Path file = folder.resolve("kubeconfig");
        KubeconfigFile.write(file, "http://127.0.0.1:8001", "", "");
        assertThat(Files.readString(file)).contains("server: http://127.0.0.1:8001");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void write_serverWithTlsAndTokens_carriesWhatAClientNeeds() throws IOException {
        Path file = folder.resolve("kubeconfig");
        KubeconfigFile.write(file, "https://127.0.0.1:1", "PEM", "a\"b");
        assertThat(Files.readString(file))
                .contains("    server: https://127.0.0.1:1\n    certificate-authority-data: UEVN\nusers:")
                .contains("user: {token: \"a\\\"b\"}");
    }

    @Test
    void write_existingFile_isReplacedAsAWhole() throws IOException {
        Path file = folder.resolve("kubeconfig");
        Files.writeString(file, "something old");
        KubeconfigFile.write(file, "http://127.0.0.1:1", "", "");
        assertThat(Files.readString(file)).doesNotContain("old");
        assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
    }

    /** As {@code /dev/stdout} is given, or {@code /dev/null}: root would put a file in the device's place. */
    @Test
    void write_deviceInItsPlace_isWrittenToAndStays() throws IOException {
        Path device = Path.of("/dev/full");
        assumeTrue(Files.exists(device) && !Files.isRegularFile(device));
        Path file = Files.createSymbolicLink(folder.resolve("kubeconfig"), device);
        assertThatThrownBy(() -> KubeconfigFile.write(file, "http://127.0.0.1:1", "", ""))
                .isInstanceOf(CommandException.class)
                .hasMessage("cannot write the kubeconfig " + file + ": No space left on device");
        assertThat(file).isSymbolicLink();
        assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
    }

    /** As {@code /dev/stdout} leads to a file after {@code >>}: what is in it, and what follows, must not be lost. */
    @Test
    @ResourceLock(Resources.SYSTEM_OUT)
    void write_standardOutput_isWrittenToAsAStream() throws IOException {
        Path device = Path.of("/dev/stdout");
        assumeTrue(Files.exists(device));
        PrintStream out = System.out;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setOut(new PrintStream(written, false, StandardCharsets.UTF_8));
        try {
            KubeconfigFile.write(device, "http://127.0.0.1:1", "", "");
        } finally {
            System.setOut(out);
        }
        assertThat(written.toString(StandardCharsets.UTF_8)).contains("server: http://127.0.0.1:1");
    }

    @Test
    void write_link_replacesTheFileThatItLeadsTo() throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "something old");
        Path file = Files.createSymbolicLink(folder.resolve("kubeconfig"), target);
        KubeconfigFile.write(file, "http://127.0.0.1:1", "", "");
        assertThat(file).isSymbolicLink();
        assertThat(Files.readString(target)).contains("server: http://127.0.0.1:1");
    }

    @Test
    void write_folderInItsPlace_saysSoAndLeavesNothing() throws IOException {
        Path file = Files.createDirectory(folder.resolve("kubeconfig"));
        assertThatThrownBy(() -> KubeconfigFile.write(file, "http://127.0.0.1:1", "", "secret"))
                .isInstanceOf(CommandException.class)
                .hasMessage("cannot write the kubeconfig " + file + ": it is a directory");
        assertThatThrownBy(() -> KubeconfigFile.write(Path.of("/"), "http://127.0.0.1:1", "", "secret"))
                .hasMessage("cannot write the kubeconfig /: it is a directory");
        assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
    }

    @Test
    void write_folderMissing_saysWhatAndWhere() {
        Path file = folder.resolve("missing").resolve("kubeconfig");
        assertThatThrownBy(() -> KubeconfigFile.write(file, "http://127.0.0.1:1", "", ""))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("cannot write the kubeconfig " + file)
                .hasMessageContaining("no such file");
    }
}
