package io.holdfast.schemas.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that says what a test tells it to say, and remembers what it was asked. */
public final class FakeRegistry implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private volatile Reply otherwise =
      json(404, "{\"error_code\": 40403, \"message\": \"Schema not found\"}");

  /** How a request is answered. */
  @FunctionalInterface
  public interface Reply {
    void to(HttpExchange exchange) throws IOException;
  }

  public FakeRegistry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(path);
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    authorizations.add(authorization == null ? "" : authorization);
    try (exchange) {
      replies.getOrDefault(path, otherwise).to(exchange);
    }
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public FakeRegistry on(String path, Reply reply) {
    replies.put(path, reply);
    return this;
  }

  public FakeRegistry otherwise(Reply reply) {
    otherwise = reply;
    return this;
  }

  public List<String> asked() {
    return asked;
  }

  public List<String> authorizations() {
    return authorizations;
  }

  public static Reply json(int status, String body) {
    return exchange -> {
      byte[] bytes = body.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
