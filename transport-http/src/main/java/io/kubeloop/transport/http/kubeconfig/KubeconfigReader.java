/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.kubeconfig;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.YamlDocuments;
import io.kubeloop.transport.http.AuthProvider;
import io.kubeloop.transport.http.ExecConfig;
import io.kubeloop.transport.http.Impersonation;
import io.kubeloop.transport.http.Kubeconfig;
import io.kubeloop.transport.http.KubeconfigClusterBuilder;
import io.kubeloop.transport.http.KubeconfigException;
import io.kubeloop.transport.http.KubeconfigUserBuilder;
import io.kubeloop.transport.http.errors.IoErrors;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one kubeconfig file (upstream: {@code clientcmd/loader.go}, {@code clientcmd/api/v1}). Unknown members are
 * ignored. Of members with the same name, the last one counts. A member of the wrong type is an error that names it.
 * Confined to the calling thread.
 */
public final class KubeconfigReader {

    /**
     * Characters that are neither visible nor white space: controls, and format characters such as those that reverse
     * the text direction.
     */
    private static final Pattern UNSHOWN = Pattern.compile("[^\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}\\t-\\r]");

    private final Path file;
    private final Path directory;

    private KubeconfigReader(Path file) {
        this.file = file;
        Path parent = file.toAbsolutePath().getParent();
        this.directory = parent == null ? file.toAbsolutePath() : parent;
    }

    /**
     * Reads the file.
     *
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     * @throws IOException if the file cannot be read
     * @throws KubeconfigException if its content is malformed
     */
    public static Kubeconfig read(Path file) throws IOException {
        return read(file, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }

    /**
     * Reads the content of a file.
     *
     * @param file the origin, for messages and relative paths
     * @throws KubeconfigException if the content is malformed
     */
    public static Kubeconfig read(Path file, String text) {
        try {
            return new KubeconfigReader(file).read(text);
        } catch (DecodeException e) {
            // No cause: the message of the YAML library quotes the text, and a stack trace would copy it to logs.
            throw new KubeconfigException("kubeconfig " + IoErrors.reason(e), null);
        } catch (IllegalArgumentException e) {
            throw new KubeconfigException("kubeconfig " + file + ": " + e.getMessage(), e);
        }
    }

    private Kubeconfig read(String text) {
        return config(document(text));
    }

    /** Returns the first document, as upstream; an empty text is an empty configuration. */
    private JsonObject document(String text) {
        JsonValue first = YamlDocuments.first(file.toString(), text);
        return first == JsonNull.NULL ? JsonObject.EMPTY : object(first, "the document");
    }

    private Kubeconfig config(JsonObject document) {
        String kind = string(document, "", "kind");
        String version = string(document, "", "apiVersion");
        if (!(kind.isEmpty() || kind.equals("Config")) || !(version.isEmpty() || version.equals("v1"))) {
            throw new IllegalArgumentException(
                    "expected a v1 Config, got kind \"" + kind + "\" of \"" + version + "\"");
        }
        return new Kubeconfig(
                string(document, "", "current-context"),
                named(document, "clusters", "cluster", this::cluster),
                named(document, "users", "user", this::user),
                named(document, "contexts", "context", KubeconfigReader::context));
    }

    private interface Entry<V> {
        V read(JsonObject value, String path);
    }

    private static <V> Map<String, V> named(JsonObject document, String list, String member, Entry<V> entry) {
        Map<String, V> entries = new LinkedHashMap<>();
        int index = 0;
        for (JsonValue element : array(document, "", list)) {
            String path = list + "[" + index++ + "]";
            JsonObject item = object(element, path);
            String name = string(item, path, "name");
            if (entries.containsKey(name)) {
                throw new IllegalArgumentException(list + " has two entries with the name \"" + name + "\"");
            }
            entries.put(name, entry.read(object(item.get(member), path + "." + member), path + "." + member));
        }
        return entries;
    }

    private Kubeconfig.Cluster cluster(JsonObject cluster, String path) {
        return KubeconfigClusterBuilder.builder()
                .origin(file.toString())
                .server(string(cluster, path, "server"))
                .tlsServerName(string(cluster, path, "tls-server-name"))
                .insecureSkipTlsVerify(bool(cluster, path, "insecure-skip-tls-verify"))
                .certificateAuthority(resolve(string(cluster, path, "certificate-authority")))
                .certificateAuthorityData(data(cluster, path, "certificate-authority-data"))
                .proxyUrl(string(cluster, path, "proxy-url"))
                .disableCompression(bool(cluster, path, "disable-compression"))
                .execConfig(execConfig(cluster, path))
                .build();
    }

    /** Returns the settings of the cluster for exec plugins, an extension, as JSON. */
    private static String execConfig(JsonObject cluster, String path) {
        for (JsonValue element : array(cluster, path, "extensions")) {
            JsonObject extension = object(element, path + ".extensions");
            JsonValue value = extension.get("extension");
            if (string(extension, path + ".extensions", "name").equals("client.authentication.k8s.io/exec")
                    && value != null) {
                return value.toString();
            }
        }
        return "";
    }

    private Kubeconfig.User user(JsonObject user, String path) {
        return KubeconfigUserBuilder.builder()
                .clientCertificate(resolve(string(user, path, "client-certificate")))
                .clientCertificateData(data(user, path, "client-certificate-data"))
                .clientKey(resolve(string(user, path, "client-key")))
                .clientKeyData(data(user, path, "client-key-data"))
                .token(string(user, path, "token"))
                .tokenFile(resolve(string(user, path, "tokenFile")))
                .impersonation(new Impersonation(
                        string(user, path, "as"),
                        string(user, path, "as-uid"),
                        strings(user, path, "as-groups"),
                        map(user, path, "as-user-extra", KubeconfigReader::strings)))
                .username(string(user, path, "username"))
                .password(string(user, path, "password"))
                .exec(exec(user, path))
                .authProvider(authProvider(user, path))
                .build();
    }

    private static Kubeconfig.Context context(JsonObject context, String path) {
        return new Kubeconfig.Context(
                string(context, path, "cluster"), string(context, path, "user"), string(context, path, "namespace"));
    }

    private @Nullable ExecConfig exec(JsonObject user, String userPath) {
        if (isAbsent(user.get("exec"))) {
            return null;
        }
        String path = userPath + ".exec";
        JsonObject exec = object(user.get("exec"), path);
        List<ExecConfig.EnvVar> env = new ArrayList<>();
        for (JsonValue element : array(exec, path, "env")) {
            JsonObject variable = object(element, path + ".env");
            env.add(new ExecConfig.EnvVar(
                    string(variable, path + ".env", "name"), string(variable, path + ".env", "value")));
        }
        String command = string(exec, path, "command");
        // Only a command with a separator is a path; a bare name is found on the search path.
        boolean isPath = command.contains("/") || command.contains(File.separator);
        return new ExecConfig(
                string(exec, path, "apiVersion"),
                isPath ? resolve(command) : command,
                strings(exec, path, "args"),
                env,
                shown(string(exec, path, "installHint")),
                bool(exec, path, "provideClusterInfo"),
                string(exec, path, "interactiveMode"));
    }

    /**
     * Returns a text for display, in which each character that could control a terminal is replaced by its code point.
     */
    private static String shown(String text) {
        return UNSHOWN.matcher(text)
                .replaceAll(found -> String.format("U+%04X", found.group().codePointAt(0)));
    }

    private static @Nullable AuthProvider authProvider(JsonObject user, String userPath) {
        if (isAbsent(user.get("auth-provider"))) {
            return null;
        }
        String path = userPath + ".auth-provider";
        JsonObject provider = object(user.get("auth-provider"), path);
        return new AuthProvider(
                string(provider, path, "name"), map(provider, path, "config", KubeconfigReader::string));
    }

    private String resolve(String path) {
        boolean relative = !path.isEmpty() && !Path.of(path).isAbsolute();
        return relative ? directory.resolve(path).normalize().toString() : path;
    }

    private static boolean isAbsent(@Nullable JsonValue value) {
        return value == null || value instanceof JsonNull;
    }

    private static JsonObject object(@Nullable JsonValue value, String path) {
        if (isAbsent(value)) {
            return JsonObject.EMPTY;
        }
        if (value instanceof JsonObject object) {
            return object;
        }
        throw wrong(path, "a map");
    }

    private static JsonArray array(JsonObject parent, String path, String name) {
        JsonValue value = parent.get(name);
        if (isAbsent(value)) {
            return JsonArray.EMPTY;
        }
        if (value instanceof JsonArray array) {
            return array;
        }
        throw wrong(join(path, name), "a list");
    }

    private static String string(JsonObject parent, String path, String name) {
        JsonValue value = parent.get(name);
        if (isAbsent(value)) {
            return "";
        }
        if (value instanceof JsonString string) {
            return string.value();
        }
        throw wrong(join(path, name), "a string (in quotes, if it looks like something else)");
    }

    private static boolean bool(JsonObject parent, String path, String name) {
        JsonValue value = parent.get(name);
        if (isAbsent(value)) {
            return false;
        }
        if (value instanceof JsonBoolean bool) {
            return bool == JsonBoolean.TRUE;
        }
        throw wrong(join(path, name), "true or false");
    }

    private static List<String> strings(JsonObject parent, String path, String name) {
        List<String> strings = new ArrayList<>();
        for (JsonValue element : array(parent, path, name)) {
            if (isAbsent(element)) {
                strings.add("");
            } else if (element instanceof JsonString string) {
                strings.add(string.value());
            } else {
                throw wrong(join(path, name), "a list of strings");
            }
        }
        return strings;
    }

    private interface Member<V> {
        V read(JsonObject parent, String path, String name);
    }

    private static <V> Map<String, V> map(JsonObject parent, String path, String name, Member<V> member) {
        Map<String, V> map = new LinkedHashMap<>();
        JsonObject members = object(parent.get(name), join(path, name));
        for (String key : members.members().keySet()) {
            map.put(key, member.read(members, join(path, name), key));
        }
        return map;
    }

    private static String data(JsonObject parent, String path, String name) {
        String text = string(parent, path, name).replaceAll("[\r\n]", "");
        if (text.length() % 4 != 0) {
            // Unlike Go, the decoder accepts missing padding.
            throw wrong(join(path, name), "base64");
        }
        try {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            throw wrong(join(path, name), "base64");
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static IllegalArgumentException wrong(String path, String expected) {
        return new IllegalArgumentException(path + " must be " + expected);
    }
}
