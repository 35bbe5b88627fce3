package io.holdfast.schemas.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A headless browser with one page, driven by the DevTools protocol over its web socket: as much of
 * it as these tests need, and no browser driver to download.
 */
public final class Chromium implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");
  private static final int SECONDS = 60;

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final String session;

  /** The browser's program, if one is installed. */
  public static Optional<Path> installed() {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String name : NAMES) {
      for (String folder : path.split(File.pathSeparator, -1)) {
        Path program = Path.of(folder, name);
        if (Files.isExecutable(program)) {
          return Optional.of(program);
        }
      }
    }
    return Optional.empty();
  }

  /** Starts the browser with its profile in {@code profile}. */
  public Chromium(Path program, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    socket =
        http.newWebSocketBuilder()
            .buildAsync(devTools(), new Listener())
            .get(SECONDS, TimeUnit.SECONDS);
    String target =
        call(null, "Target.createTarget", Map.of("url", "about:blank")).get("targetId").asText();
    session =
        call(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .get("sessionId")
            .asText();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", Map.of());
    }
  }

  /** What the page or the browser complained of: errors, warnings, violated policies. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** The addresses that the page or the browser on its behalf asked for. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  public void open(URI page) throws Exception {
    call("Page.navigate", Map.of("url", page.toString()));
  }

  /** A window of that size; {@code scheme} is light or dark. */
  public void show(int width, int height, String scheme) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** What the window shows, as PNG. */
  public byte[] picture() throws Exception {
    call("Emulation.setScrollbarsHidden", Map.of("hidden", true));
    return Base64.getDecoder()
        .decode(call("Page.captureScreenshot", Map.of()).get("data").asText());
  }

  /** The value of a JavaScript expression, or of what it promises. */
  public JsonNode evaluate(String expression) throws Exception {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.path("result").path("value");
  }

  /** Presses and releases a key. */
  public void press(String key) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      call(
          "Input.dispatchKeyEvent",
          Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code(key)));
    }
  }

  private static int code(String key) {
    return switch (key) {
      case "Tab" -> 9;
      case "ArrowLeft" -> 37;
      case "ArrowRight" -> 39;
      default -> throw new IllegalArgumentException("no such key here: " + key);
    };
  }

  @Override
  @SuppressWarnings("IllegalCatch") // however asking nicely failed, it is made to end
  public void close() {
    // Its helper processes write to the profile too, and must be gone before that is deleted.
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    try {
      call(null, "Browser.close", Map.of()); // it then tidies its profile up itself
    } catch (Exception e) {
      process.destroy();
    }
    http.shutdownNow();
    for (ProcessHandle one : all) {
      one.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }
  }

  private URI devTools() throws IOException {
    var lines = process.errorReader();
    List<String> said = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.add(line);
      int at = line.indexOf("ws://");
      if (at >= 0) {
        // Whatever else it says must be read, or it stops when the pipe is full.
        Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> {}));
        return URI.create(line.substring(at).strip());
      }
    }
    throw new IOException("the browser ended without a DevTools address: " + said);
  }

  private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    return call(session, method, parameters);
  }

  private JsonNode call(@Nullable String inSession, String method, Map<String, ?> parameters)
      throws Exception {
    int id = ids.incrementAndGet();
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    if (inSession != null) {
      message.put("sessionId", inSession);
    }
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    socket.sendText(JSON.writeValueAsString(message), true).get(SECONDS, TimeUnit.SECONDS);
    JsonNode answered = answer.get(SECONDS, TimeUnit.SECONDS);
    if (answered.has("error")) {
      throw new IllegalStateException(method + ": " + answered.get("error"));
    }
    return answered.path("result");
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        take(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    private void take(String message) {
      JsonNode node;
      try {
        node = JSON.readTree(message);
      } catch (IOException e) {
        throw new IllegalStateException("the browser sent no JSON: " + message, e);
      }
      if (node.has("id")) {
        CompletableFuture<JsonNode> answer = answers.remove(node.get("id").asInt());
        if (answer != null) {
          answer.complete(node);
        }
        return;
      }
      switch (node.path("method").asText()) {
        case "Network.requestWillBeSent" ->
            requests.add(node.get("params").path("request").path("url").asText());
        case "Runtime.exceptionThrown", "Log.entryAdded" ->
            complaints.add(node.get("params").toString());
        case "Runtime.consoleAPICalled" -> {
          if (!node.get("params").path("type").asText().equals("log")) {
            complaints.add(node.get("params").toString());
          }
        }
        default -> {}
      }
    }
  }
}
