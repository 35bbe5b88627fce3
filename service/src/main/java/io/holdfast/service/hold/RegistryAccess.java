package io.holdfast.service.hold;

import static java.util.Objects.requireNonNull;

import io.holdfast.schemas.framing.ContractFramings;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.TopicFramings;
import io.holdfast.schemas.registry.RegistryException.Reason;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.RegistryStore;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.service.resume.ResumePoints;
import io.holdfast.service.resume.SourceTopics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the topics of all models are framed, and the registry that their records may name schemas of.
 * Started and closed by one thread; asked by any.
 */
public final class RegistryAccess implements AutoCloseable {
  private final TopicFramings framings;
  private final ContractFramings written;
  private final @Nullable SchemaRegistry registry;
  private final Map<String, HeldPartitions> held = new HashMap<>();
  private final List<FirstRecords> firstRecords = new ArrayList<>();

  /** Asks nothing yet. */
  public RegistryAccess(
      Settings settings,
      SchemaTopic schemas,
      Framing single,
      Troubles troubles,
      MeterRegistry meters) {
    Registry at = settings.registry();
    if (at == null) {
      registry = null;
      framings = new TopicFramings(single);
      written = new ContractFramings();
      return;
    }
    registry = new SchemaRegistry(at, new Requests(meters));
    var store = new RegistryStore(schemas, settings.kafka(), settings.topics().schemas(), at);
    framings = new TopicFramings(single, registry, store);
    written = new ContractFramings(registry, store);
    for (ModelSettings model : settings.models().values()) {
      held.put(model.name(), new HeldPartitions(model.name(), troubles, meters));
      String records = model.topics().records();
      firstRecords.add(
          new FirstRecords(
              settings.kafka(),
              records,
              framings.records(model),
              () -> schemas.latest(records).isPresent()));
    }
  }

  public TopicFramings framings() {
    return framings;
  }

  /** How what is written is framed. */
  public ContractFramings written() {
    return written;
  }

  /** A client's clients, which wait for schemas of a model's topic; null for Kafka's own. */
  public @Nullable HoldingClients clients(
      ModelSettings model,
      String topic,
      RecordFraming framing,
      ResumePoints points,
      SourceTopics sources) {
    if (!framing.waits()) {
      return null;
    }
    HeldPartitions partitions = requireNonNull(held.get(model.name()));
    return new HoldingClients(topic, framing, partitions, points, sources);
  }

  /** Counts what came of requests to the schema registry. Thread-safe. */
  private static final class Requests implements SchemaRegistry.RequestListener {
    private final Counter answered;
    private final Map<Reason, Counter> failed = new EnumMap<>(Reason.class);

    Requests(MeterRegistry meters) {
      Counter.Builder requests =
          Counter.builder("holdfast.registry.requests")
              .description("Requests to the schema registry by what came of them");
      answered = requests.withRegistry(meters).withTag("outcome", "answered");
      for (Reason reason : Reason.values()) {
        String outcome = reason.name().toLowerCase(Locale.ROOT);
        failed.put(reason, requests.withRegistry(meters).withTag("outcome", outcome));
      }
    }

    @Override
    public void asked(@Nullable Reason failure) {
      (failure == null ? answered : requireNonNull(failed.get(failure))).increment();
    }
  }

  /** Begins to look for first schemas. */
  public void start() {
    firstRecords.forEach(FirstRecords::start);
  }

  @Override
  public void close() {
    firstRecords.forEach(FirstRecords::close);
    if (registry != null) {
      registry.close();
    }
  }
}
