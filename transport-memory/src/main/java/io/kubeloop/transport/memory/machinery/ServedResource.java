package io.kubeloop.transport.memory.machinery;

import io.kubeloop.api.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource that the server serves, as discovery shows it (upstream: {@code metav1.APIResource}).
 *
 * @param type how its objects are addressed
 * @param singular the singular name, such as {@code pod}
 * @param shortNames what people type, such as {@code po}
 * @param categories groups of resources that people ask for together, such as {@code all}
 * @param verbs what can be done with its objects
 * @param subresources what hangs below its objects
 */
public record ServedResource(
        ResourceType<?> type,
        String singular,
        List<String> shortNames,
        List<String> categories,
        List<String> verbs,
        List<Subresource> subresources) {

    /** Copies the lists. */
    public ServedResource {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        verbs = List.copyOf(verbs);
        subresources = List.copyOf(subresources);
    }

    /** Returns the subresource of this name, or null. */
    public @Nullable Subresource subresource(String name) {
        for (Subresource subresource : subresources) {
            if (subresource.name().equals(name)) {
                return subresource;
            }
        }
        return null;
    }

    /** Returns {@code plural.group}, or the plural alone in the core group. */
    @Override
    public String toString() {
        return type.toString();
    }

    /**
     * A part or view of an object that has a path of its own.
     *
     * @param name its name in paths, such as {@code status}
     * @param group the group of what is read and written there
     * @param version the version of that
     * @param kind the kind of that
     * @param verbs what can be done with it
     */
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {

        /** Copies the list. */
        public Subresource {
            verbs = List.copyOf(verbs);
        }
    }
}
