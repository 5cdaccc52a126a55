/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.apiserver.http.KubeconfigText;
import io.kubeloop.command.CommandException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a kubeconfig with mode 0600. Holds no state. */
public final class KubeconfigFile {

    private KubeconfigFile() {}

    /**
     * Writes a kubeconfig for the embedded API server, as {@link #write(Path, String)} does.
     *
     * @param certificates the certificates that the client trusts, as PEM; empty without TLS
     * @param token the bearer token of the client; empty without tokens
     * @throws CommandException if the file cannot be written
     */
    public static void write(Path file, String serverUrl, String certificates, String token) {
        write(file, KubeconfigText.of(serverUrl, certificates, token));
    }

    /**
     * Replaces the file in one step, so no reader finds a part of it. It writes in place to a path that is not a
     * regular file, such as {@code /dev/full}, and to the file of standard output or error.
     *
     * @throws CommandException if the file cannot be written
     */
    static void write(Path file, String text) {
        Path absolute = file.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            throw new CommandException("cannot write the kubeconfig " + file + ": it is a directory", null);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            PrintStream stream = standardStream(absolute);
            if (stream != null) {
                stream.write(bytes);
                if (stream.checkError()) {
                    throw new IOException("the stream does not accept output");
                }
            } else if (!Files.exists(absolute)) {
                replace(absolute, bytes);
            } else if (Files.isRegularFile(absolute)) {
                replace(absolute.toRealPath(), bytes);
            } else {
                Files.write(absolute, bytes, StandardOpenOption.WRITE);
            }
        } catch (IOException e) {
            throw new CommandException("cannot write the kubeconfig " + file + ": " + describe(e), e);
        }
    }

    /**
     * Returns the standard stream of this process that writes to this file, or null. Replacing the file would lose the
     * output of the stream; a second writer would overwrite it.
     */
    private static @Nullable PrintStream standardStream(Path file) throws IOException {
        if (isSame(file, Path.of("/dev/stdout"))) {
            return System.out;
        }
        return isSame(file, Path.of("/dev/stderr")) ? System.err : null;
    }

    private static boolean isSame(Path file, Path device) throws IOException {
        return Files.exists(file) && Files.exists(device) && Files.isSameFile(file, device);
    }

    private static void replace(Path file, byte[] bytes) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        Files.createFile(part, ownerOnly());
        try {
            Files.write(part, bytes, StandardOpenOption.WRITE);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            // It exists only after a failure, such as a full disk, and may contain a token.
            Files.deleteIfExists(part);
        }
    }

    private static FileAttribute<?>[] ownerOnly() {
        Set<String> views = FileSystems.getDefault().supportedFileAttributeViews();
        return views.contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Returns a message for an exception. The message of a file system exception is only the path; its type names the
     * problem.
     */
    static String describe(IOException e) {
        String type = e.getClass().getSimpleName().replaceFirst("Exception$", "");
        String words = type.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
        return e instanceof FileSystemException ? words + " (" + e.getMessage() + ")" : String.valueOf(e.getMessage());
    }
}
