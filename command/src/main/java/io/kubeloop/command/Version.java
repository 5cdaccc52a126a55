/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Reads the version of this build. */
public final class Version {

    private Version() {}

    /** Returns the version from the resources of the build, or {@code unknown}. */
    public static String current() {
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new CommandException("cannot read version.properties: " + e.getMessage(), e);
        }
    }
}
