/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.podsecurity;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import org.jspecify.annotations.Nullable;

/**
 * A level of the standards in a version of Kubernetes.
 *
 * @param level the level
 * @param version the minor version; {@link #LATEST} for the newest
 */
record PodSecurityLevel(Level level, int version) {

    static final int LATEST = Integer.MAX_VALUE;
    static final PodSecurityLevel DEFAULT = new PodSecurityLevel(Level.PRIVILEGED, LATEST);

    private static final Pattern VERSION = Pattern.compile("v1\\.(0|[1-9][0-9]{0,8})");

    /** How strict a level is, in rising order. */
    enum Level {
        /** Forbids nothing. */
        PRIVILEGED,
        /** Forbids the known ways to more privileges. */
        BASELINE,
        /** Requires what hardens a pod. */
        RESTRICTED;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        static @Nullable Level of(String text) {
            for (Level level : values()) {
                if (level.toString().equals(text)) {
                    return level;
                }
            }
            return null;
        }
    }

    /** What happens to a violation. */
    enum Mode {
        /** The pod is rejected. */
        ENFORCE,
        /** The audit log contains the violation; this server has none. */
        AUDIT,
        /** The client gets a warning. */
        WARN;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * Returns the level of one mode.
     *
     * @param labels the labels of the namespace, or the defaults of a configuration
     * @param prefix the start of the names in them
     * @param byDefault the level of the mode without labels
     * @param errors takes invalid values; they count as restricted for the mode enforce, and as privileged for the
     *     others
     */
    static PodSecurityLevel read(
            JsonObject labels, String prefix, Mode mode, PodSecurityLevel byDefault, FieldErrors errors) {
        Level level = byDefault.level;
        int version = byDefault.version;
        String name = prefix + mode;
        if (labels.has(name)) {
            Level stated = Level.of(labels.string(name));
            level = stated != null ? stated : mode == Mode.ENFORCE ? Level.RESTRICTED : Level.PRIVILEGED;
            if (stated == null) {
                errors.invalid(
                        "metadata.labels[" + name + "]",
                        new JsonString(labels.string(name)),
                        "must be one of privileged, baseline, restricted");
            }
        }
        String ofVersion = name + "-version";
        if (labels.has(ofVersion)) {
            var stated = VERSION.matcher(labels.string(ofVersion));
            version = stated.matches() ? Integer.parseInt(stated.group(1)) : LATEST;
            if (!stated.matches() && !labels.string(ofVersion).equals("latest")) {
                errors.invalid(
                        "metadata.labels[" + ofVersion + "]",
                        new JsonString(labels.string(ofVersion)),
                        "must be \"latest\" or \"v1.x\"");
            }
        }
        return new PodSecurityLevel(level, version);
    }

    boolean isPrivileged() {
        return level == Level.PRIVILEGED;
    }

    @Override
    public String toString() {
        return level + ":" + (version == LATEST ? "latest" : "v1." + version);
    }
}
