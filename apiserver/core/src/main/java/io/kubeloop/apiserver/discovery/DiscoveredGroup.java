/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.discovery;

import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.apiserver.rest.ResourceStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A group with its versions, the preferred version first.
 *
 * @param name the name; empty for the core group
 * @param custom whether a custom resource definition brings the group
 * @param versions the resources of each version
 */
record DiscoveredGroup(String name, boolean custom, Map<String, List<DiscoveredResource>> versions) {

    /**
     * Returns the groups of a registry: those of the server in its order, those of custom resources by name, and those
     * whose documents are computed. Custom resources in a group of the server do not change the order of its versions.
     */
    static List<DiscoveredGroup> of(ResourceRegistry registry) {
        List<DiscoveredGroup> all = ofStores(registry.stores());
        for (ComputedApi api : registry.computed()) {
            Map<String, List<DiscoveredResource>> versions = new LinkedHashMap<>();
            api.versions().forEach(version -> versions.put(version, List.of()));
            all.add(new DiscoveredGroup(api.group(), false, versions));
        }
        return all;
    }

    private static List<DiscoveredGroup> ofStores(List<ResourceStore> stores) {
        Map<String, DiscoveredGroup> groups = new LinkedHashMap<>();
        Map<String, DiscoveredGroup> customGroups = new TreeMap<>();
        for (ResourceStore store : stores) {
            DiscoveredResource resource = DiscoveredResource.of(store);
            String name = store.type().group();
            DiscoveredGroup group = groups.get(name);
            if (group == null && resource.custom()) {
                group = customGroups.computeIfAbsent(
                        name, key -> new DiscoveredGroup(key, true, new TreeMap<>(PreferredVersions.PREFERRED_FIRST)));
            } else if (group == null) {
                group = new DiscoveredGroup(name, false, new LinkedHashMap<>());
                groups.put(name, group);
            }
            group.versions
                    .computeIfAbsent(store.type().version(), version -> new ArrayList<>())
                    .add(resource);
        }
        List<DiscoveredGroup> all = new ArrayList<>(groups.values());
        all.addAll(customGroups.values());
        return all;
    }

    /** Returns a version of this group as objects state it. */
    String apiVersion(String version) {
        return name.isEmpty() ? version : name + "/" + version;
    }
}
