/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.discovery;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.apiserver.registry.AggregatedApis;
import io.kubeloop.apiserver.registry.AggregatedApis.Priority;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.apiserver.rest.ResourceStore;
import java.util.ArrayList;
import java.util.Comparator;
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

    /**
     * Returns these groups with the versions of other servers. The priorities of API services rank those of other
     * servers, and the versions of a group that both serve; the order of this server's own groups stays.
     */
    static List<DiscoveredGroup> merged(List<DiscoveredGroup> local, AggregatedApis apis) {
        List<DiscoveredGroup> all = new ArrayList<>(local);
        Map<String, List<AggregatedApis.Version>> remote = new TreeMap<>();
        apis.versions()
                .forEach(version -> remote.computeIfAbsent(version.group(), group -> new ArrayList<>())
                        .add(version));
        remote.forEach((group, versions) -> {
            DiscoveredGroup own = all.stream()
                    .filter(known -> known.name.equals(group))
                    .findFirst()
                    .orElse(new DiscoveredGroup(group, false, Map.of()));
            DiscoveredGroup both = own.with(versions, apis);
            int place = all.indexOf(own);
            if (place >= 0) {
                all.set(place, both);
            } else {
                all.add(both.place(all, apis), both);
            }
        });
        return all;
    }

    private DiscoveredGroup with(List<AggregatedApis.Version> added, AggregatedApis apis) {
        List<String> names = new ArrayList<>(versions.keySet());
        added.stream()
                .map(AggregatedApis.Version::version)
                .filter(name -> !names.contains(name))
                .forEach(names::add);
        names.sort(Comparator.comparingLong(
                        (String version) -> -apis.priority(name, version).version())
                .thenComparing(PreferredVersions.PREFERRED_FIRST));
        Map<String, List<DiscoveredResource>> sorted = new LinkedHashMap<>();
        names.forEach(version -> sorted.put(version, versions.getOrDefault(version, List.of())));
        return new DiscoveredGroup(name, custom, sorted);
    }

    /** Returns the place in a list of groups that are ranked by their priority and then by their name. */
    private int place(List<DiscoveredGroup> groups, AggregatedApis apis) {
        int rank = rank(apis);
        for (int i = 0; i < groups.size(); i++) {
            DiscoveredGroup other = groups.get(i);
            int otherRank = other.rank(apis);
            if (otherRank < rank || (otherRank == rank && other.name.compareTo(name) > 0)) {
                return i;
            }
        }
        return groups.size();
    }

    /** The group of API services has no priority and is the first. */
    private int rank(AggregatedApis apis) {
        return name.isEmpty() || name.equals("apiregistration.k8s.io")
                ? Integer.MAX_VALUE
                : versions.keySet().stream()
                        .map(version -> apis.priority(name, version))
                        .mapToInt(Priority::group)
                        .max()
                        .orElse(0);
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

    /**
     * Orders the versions of a group by preference: stable before beta before alpha, then the larger numbers, then all
     * other names by their text (upstream: {@code apimachinery/pkg/version} {@code CompareKubeAwareVersionStrings}).
     */
    private static final class PreferredVersions {

        /** The preferred version is the first. */
        static final Comparator<String> PREFERRED_FIRST = PreferredVersions::compare;

        private static final Pattern VERSION = Pattern.compile("v([1-9]\\d{0,8})(?:(alpha|beta)([1-9]\\d{0,8}))?");

        private PreferredVersions() {}

        private static int compare(String one, String other) {
            Matcher first = VERSION.matcher(one);
            Matcher second = VERSION.matcher(other);
            boolean isVersion = first.matches();
            if (isVersion != second.matches()) {
                return isVersion ? -1 : 1;
            }
            if (!isVersion) {
                return one.compareTo(other);
            }
            int byStability = Integer.compare(stability(second), stability(first));
            int byMajor = Integer.compare(number(second.group(1)), number(first.group(1)));
            int byMinor = Integer.compare(number(second.group(3)), number(first.group(3)));
            return byStability != 0 ? byStability : byMajor != 0 ? byMajor : byMinor;
        }

        private static int stability(Matcher version) {
            return version.group(2) == null ? 2 : version.group(2).equals("beta") ? 1 : 0;
        }

        private static int number(String digits) {
            return digits == null ? 0 : Integer.parseInt(digits);
        }
    }
}
