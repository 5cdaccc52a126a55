/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Checks the page of a controller manager: it only reads, it replays and rewinds what it recorded, and the names of
 * handlers are readable.
 *
 * <p>Usage: {@code ManagerCheck CHROMIUM URL PICTURES API_SERVER}.
 */
final class ManagerCheck {

    private final Browser browser;
    private final String page;
    private final String url;
    private final String key;
    private final Parts parts;
    private final String server;
    private final HttpClient http = HttpClient.newHttpClient();

    private ManagerCheck(Browser browser, String page, Parts parts, String server) {
        this.browser = browser;
        this.page = page;
        url = page.replaceFirst("#.*", "");
        key = page.replaceFirst(".*#key=", "");
        this.parts = parts;
        this.server = server;
    }

    public static void main(String[] args) throws Exception {
        String[] page = {args[0], args[1], args[2]};
        Parts.main(page, (browser, url, parts) -> new ManagerCheck(browser, url, parts, args[3]).run());
    }

    private void run() throws Exception {
        browser.open(page, 1440, 1200, false);
        browser.await("document.querySelectorAll('.stage dd').length > 10", 30);
        parts.run("manager-reads-only", this::readsOnly);
        parts.run("manager-handlers", this::handlers);
        parts.run("manager-replays", this::replays);
    }

    private JsonObject stages() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "live/stages.json"))
                .header("Authorization", "Bearer " + key)
                .build();
        return JsonObject.parse(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private int post(String address, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (address.startsWith(url)) { // the key is none of the API server's
            request.header("Authorization", "Bearer " + key)
                    .header("X-Kubeloop-Page", "1")
                    .header("Origin", url.replaceFirst("/$", ""));
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private void readsOnly() throws Exception {
        browser.await("document.getElementById('state').textContent.endsWith('(read only)')", 10);
        for (String section : new String[] {"lessons", "faults"}) {
            Parts.require(
                    browser.eval("document.getElementById('" + section + "').checkVisibility()")
                            .equals("false"),
                    "a manager shows " + section);
        }
        Parts.require(
                browser.eval("document.querySelectorAll('#fault-list button, #lesson-list button').length")
                        .equals("0"),
                "a manager has buttons of faults or lessons");
        int code = post(url + "live/do", "{\"do\":\"fault\",\"name\":\"gone\"}");
        Parts.require(code == 405, "a manager answers a command with " + code);
        parts.picture("manager");
    }

    private void handlers() throws Exception {
        Set<String> names = new TreeSet<>();
        for (JsonValue informer : stages().array("informers").elements()) {
            for (JsonValue handler : ((JsonObject) informer).array("handlers").elements()) {
                names.add(((JsonObject) handler).string("name"));
            }
        }
        System.out.println("       handlers: " + String.join(", ", names));
        Parts.require(names.size() > 10, "there are only the handlers " + names);
        for (String name : names) {
            Parts.require(name.matches("[A-Za-z][A-Za-z0-9 ._-]*"), "the handler " + name + " has no readable name");
        }
    }

    private void createPod(String name) throws Exception {
        int code = post(
                server + "/api/v1/namespaces/default/pods",
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name
                        + "\"},\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]}}");
        Parts.require(code == 201, "the creation of a pod answers " + code);
    }

    private static String stored(String name) {
        return "document.getElementById('trace').textContent.includes('Store of pods: added default/" + name + "')";
    }

    /**
     * The page stops while the manager runs on; it plays what it recorded by steps, slowly, and from a moment of the
     * past.
     */
    private void replays() throws Exception {
        set("lane", "pods");
        set("follow", "default/before");
        createPod("before");
        browser.await(stored("before"), 20);
        browser.click("pause");
        browser.await(
                "document.getElementById('when').textContent.endsWith('s ago') "
                        + "|| document.getElementById('when').textContent === 'paused'",
                5);
        set("follow", "default/while-paused");
        createPod("while-paused");
        TimeUnit.SECONDS.sleep(3);
        Parts.require(browser.eval(stored("while-paused")).equals("false"), "a paused page shows what happens now");
        Parts.require(stages().toString().contains("\"resource\":\"pods\""), "the manager stands");
        // Each handler of each controller is a step.
        for (int i = 0; i < 1500 && browser.eval(stored("while-paused")).equals("false"); i++) {
            browser.click("step");
            if (i % 20 == 19) {
                TimeUnit.MILLISECONDS.sleep(700); // the log follows the steps at its own pace
            }
        }
        browser.await(stored("while-paused"), 5);
        parts.picture("manager-stepped");
        browser.click("real");
        browser.await("document.getElementById('when').textContent === 'live'", 5);
        browser.set("rewind", "-4", "input");
        browser.await("parseFloat(document.getElementById('when').textContent) > 3", 5);
        parts.picture("manager-rewound");
        double position = behind();
        browser.click("slow");
        TimeUnit.SECONDS.sleep(2);
        Parts.require(behind() > position + 1, "slow motion does not fall behind: " + position + ", then " + behind());
        browser.click("real");
        browser.await("document.getElementById('when').textContent === 'live'", 5);
    }

    private void set(String id, String value) throws Exception {
        browser.set(id, value, "change");
    }

    private double behind() throws Exception {
        return Double.parseDouble(browser.eval("parseFloat(document.getElementById('when').textContent)"));
    }
}
