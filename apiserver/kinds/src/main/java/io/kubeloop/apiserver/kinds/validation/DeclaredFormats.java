/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.json.tree.JsonString;
import java.util.List;
import java.util.Locale;

/**
 * The formats of strings that upstream declares beside the types, as {@code +k8s:format} (upstream: {@code
 * apimachinery/pkg/api/validate/strfmt.go}). Their texts differ from those of the rules that upstream has in code.
 *
 * <p>Consists of pure functions.
 */
public final class DeclaredFormats {

    private static final int MAX_DRIVER = 63;
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private DeclaredFormats() {}

    /** Validates a label of a domain ({@code k8s-short-name}). */
    public static List<String> shortName(String name) {
        return inBytes(NameValidation.dns1123Label(name), "");
    }

    /** Validates a subdomain ({@code k8s-long-name}). */
    public static List<String> longName(String name) {
        return inBytes(NameValidation.dns1123Subdomain(name), "");
    }

    private static List<String> inBytes(List<String> problems, String prefix) {
        return problems.stream()
                .map(problem -> prefix + problem.replace("3 characters", "3 bytes"))
                .toList();
    }

    /** Validates the name of an object; the prefix of a generated name is not checked. */
    public static List<String> objectName(String name, boolean isPrefix) {
        return isPrefix ? List.of() : longName(name);
    }

    /** Validates a label that must not be empty. */
    public static void requireShortName(FieldCursor name) {
        if (name.declared().require()) {
            name.declared().follows(DeclaredFormats::shortName);
        }
    }

    /** Validates the name of a driver: a subdomain of 63 characters, capitals among them. */
    public static void driverName(FieldCursor field) {
        FieldCursor driver = field.declared();
        if (driver.require()) {
            longName(driver.text().toLowerCase(Locale.ROOT)).stream()
                    .map(problem -> problem.replace("a lowercase RFC 1123", "an RFC 1123")
                            .replace("lower case alphanumeric", "alphanumeric")
                            .replace("'example.com'", "'Example.com'"))
                    .forEach(driver::invalid);
            if (driver.text().length() > MAX_DRIVER) {
                driver.errors().add(FieldError.tooManyCharacters(driver.path(), MAX_DRIVER));
            }
        }
    }

    /** Validates the domain of an attribute's name. */
    public static void domain(FieldCursor domain) {
        if (domain.text().length() > MAX_DRIVER) {
            domain.errors().tooLong(domain.path(), MAX_DRIVER);
        }
        domain.invalid(inBytes(NameValidation.dns1123Subdomain(domain.text()), "prefix: "));
    }

    /** Validates the identity of a share of a device ({@code k8s-uuid}). */
    public static void uuid(FieldCursor uuid) {
        if (!UUID.matcher(uuid.text()).matches()) {
            uuid.declared().invalid("must be a lowercase UUID in 8-4-4-4-12 format");
        }
    }

    /** Validates the name of a pool of devices: subdomains joined by slashes ({@code k8s-resource-pool-name}). */
    public static void poolName(FieldCursor field) {
        FieldCursor name = field.declared();
        if (name.require()) {
            if (name.text().length() > 253) {
                name.errors().tooLong(name.path(), 253);
            }
            String[] parts = name.text().split("/", -1);
            for (int i = 0; i < parts.length; i++) {
                String segment = "segment " + i + ": ";
                if (parts[i].isEmpty()) {
                    name.invalid(segment + "must not be empty");
                } else {
                    name.holding(new JsonString(parts[i]))
                            .invalid(inBytes(NameValidation.dns1123Subdomain(parts[i]), segment));
                }
            }
        }
    }
}
