/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.json.JsonCodec;

/** The custom resource of the operators in these tests: so many config maps with a text. */
public record Card(ObjectMeta metadata, Spec spec, Status status, UnknownFields unknownFields) implements KubeObject {

    static final ResourceType<Card> CARDS =
            new ResourceType<>("example.com", "v1", "cards", "Card", ResourceType.Scope.NAMESPACED, Card.class);

    static final JsonCodec CODEC = JsonCodec.standard().with(CARDS);

    static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: cards.example.com
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Card, plural: cards, singular: card}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          text: {type: string}
                          copies: {type: integer, minimum: 0, maximum: 9}
                      status:
                        type: object
                        properties:
                          copies: {type: integer}
                          phase: {type: string}
            """;

    public record Spec(String text, int copies, UnknownFields unknownFields) {}

    public record Status(int copies, String phase, UnknownFields unknownFields) {}

    @Override
    public Card withMetadata(ObjectMeta changed) {
        return new Card(changed, spec, status, unknownFields);
    }

    Card withStatus(int copies, String phase) {
        return new Card(metadata, spec, new Status(copies, phase, status.unknownFields()), unknownFields);
    }

    static String manifest(String name, String text, int copies) {
        return """
               apiVersion: example.com/v1
               kind: Card
               metadata: {name: %s}
               spec: {text: %s, copies: %d}
               """.formatted(name, text, copies);
    }
}
