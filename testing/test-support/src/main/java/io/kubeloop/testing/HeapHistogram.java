/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/** Counts reachable objects, to detect growth. */
public final class HeapHistogram {

    private HeapHistogram() {}

    /**
     * Returns the number of reachable instances of each class whose name has this prefix. Collects garbage and stops
     * all threads.
     */
    public static Map<String, Long> of(String prefix) {
        return column(1, prefix);
    }

    /**
     * Returns the bytes of all reachable instances of the class, named as the JVM names it. Collects garbage; stops the
     * world.
     */
    public static long bytesOf(String className) {
        return column(2, className).getOrDefault(className, 0L);
    }

    private static Map<String, Long> column(int index, String prefix) {
        try {
            Object text = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {null},
                            new String[] {String[].class.getName()});
            Map<String, Long> found = new TreeMap<>();
            for (String line : text.toString().split("\n", -1)) {
                String[] columns = line.trim().split("\\s+", -1);
                if (columns.length >= 4 && columns[3].startsWith(prefix)) {
                    found.put(columns[3], Long.valueOf(columns[index]));
                }
            }
            return found;
        } catch (JMException e) {
            throw new IllegalStateException(
                    "Cannot count objects: this JVM has no diagnostic command gcClassHistogram", e);
        }
    }
}
