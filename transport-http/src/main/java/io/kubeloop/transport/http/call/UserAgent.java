/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;

/** The default User-Agent: {@code kubeloop/VERSION (OS/ARCHITECTURE)}. */
final class UserAgent {

    static final String OWN =
            "kubeloop/" + version() + " (" + systemProperty("os.name") + "/" + systemProperty("os.arch") + ")";

    private UserAgent() {}

    private static String version() {
        try (InputStream in = UserAgent.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String systemProperty(String name) {
        return System.getProperty(name, "unknown").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
    }
}
