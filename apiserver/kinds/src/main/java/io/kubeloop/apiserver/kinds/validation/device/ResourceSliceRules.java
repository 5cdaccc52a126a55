/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.device;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.DeclaredFormats;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.SchedulingRules;
import io.kubeloop.apiserver.kinds.validation.VolumeSourceRules;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Validation of resource slices and of the devices in them (upstream: {@code pkg/apis/resource/validation}). */
public final class ResourceSliceRules {

    private static final int MAX_DEVICES = 128;
    private static final int MAX_ADVANCED_DEVICES = 64;
    private static final int MAX_COUNTER_SETS = 8;
    private static final int MAX_CONSUMED_SETS = 2;
    private static final int MAX_COUNTERS = 32;
    private static final int MAX_TAINTS = 16;
    private static final int MAX_ATTRIBUTES = 32;
    private static final int MAX_ATTRIBUTE_LENGTH = 64;
    private static final List<String> SCALARS = List.of("int", "bool", "string", "version");
    private static final String FORMS = "`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`";
    private static final String UNSET_OR_TRUE = "must be either unset or set to true";
    private static final String NUMBER = "(0|[1-9]\\d*)";
    private static final String PRE_RELEASE = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
    private static final String BUILD = "[0-9a-zA-Z-]+";
    private static final Pattern VERSION = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(-" + PRE_RELEASE
            + "(\\." + PRE_RELEASE + ")*)?(\\+" + BUILD + "(\\." + BUILD + ")*)?");

    private ResourceSliceRules() {}

    /** Validates a new slice. */
    public static void create(FieldCursor slice) {
        spec(slice.at("spec"), null);
    }

    /** Validates a changed slice. */
    public static void update(FieldCursor slice, FieldCursor old) {
        spec(slice.at("spec"), old.at("spec"));
    }

    /** Returns the warnings about a slice. */
    public static List<String> warnings(FieldCursor slice) {
        String driver = slice.at("spec", "driver").text();
        return driver.equals(driver.toLowerCase(Locale.ROOT))
                ? List.of()
                : List.of("spec.driver: driver names should be lowercase; \"" + driver
                        + "\" contains uppercase characters");
    }

    private static void spec(FieldCursor spec, @Nullable FieldCursor old) {
        FieldCursor pool = spec.at("pool");
        VolumeSourceRules.driverName(spec.at("driver"));
        DeviceFields.poolName(pool.at("name"));
        pool.at("resourceSliceCount").holdingNumber().positive();
        if (pool.at("generation").number() < 0) {
            pool.at("generation").invalid("must be greater than or equal to zero");
        }
        if (old != null) {
            pool.at("name").holdingText().immutable(old.at("pool", "name").holdingText());
            spec.at("driver").holdingText().immutable(old.at("driver").holdingText());
            spec.at("nodeName").immutable(old.at("nodeName"));
        }
        sliceNodes(spec);
        FieldCursor devices = spec.at("devices");
        FieldCursor shared = spec.at("sharedCounters");
        if (devices.isSet() && shared.isSet()) {
            spec.holding(new JsonString("")).invalid("only one of `sharedCounters` or `devices` is allowed");
        }
        boolean isAdvanced = devices.items().stream().anyMatch(ResourceSliceRules::isAdvanced);
        boolean perDevice = spec.at("perDeviceNodeSelection").isTrue();
        DeviceFields.set(
                devices,
                isAdvanced ? MAX_ADVANCED_DEVICES : MAX_DEVICES,
                device -> device(device, before(old, device.at("name").text()), perDevice),
                DeviceFields.text("name"));
        DeviceFields.unique(shared, MAX_COUNTER_SETS, set -> counters(set, "name"), "name");
    }

    private static boolean isAdvanced(FieldCursor device) {
        return !device.at("taints").isEmpty() || !device.at("consumesCounters").isEmpty();
    }

    private static JsonObject before(@Nullable FieldCursor old, String name) {
        return old == null
                ? JsonObject.EMPTY
                : old.at("devices")
                        .array()
                        .objects()
                        .filter(device -> device.string("name").equals(name))
                        .findFirst()
                        .orElse(JsonObject.EMPTY);
    }

    private static void sliceNodes(FieldCursor spec) {
        List<String> set = new ArrayList<>();
        nodeName(spec, "must be either unset or set to a non-empty string", set);
        nodeSelector(spec, set, selector -> {
            FieldCursor terms = selector.at("nodeSelectorTerms");
            if (terms.array().size() != 1) {
                JsonArray shown = JsonArray.of(terms.items().stream()
                        .map(term -> InternalForm.of("core.v1.NodeSelectorTerm", term.shownObject()))
                        .toList());
                (shown.isEmpty() ? terms : terms.holding(shown)).invalid("must have exactly one node selector term");
            }
        });
        unsetOrTrue(spec, "allNodes", set);
        unsetOrTrue(spec, "perDeviceNodeSelection", set);
        exactlyOne(
                spec,
                set,
                "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
                ", but multiple fields are set");
    }

    private static void nodeName(FieldCursor holder, String problem, List<String> set) {
        holder.at("nodeName").ifSet(name -> {
            if (name.isEmpty()) {
                name.invalid(problem);
            } else {
                set.add("`nodeName`");
                name.follows(NameValidation::dns1123Subdomain);
            }
        });
    }

    private static void nodeSelector(FieldCursor holder, List<String> set, Consumer<FieldCursor> further) {
        holder.at("nodeSelector").ifSet(selector -> {
            set.add("`nodeSelector`");
            SchedulingRules.nodeSelector(selector);
            further.accept(selector);
        });
    }

    private static void unsetOrTrue(FieldCursor holder, String field, List<String> set) {
        holder.at(field).ifSet(flag -> {
            if (flag.isTrue()) {
                set.add("`" + field + "`");
            } else {
                flag.invalid(UNSET_OR_TRUE);
            }
        });
    }

    private static void exactlyOne(FieldCursor holder, List<String> set, String rule, String several) {
        if (set.isEmpty()) {
            holder.required(rule);
        } else if (set.size() > 1) {
            holder.holding(new JsonString("{" + String.join(", ", set) + "}")).invalid(rule + several);
        }
    }

    private static void counters(FieldCursor holder, String name) {
        DeclaredFormats.requireShortName(holder.at(name));
        FieldCursor counters = holder.at("counters");
        int count = counters.object().members().size();
        if (count > MAX_COUNTERS) {
            counters.errors().tooMany(counters.path(), count, MAX_COUNTERS);
        } else if (counters.declared().require()) {
            for (String key : counters.object().members().keySet()) {
                counters.declared().holding(new JsonString(key)).follows(DeclaredFormats::shortName);
            }
        }
    }

    private static void device(FieldCursor device, JsonObject old, boolean perDevice) {
        device.at("name").follows(NameValidation::dns1123Label);
        FieldCursor attributes = device.at("attributes");
        FieldCursor capacity = device.at("capacity");
        int count = attributes.object().members().size()
                + capacity.object().members().size();
        if (count > MAX_ATTRIBUTES) {
            device.holding(JsonNumber.of(count))
                    .invalid("the total number of attributes and capacities must not exceed " + MAX_ATTRIBUTES);
        }
        for (FieldCursor attribute : attributes.entries()) {
            DeviceFields.qualifiedName(attributes.holding(key(attribute, attributes)));
            attribute(attribute);
        }
        boolean isShared = device.at("allowMultipleAllocations").isTrue();
        for (FieldCursor amount : capacity.entries()) {
            DeviceFields.qualifiedName(capacity.holding(key(amount, capacity)));
            DeviceCapacityRules.check(amount, isShared);
        }
        DeviceFields.unique(
                device.at("consumesCounters"),
                MAX_CONSUMED_SETS,
                consumed -> counters(consumed, "counterSet"),
                "counterSet");
        if (!old.array("taints").equals(device.at("taints").array()) || old.isEmpty()) {
            device.at("taints").atMost(MAX_TAINTS);
            device.at("taints").each(DeviceClaimRules::taint);
        }
        deviceNodes(device, perDevice);
        DeviceFields.bindingConditions(device);
    }

    private static JsonString key(FieldCursor entry, FieldCursor map) {
        return new JsonString(
                entry.path().substring(map.path().length() + 1, entry.path().length() - 1));
    }

    private static void attribute(FieldCursor attribute) {
        List<String> set =
                SCALARS.stream().filter(scalar -> attribute.at(scalar).isSet()).toList();
        set.forEach(scalar -> value(attribute.at(scalar), scalar));
        if (set.size() != 1) {
            attribute
                    .declared()
                    .holding(new JsonString(set.isEmpty() ? "" : "{" + String.join(", ", set) + "}"))
                    .invalid("must specify " + (set.isEmpty() ? "" : "exactly ") + "one of: " + FORMS);
        }
    }

    private static void value(FieldCursor value, String type) {
        if (type.equals("version") && !VERSION.matcher(value.text()).matches()) {
            value.invalid("must be a string compatible with semver.org spec 2.0.0");
        }
        if ((type.equals("version") || type.equals("string")) && value.text().length() > MAX_ATTRIBUTE_LENGTH) {
            value.errors().tooLong(value.path(), MAX_ATTRIBUTE_LENGTH);
        }
    }

    private static void deviceNodes(FieldCursor device, boolean perDevice) {
        if (!perDevice) {
            boolean isSet = List.of("nodeName", "nodeSelector", "allNodes").stream()
                    .anyMatch(field -> device.at(field).isSet());
            if (isSet) {
                device.holding(null)
                        .invalid("`nodeName`, `nodeSelector` and `allNodes` can only be set if "
                                + "`perDeviceNodeSelection` is set to true in the ResourceSlice spec");
            }
            return;
        }
        List<String> set = new ArrayList<>();
        nodeName(device, "must not be empty", set);
        nodeSelector(device, set, selector -> {});
        unsetOrTrue(device, "allNodes", set);
        exactlyOne(
                device,
                set,
                "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is "
                        + "set to true in the ResourceSlice spec",
                "");
    }
}
