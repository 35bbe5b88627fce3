package io.holdfast.service;

import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.Stage;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.service.runtime.RecordSchemas;
import io.holdfast.service.runtime.ServiceStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/** A runtime that is as a test says, and knows the schema of {@link Bikes}. */
public final class StandInStatus implements ServiceStatus, RecordSchemas {
  public volatile List<String> failures = List.of();
  public volatile List<String> starting = List.of();
  public volatile List<String> awaited = List.of();
  public volatile List<String> joinAwaited = List.of();
  public volatile List<String> degraded = List.of();
  public volatile List<Trouble> troubles = List.of();
  public volatile Map<Stage, Lag> lags = Map.of();
  public volatile List<Schema> schemas = List.of(Bikes.RIDE);

  private final List<Schema> others = new CopyOnWriteArrayList<>();

  /** Knows that schema, too. */
  public void add(Schema schema) {
    others.add(schema);
  }

  @Override
  public List<String> failures() {
    return failures;
  }

  @Override
  public List<String> starting() {
    return starting;
  }

  @Override
  public List<String> joinAwaited() {
    return joinAwaited;
  }

  @Override
  public List<String> restAwaited() {
    return starting;
  }

  @Override
  public List<String> awaited() {
    return awaited;
  }

  @Override
  public List<String> degraded() {
    return degraded;
  }

  @Override
  public List<Trouble> troubles() {
    return List.copyOf(troubles);
  }

  @Override
  public Map<Stage, Lag> lags() {
    return lags;
  }

  @Override
  public Map<String, String> details() {
    return Map.of("modelTopic", "read to its end");
  }

  @Override
  public List<Schema> all(String topic) {
    return schemas;
  }

  @Override
  public Optional<Schema> find(long fingerprint) {
    return Stream.concat(schemas.stream(), others.stream())
        .filter(schema -> Fingerprint.of(schema) == fingerprint)
        .findFirst();
  }
}
