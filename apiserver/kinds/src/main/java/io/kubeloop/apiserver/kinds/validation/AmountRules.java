/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.quota.PodAmounts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Validation of the resources that containers request (upstream: {@code validateResourceRequirements}). */
public final class AmountRules {

    private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String PAGES = "hugepages-";

    /** The most digits of an amount that upstream holds in 64 bits. */
    private static final int LONG_DIGITS = 18;

    /** The powers of ten by which upstream multiplies at once. */
    private static final Set<Integer> SINGLE_STEPS = Set.of(0, 1, 2, 3, 6, 9);

    /** The other names without a prefix; containers cannot request them. */
    private static final Set<String> STANDARD = Set.of(
            "storage",
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers",
            "requests.cpu",
            "requests.memory",
            "requests.storage",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage");

    private AmountRules() {}

    /** Validates the resources of a container. */
    public static void ofContainer(FieldCursor resources, Set<String> claims) {
        FieldCursor limits = resources.at("limits");
        FieldCursor requests = resources.at("requests");
        for (FieldCursor limit : limits.entries()) {
            amount(limit);
            pages(limit);
        }
        for (FieldCursor request : requests.entries()) {
            amount(request);
            withinLimit(request, requests, limits);
            pages(request);
        }
        Set<String> limited = limits.object().members().keySet();
        Set<String> requested = requests.object().members().keySet();
        boolean hasPages = limited.stream().anyMatch(AmountRules::isPages)
                || requested.stream().anyMatch(AmountRules::isPages);
        List<String> basic = List.of("cpu", "memory");
        if (hasPages
                && basic.stream().noneMatch(limited::contains)
                && basic.stream().noneMatch(requested::contains)) {
            resources.forbidden("HugePages require cpu or memory");
        }
        claims(resources.at("claims"), claims);
    }

    /** Returns the names of the claims that a pod declares. */
    static Set<String> claimNames(FieldCursor declared) {
        return declared.array().objects().map(claim -> claim.string("name")).collect(Collectors.toUnmodifiableSet());
    }

    private static void claims(FieldCursor list, Set<String> known) {
        Set<String> seen = new HashSet<>();
        list.each(claim -> {
            String name = claim.at("name").text();
            if (name.isEmpty()) {
                claim.required("");
                return;
            }
            claimed(claim, name, seen);
            if (!known.contains(name)) {
                claim.errors()
                        .notFound(
                                claim.path(),
                                name,
                                "must be one of the names in pod.spec.resourceClaims"
                                        + (known.isEmpty()
                                                ? " which is empty"
                                                : ": " + String.join(", ", new TreeSet<>(known))));
            }
        });
    }

    /** Adds an error if a container already uses a claim, or the same request of it. */
    private static void claimed(FieldCursor claim, String name, Set<String> seen) {
        if (seen.contains(name)) {
            claim.holding(new JsonString(name)).duplicate();
            return;
        }
        FieldCursor request = claim.at("request");
        request.followsIfSet(NameValidation::dns1123Label);
        String key = request.isEmpty() ? name : name + "/" + request.text();
        String anyRequest = name + "/";
        if (seen.contains(key) || (request.isEmpty() && seen.contains(anyRequest))) {
            claim.holding(new JsonString(key)).duplicate();
        }
        seen.add(key);
        if (!request.isEmpty()) {
            seen.add(anyRequest);
        }
    }

    /** Validates one amount and its name. */
    private static void amount(FieldCursor entry) {
        containerResourceName(entry.holding(new JsonString(name(entry))));
        value(entry, name(entry));
    }

    /** Adds an error unless an amount of huge pages consists of whole pages. */
    private static void pages(FieldCursor entry) {
        String name = name(entry);
        if (!isPages(name)) {
            return;
        }
        Quantity amount = quantity(entry);
        long size = pageSize(name.substring(PAGES.length()));
        if (size <= 0 || scaled(amount, 0) % size != 0) {
            entry.holding(new JsonString(amount.toString()))
                    .invalid(amount + " is not positive integer multiple of " + name);
        }
    }

    /** Returns the size in bytes; 0 if the text is no whole amount. */
    private static long pageSize(String text) {
        try {
            Quantity size = Quantity.parse(text);
            return size.milliValue() % 1000 == 0 ? size.value() : 0;
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    /** Validates the name of a resource that a container may request. */
    public static void containerResourceName(FieldCursor shown) {
        var unused = resourceName(shown);
        String name = shown.text();
        boolean isPlain = name.indexOf('/') < 0;
        if (isPlain && !OF_CONTAINERS.contains(name) && !isPages(name)) {
            shown.invalid("must be a standard resource for containers");
        } else if (!isNative(name) && !isExtended(name)) {
            shown.invalid("doesn't follow extended resource name standard");
        }
    }

    /** Validates the name of a resource; returns whether it is one. */
    private static boolean resourceName(FieldCursor shown) {
        String name = shown.text();
        List<String> problems = NameValidation.qualifiedName(name);
        shown.invalid(problems);
        boolean isUnknown = problems.isEmpty() && name.indexOf('/') < 0 && !isStandard(name);
        if (isUnknown) {
            shown.invalid("must be a standard resource type or fully qualified");
        }
        return problems.isEmpty() && !isUnknown;
    }

    private static String name(FieldCursor entry) {
        return entry.path()
                .substring(entry.path().lastIndexOf('[') + 1, entry.path().length() - 1);
    }

    private static void value(FieldCursor entry, String name) {
        Quantity amount = quantity(entry);
        FieldCursor shown = entry.holding(new JsonString(amount.toString()));
        if (amount.signum() < 0) {
            shown.invalid("must be greater than or equal to 0");
        }
        if (isExtended(name) && !isWhole(amount)) {
            shown.invalid("must be an integer");
        }
    }

    /** Returns whether a resource that comes in whole units may have this amount. */
    public static boolean isWhole(Quantity amount) {
        return scaled(amount, 3) % 1000 == 0;
    }

    /**
     * Returns an amount in units of a power of ten, rounded away from zero. As upstream, a result beyond 64 bits is 0
     * or loses its high bits: {@code 9223372036854776} has a fraction, and {@code 1e19} is whole.
     *
     * @param digits the number of decimal digits after the point of the unit
     */
    public static long scaled(Quantity amount, int digits) {
        BigDecimal exact = amount.amount();
        BigInteger result =
                exact.movePointRight(digits).setScale(0, RoundingMode.UP).toBigInteger();
        boolean stepwise = amount.format() != Quantity.Format.BINARY_SI
                && exact.precision() <= LONG_DIGITS
                && !SINGLE_STEPS.contains(digits - exact.scale());
        return stepwise && result.bitLength() >= Long.SIZE ? 0 : result.longValue();
    }

    private static Quantity quantity(FieldCursor entry) {
        JsonValue value = entry.value();
        return Quantities.of(value == null ? JsonNull.NULL : value);
    }

    private static void withinLimit(FieldCursor request, FieldCursor requests, FieldCursor limits) {
        String name = name(request);
        boolean mayExceed = isNative(name) && !isPages(name);
        FieldCursor limit = limits.entry(name);
        Quantity amount = quantity(request);
        FieldCursor shown = requests.holding(new JsonString(amount.toString()));
        if (!limit.isSet()) {
            if (!mayExceed) {
                limits.required("Limit must be set for non overcommitable resources");
            }
            return;
        }
        Quantity most = quantity(limit);
        if (!mayExceed && amount.compareTo(most) != 0) {
            shown.invalid("must be equal to " + name + " limit of " + most);
        } else if (amount.compareTo(most) > 0) {
            shown.invalid("must be less than or equal to " + name + " limit of " + most);
        }
    }

    /** Validates the resources of a pod as a whole, which must suffice for its containers. */
    static void ofPod(FieldCursor spec, FieldCursor resources) {
        if (!resources.isSet() && resources.shownObject().isEmpty()) {
            return;
        }
        if (spec.at("os", "name").text().equals("windows")) {
            resources.forbidden("may not be set for a windows pod");
            return;
        }
        if (resources.shownObject().has("claims")) {
            resources.at("claims").forbidden("claims may not be set for Resources at pod-level");
            claims(resources.at("claims"), claimNames(spec.at("resourceClaims")));
        }
        for (String list : List.of("limits", "requests")) {
            for (FieldCursor entry : resources.at(list).entries()) {
                FieldCursor shown = entry.holding(new JsonString(name(entry)));
                if (resourceName(shown)
                        && !name(entry).equals("cpu")
                        && !name(entry).equals("memory")
                        && !isPages(name(entry))) {
                    shown.notSupported(List.of("cpu", "hugepages-", "memory"));
                }
                value(entry, name(entry));
                if (list.equals("requests")) {
                    withinLimit(entry, resources.at("requests"), resources.at("limits"));
                }
            }
        }
        PodAmounts.withoutOverhead(spec.object(), "requests").byName().forEach((name, sum) -> {
            FieldCursor request = resources.at("requests").entry(name);
            if (request.isSet() && sum.compareTo(quantity(request)) > 0) {
                request.invalid("must be greater than or equal to aggregate container requests of " + sum);
            }
        });
        List<FieldCursor> containers = spec.at("containers").items();
        for (int i = 0; i < containers.size(); i++) {
            for (FieldCursor limit : containers.get(i).at("resources", "limits").entries()) {
                FieldCursor most = resources.at("limits").entry(name(limit));
                if (most.isSet() && quantity(limit).compareTo(quantity(most)) > 0) {
                    limit.named(resources.path() + ".containers[" + i + "][" + name(limit) + "].limits")
                            .invalid("must be less than or equal to pod limits of " + quantity(most));
                }
            }
        }
    }

    private static boolean isStandard(String name) {
        return OF_CONTAINERS.contains(name) || isPages(name) || STANDARD.contains(name);
    }

    private static boolean isPages(String name) {
        return name.startsWith(PAGES);
    }

    private static boolean isNative(String name) {
        return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
    }

    private static boolean isExtended(String name) {
        return !isNative(name)
                && !name.startsWith("requests.")
                && NameValidation.qualifiedName("requests." + name).isEmpty();
    }
}
