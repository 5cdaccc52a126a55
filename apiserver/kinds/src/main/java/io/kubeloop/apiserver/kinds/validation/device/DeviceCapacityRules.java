/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.device;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonString;
import java.util.List;

/** Validation of the amounts of a device that several claims may share (upstream: {@code validateRequestPolicy}). */
final class DeviceCapacityRules {

    private static final int MAX_OPTIONS = 10;

    private DeviceCapacityRules() {}

    /** Validates the capacity of a device. */
    static void check(FieldCursor capacity, boolean isShared) {
        FieldCursor policy = capacity.at("requestPolicy");
        FieldCursor values = policy.at("validValues");
        FieldCursor range = policy.at("validRange");
        if (!policy.isSet()) {
            return;
        }
        if (!isShared) {
            policy.forbidden("allowMultipleAllocations must be true");
            return;
        }
        if (!values.isEmpty() && range.isSet()) {
            policy.forbidden("exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\" at"
                    + " the same time");
            return;
        }
        FieldCursor initial = policy.at("default");
        String rule = values.isEmpty() ? "validRange" : "validValues";
        if (values.isEmpty() && !range.isSet()) {
            return;
        }
        if (!initial.isSet()) {
            initial.required("required when " + rule + " is defined");
        } else if (values.isEmpty()) {
            range(range, amount(initial), amount(capacity.at("value")));
        } else {
            values(values, amount(initial), amount(capacity.at("value")));
        }
    }

    private static Quantity amount(FieldCursor field) {
        return field.value() == null ? Quantity.ZERO : Quantities.of(field.value());
    }

    private static void values(FieldCursor values, Quantity initial, Quantity most) {
        List<FieldCursor> items = values.items();
        for (int i = 1; i < items.size(); i++) {
            if (amount(items.get(i - 1)).compareTo(amount(items.get(i))) > 0) {
                items.get(i).invalid("values must be sorted in ascending order");
            }
        }
        DeviceFields.set(
                values,
                MAX_OPTIONS,
                option -> {
                    if (amount(option).compareTo(most) > 0) {
                        option.invalid("option is larger than capacity value: " + most);
                    }
                },
                option -> new JsonString(Long.toString(amount(option).value())));
        boolean hasDefault = items.size() <= MAX_OPTIONS
                && items.stream().anyMatch(option -> amount(option).compareTo(initial) == 0);
        if (!hasDefault) {
            values.holding(new JsonString(initial.toString()))
                    .invalid("default value is not valid according to the requestPolicy");
        }
    }

    private static void range(FieldCursor range, Quantity initial, Quantity most) {
        FieldCursor min = range.at("min");
        FieldCursor max = range.at("max");
        FieldCursor step = range.at("step");
        FieldCursor shownInitial = range.holding(new JsonString(initial.toString()));
        if (!min.isSet()) {
            min.required("required when validRange is defined");
            return;
        }
        Quantity least = amount(min);
        if (least.compareTo(most) > 0) {
            min.invalid("min is larger than capacity value: " + most);
        }
        if (initial.compareTo(least) < 0) {
            shownInitial.named(min.path()).invalid("default is less than min: " + least);
        }
        if (max.isSet()) {
            if (least.compareTo(amount(max)) > 0) {
                min.named(max.path()).invalid("min is larger than max: " + amount(max));
            }
            if (amount(max).compareTo(most) > 0) {
                max.invalid("max is larger than capacity value: " + most);
            }
            if (initial.compareTo(amount(max)) > 0) {
                shownInitial.named(max.path()).invalid("default is more than max: " + amount(max));
            }
        }
        if (step.isSet()) {
            Quantity first = least.plus(amount(step));
            if (first.compareTo(most) > 0) {
                step.invalid("one step " + first + " is larger than capacity value: " + most);
            }
            multiple(shownInitial.named(step.path()), initial, least, amount(step));
            if (max.isSet()) {
                multiple(max.named(step.path()), amount(max), least, amount(step));
            }
        }
    }

    private static void multiple(FieldCursor shown, Quantity value, Quantity min, Quantity step) {
        if (step.value() != 0 && (value.value() - min.value()) % step.value() != 0) {
            shown.invalid("value is not a multiple of a given step (" + step + ") from (" + min + ")");
        }
    }
}
