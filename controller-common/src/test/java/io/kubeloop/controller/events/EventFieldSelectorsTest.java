package io.kubeloop.controller.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.selector.FieldSelector;
import org.junit.jupiter.api.Test;

class EventFieldSelectorsTest {

    private static final ObjectReference SET = ObjectReferenceBuilder.builder()
            .apiVersion("apps/v1")
            .kind("ReplicaSet")
            .namespace("shop")
            .name("web")
            .uid("u-1")
            .build();

    private static String about(String text) {
        return FieldSelector.parse(text).toString();
    }

    @Test
    void about_eachForm_usesItsNames_EN06() {
        assertThat(EventFieldSelectors.about(ResourceTypes.EVENTS, SET))
                .hasToString(about("involvedObject.apiVersion=apps/v1,involvedObject.kind=ReplicaSet,"
                        + "involvedObject.name=web,involvedObject.uid=u-1"));
        assertThat(EventFieldSelectors.about(ResourceTypes.EVENTS_V1, SET))
                .hasToString(about("regarding.apiVersion=apps/v1,regarding.kind=ReplicaSet,"
                        + "regarding.name=web,regarding.uid=u-1"));
    }

    @Test
    void about_partsThatAreEmpty_areLeftOut_EN06() {
        ObjectReference named = ObjectReferenceBuilder.builder().name("web").build();
        assertThat(EventFieldSelectors.about(ResourceTypes.EVENTS, named)).hasToString("involvedObject.name=web");
        assertThat(EventFieldSelectors.about(ResourceTypes.EVENTS, ObjectReference.EMPTY))
                .isEqualTo(FieldSelector.EVERYTHING);
    }

    @Test
    void about_somethingElseThanEvents_isRefused_EN06() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventFieldSelectors.about(ResourceTypes.REPLICA_SETS, SET))
                .withMessageContaining("there are no events in apps/v1");
    }
}
