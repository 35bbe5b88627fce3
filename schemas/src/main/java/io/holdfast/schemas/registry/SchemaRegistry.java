package io.holdfast.schemas.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.schemas.registry.RegistryException.Reason;
import io.holdfast.schemas.settings.Registry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A schema registry with Confluent's REST API. Whoever asks waits for the answer: for each server
 * and part of a schema at most its time-out. Thread-safe.
 *
 * <p>A schema is asked for once, however many want it, and kept; what is not there is asked for
 * again after a while. A registry that does not answer is left alone for a time that grows, in
 * which everybody is told so at once.
 */
public final class SchemaRegistry implements AutoCloseable {
  /** Ids whose answer is kept; the ones used longest ago are forgotten. */
  static final int KEPT = 2_000;

  /** An id that does not exist may come to, as when a topic is mirrored before its registry. */
  static final Duration ABSENT_FOR = Duration.ofSeconds(30);

  private final Registry settings;
  private final RegistryHttp http;
  private final LongSupplier nanos;
  private final BackOff backOff;
  private final RequestListener listener;
  private final Map<SchemaId, Kept> kept =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SchemaId, Kept> eldest) {
          return size() > KEPT;
        }
      };

  /** An answer, given or awaited; one that something is absent is forgotten after a while. */
  private record Kept(CompletableFuture<Schema> answer, long absentUntilNanos) {}

  /** Is told of each request what came of it; on the thread that asked. */
  @FunctionalInterface
  public interface RequestListener {
    /** A request has ended; with null it gave what was asked for. */
    void asked(@Nullable Reason failure);
  }

  /** What a registry calls a schema; some give no GUID. */
  public record Registered(int id, @Nullable UUID guid) {}

  /** Asks nothing yet; a store of certificates that cannot be read is a SettingsException. */
  public SchemaRegistry(Registry settings, RequestListener listener) {
    this(settings, listener, System::nanoTime);
  }

  SchemaRegistry(Registry settings, RequestListener listener, LongSupplier nanos) {
    this.settings = settings;
    this.listener = listener;
    this.nanos = nanos;
    this.http = new RegistryHttp(settings);
    this.backOff = new BackOff(nanos);
  }

  /** Where it is and how subjects are named. */
  public Registry settings() {
    return settings;
  }

  /** The schema of that id, if there is one, of a record. */
  public Schema find(SchemaId id) throws RegistryException {
    CompletableFuture<Schema> mine = new CompletableFuture<>();
    CompletableFuture<Schema> answer = null;
    synchronized (kept) {
      Kept known = kept.get(id);
      if (known != null
          && (!known.answer.isCompletedExceptionally()
              || nanos.getAsLong() - known.absentUntilNanos < 0)) {
        answer = known.answer;
      } else {
        kept.put(id, new Kept(mine, 0));
      }
    }
    return answer == null ? lead(id, mine) : await(answer);
  }

  @SuppressWarnings("IllegalCatch") // whoever waits for the answer must get one
  private Schema lead(SchemaId id, CompletableFuture<Schema> answer) throws RegistryException {
    try {
      Schema schema = fetch(id);
      answer.complete(schema);
      return schema;
    } catch (RegistryException e) {
      synchronized (kept) {
        if (e.reason() == Reason.UNAVAILABLE) {
          kept.remove(id);
        } else {
          kept.put(id, new Kept(answer, nanos.getAsLong() + ABSENT_FOR.toNanos()));
        }
      }
      answer.completeExceptionally(e);
      throw e;
    } catch (RuntimeException | Error e) {
      synchronized (kept) {
        kept.remove(id);
      }
      answer.completeExceptionally(e);
      throw e;
    }
  }

  private static Schema await(CompletableFuture<Schema> answer) throws RegistryException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RegistryException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Reason.UNAVAILABLE.because("the program is ending");
    }
  }

  private Schema fetch(SchemaId id) throws RegistryException {
    String path =
        switch (id) {
          case SchemaId.Numbered(int number) -> "schemas/ids/" + number;
          case SchemaId.Guid(UUID guid) -> "schemas/guids/" + guid;
        };
    return switch (ask(path, null)) {
      case Answer.Found(JsonNode body) -> new SchemaParts(this::ask, id).schema(body);
      case Answer.Refused error when error.absent() ->
          throw Reason.ABSENT.because(
              "the schema registry says that it has no schema %s: %s", id, error.message());
      case Answer.Refused error ->
          throw Reason.UNAVAILABLE.because(
              "the schema registry does not say what schema %s is: HTTP %d, %s",
              id, error.status(), error.message());
    };
  }

  /**
   * Registers a schema under a subject, which is no mistake if it stands there already. Whatever is
   * wrong, the sentence names both.
   */
  public Registered register(String subject, Schema schema) throws RegistryException {
    try {
      return registered(subject, schema);
    } catch (RegistryException e) {
      throw e.reason()
          .because(
              "schema %s cannot be registered as subject %s: %s",
              schema.getFullName(), subject, e.getMessage());
    }
  }

  private Registered registered(String subject, Schema schema) throws RegistryException {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("schema", schema.toString());
    return switch (ask("subjects/" + RegistryHttp.escaped(subject) + "/versions", body)) {
      case Answer.Found(JsonNode found) -> registered(found);
      case Answer.Refused error ->
          throw Reason.REFUSED.because(
              "the schema registry does not take it: HTTP %d, %s", error.status(), error.message());
    };
  }

  private static Registered registered(JsonNode answer) throws RegistryException {
    if (!answer.path("id").isInt()) {
      throw Reason.UNAVAILABLE.because(
          "the registry's answer to a new schema holds no number named id");
    }
    return new Registered(answer.path("id").intValue(), guid(answer.path("guid").asText("")));
  }

  private static @Nullable UUID guid(String text) {
    try {
      return text.isEmpty() ? null : UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** One request, to as many servers as it takes; spared while none has answered of late. */
  private Answer ask(String path, @Nullable JsonNode body) throws RegistryException {
    backOff.check();
    try {
      Answer answer = http.ask(path, body);
      backOff.answered();
      listener.asked(
          switch (answer) {
            case Answer.Found _ -> null;
            case Answer.Refused error -> error.absent() ? Reason.ABSENT : Reason.REFUSED;
          });
      return answer;
    } catch (RegistryException e) {
      if (e.down()) {
        backOff.failed(e);
      }
      listener.asked(e.reason());
      throw e;
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
