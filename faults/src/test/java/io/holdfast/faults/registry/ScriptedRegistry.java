package io.holdfast.faults.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.Schema;

/** A schema registry that answers as it is told to. Thread-safe. */
final class ScriptedRegistry implements AutoCloseable {
  private static final int MEGABYTES = 8 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> schemas = new CopyOnWriteArrayList<>();
  private volatile Manner manner = Manner.HONEST;

  /** How it answers. */
  enum Manner {
    HONEST("answers"),
    DOWN("ends each connection"),
    SLOW("takes longer than anybody waits"),
    NONSENSE("says what no registry says"),
    MEGABYTES("answers with megabytes"),
    FAILING("has an error of its own"),
    NO_SCHEMA("gives a schema that is none"),
    MISTAKEN("gives another id's schema");

    private final String text;

    Manner(String text) {
      this.text = text;
    }

    /** In words. */
    String text() {
      return text;
    }

    /** Whether what it says cannot be taken for an answer. */
    boolean isNoAnswer() {
      return this != HONEST && this != NO_SCHEMA && this != MISTAKEN;
    }
  }

  ScriptedRegistry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void answer(Manner how) {
    manner = how;
  }

  /** The id of a schema, a new one for each call. */
  int add(Schema schema) {
    synchronized (schemas) {
      schemas.add(schema.toString());
      return schemas.size();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      switch (manner) {
        case HONEST -> honest(exchange, 0);
        case MISTAKEN -> honest(exchange, -1);
        case DOWN -> {} // closed without a word
        case SLOW -> {
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(5));
          honest(exchange, 0);
        }
        case NONSENSE -> send(exchange, 200, "<html>Welcome to nginx!</html>");
        case MEGABYTES -> send(exchange, 200, "{\"schema\": \"" + "a".repeat(MEGABYTES) + "\"}");
        case FAILING -> send(exchange, 500, "{\"error_code\": 50001, \"message\": \"no store\"}");
        case NO_SCHEMA -> send(exchange, 200, "{\"schema\": \"{\\\"type\\\": \\\"recor\\\"}\"}");
      }
    }
  }

  /** What is there, or what stands so many places after it. */
  private void honest(HttpExchange exchange, int shift) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.endsWith("/versions")) {
      try (InputStream body = exchange.getRequestBody()) {
        JsonNode schema = JSON.readTree(body).path("schema");
        send(exchange, 200, "{\"id\": " + idOf(schema.textValue()) + "}");
      }
      return;
    }
    int id = path.startsWith("/schemas/ids/") ? Integer.parseInt(path.substring(13)) : 0;
    if (id < 1 || id > schemas.size()) {
      send(exchange, 404, "{\"error_code\": 40403, \"message\": \"Schema not found\"}");
      return;
    }
    String text = schemas.get(Math.floorMod(id - 1 + shift, schemas.size()));
    send(exchange, 200, JsonNodeFactory.instance.objectNode().put("schema", text).toString());
  }

  private int idOf(String schema) {
    synchronized (schemas) {
      int known = schemas.indexOf(schema);
      if (known >= 0) {
        return known + 1;
      }
      schemas.add(schema);
      return schemas.size();
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
