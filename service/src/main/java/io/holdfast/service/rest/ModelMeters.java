package io.holdfast.service.rest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a model's meters stand at. All models' are found by one look through the registry, most of
 * whose thousands of meters are Kafka's: a look for each figure of each model is work that grows
 * with the square of their number, at every event of the dashboard.
 */
final class ModelMeters {
  /** Of a model that has no meters yet. */
  static final ModelMeters NONE = new ModelMeters();

  private static final String OURS = "holdfast.";

  private final Map<String, List<Meter>> byName = new HashMap<>();

  private ModelMeters() {}

  /** Those of all models that have any, by model. */
  static Map<String, ModelMeters> all(MeterRegistry meters) {
    Map<String, ModelMeters> all = new HashMap<>();
    for (Meter meter : meters.getMeters()) {
      String name = meter.getId().getName();
      String model = name.startsWith(OURS) ? meter.getId().getTag("model") : null;
      if (model != null) {
        all.computeIfAbsent(model, _ -> new ModelMeters())
            .byName
            .computeIfAbsent(name, _ -> new ArrayList<>())
            .add(meter);
      }
    }
    return all;
  }

  /** Those of one model, which may be none. */
  static ModelMeters of(MeterRegistry meters, String model) {
    return all(meters).getOrDefault(model, NONE);
  }

  /** The sum of a counter's, whatever their tags. */
  long count(String name) {
    return named(name, Counter.class).mapToLong(counter -> (long) counter.count()).sum();
  }

  /** The sums of a counter's that have some tags, by the value of another tag. */
  Map<String, Long> countsBy(String tag, String name, String... tags) {
    List<?> wanted = Tags.of(tags).stream().toList();
    Map<String, Long> counts = new TreeMap<>();
    named(name, Counter.class)
        .filter(counter -> counter.getId().getTags().containsAll(wanted))
        .forEach(
            counter -> {
              String value = counter.getId().getTag(tag);
              if (value != null) {
                counts.merge(value, (long) counter.count(), Long::sum);
              }
            });
    return counts;
  }

  Stream<Gauge> gauges(String name) {
    return named(name, Gauge.class);
  }

  @Nullable Timer timer(String name) {
    return named(name, Timer.class).findFirst().orElse(null);
  }

  private <M extends Meter> Stream<M> named(String name, Class<M> type) {
    return byName.getOrDefault(name, List.of()).stream().filter(type::isInstance).map(type::cast);
  }
}
