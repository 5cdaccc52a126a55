/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1PrintableString;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * The subject of a request, as a certificate repeats it: nine kinds of attributes in a fixed order, values of one kind
 * together (upstream: {@code pkix.Name}). Other attributes are dropped. Immutable.
 */
final class RequestedSubject {

    /** Kinds that may have several values. */
    private static final List<ASN1ObjectIdentifier> REPEATED =
            List.of(BCStyle.C, BCStyle.ST, BCStyle.L, BCStyle.STREET, BCStyle.POSTAL_CODE, BCStyle.O, BCStyle.OU);

    /** Kinds whose last value counts. */
    private static final List<ASN1ObjectIdentifier> SINGLE = List.of(BCStyle.CN, BCStyle.SERIALNUMBER);

    private final Map<String, List<String>> values;

    private RequestedSubject(Map<String, List<String>> values) {
        this.values = values;
    }

    static RequestedSubject of(X500Name name) {
        Map<String, List<String>> values = new TreeMap<>();
        for (RDN group : name.getRDNs()) {
            for (AttributeTypeAndValue attribute : group.getTypesAndValues()) {
                if (attribute.getValue() instanceof ASN1String text) {
                    values.computeIfAbsent(attribute.getType().getId(), type -> new ArrayList<>())
                            .add(text.getString());
                }
            }
        }
        return new RequestedSubject(values);
    }

    List<String> organizations() {
        return all(BCStyle.O);
    }

    String commonName() {
        return last(BCStyle.CN);
    }

    private List<String> all(ASN1ObjectIdentifier type) {
        return values.getOrDefault(type.getId(), List.of());
    }

    private String last(ASN1ObjectIdentifier type) {
        List<String> found = all(type);
        return found.isEmpty() ? "" : found.get(found.size() - 1);
    }

    /** Returns the subject of a certificate. */
    X500Name name() {
        X500NameBuilder name = new X500NameBuilder();
        for (ASN1ObjectIdentifier type : REPEATED) {
            List<String> texts = all(type);
            if (!texts.isEmpty()) {
                ASN1ObjectIdentifier[] types = new ASN1ObjectIdentifier[texts.size()];
                Arrays.fill(types, type);
                name.addMultiValuedRDN(
                        types, texts.stream().map(RequestedSubject::encoded).toArray(ASN1Encodable[]::new));
            }
        }
        for (ASN1ObjectIdentifier type : SINGLE) {
            if (!last(type).isEmpty()) {
                name.addRDN(type, encoded(last(type)));
            }
        }
        return name.build();
    }

    private static ASN1Encodable encoded(String text) {
        return ASN1PrintableString.isPrintableString(text) ? new DERPrintableString(text) : new DERUTF8String(text);
    }
}
