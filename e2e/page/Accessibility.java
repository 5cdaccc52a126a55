/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The accessibility tree of a page, as Chromium computes it for screen readers. */
record Accessibility(List<JsonObject> nodes) {

    private static final Set<String> NO_ROLE = Set.of("", "generic", "none", "GenericContainer");

    /** Reads the tree. */
    static Accessibility of(Browser browser) throws Exception {
        browser.call("Accessibility.enable", JsonObject.EMPTY);
        List<JsonObject> nodes =
                browser.call("Accessibility.getFullAXTree", JsonObject.EMPTY).array("nodes").elements().stream()
                        .map(JsonObject.class::cast)
                        .filter(node -> !node.toString().contains("\"ignored\":true"))
                        .toList();
        browser.call("Accessibility.disable", JsonObject.EMPTY);
        return new Accessibility(nodes);
    }

    private static String role(JsonObject node) {
        return node.string("role", "value");
    }

    private static String name(JsonObject node) {
        return node.string("name", "value");
    }

    private static String property(JsonObject node, String name) {
        return node.array("properties").elements().stream()
                .map(JsonObject.class::cast)
                .filter(property -> property.string("name").equals(name))
                .map(property -> property.object("value").toString())
                .findFirst()
                .orElse("");
    }

    /** Returns the nodes that can have the focus, without the page itself. */
    List<JsonObject> controls() {
        return nodes.stream()
                .filter(node -> property(node, "focusable").contains("true")
                        && !role(node).equals("RootWebArea"))
                .toList();
    }

    /** Returns the controls without a name or a role; they must not exist. */
    List<String> incomplete() {
        return controls().stream()
                .filter(node -> name(node).isBlank() || NO_ROLE.contains(role(node)))
                .map(node -> role(node) + " '" + name(node) + "'")
                .toList();
    }

    /** Returns the names of the nodes with a role. */
    List<String> names(String role) {
        return nodes.stream()
                .filter(node -> role(node).equals(role))
                .map(Accessibility::name)
                .toList();
    }

    /** Returns the texts of the live regions, whose changes a screen reader announces. */
    List<String> announced() {
        List<String> texts = new ArrayList<>();
        for (JsonObject node : nodes) {
            if (property(node, "live").contains("polite")
                    && !node.string("nodeId").isEmpty()
                    && isLiveRoot(node)) {
                texts.add(text(node));
            }
        }
        return texts;
    }

    private static boolean isLiveRoot(JsonObject node) {
        return !role(node).equals("StaticText") && !role(node).equals("InlineTextBox");
    }

    private String text(JsonObject node) {
        StringBuilder text = new StringBuilder(role(node).equals("StaticText") ? name(node) : "");
        List<String> children = node.array("childIds").elements().stream()
                .map(id -> id.toString().replace("\"", ""))
                .toList();
        for (String child : children) {
            nodes.stream()
                    .filter(other -> other.string("nodeId").equals(child))
                    .forEach(other -> text.append(text(other)));
        }
        return text.toString();
    }
}
