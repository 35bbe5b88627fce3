package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.reference.DistributionSketch;
import io.holdfast.schemas.reference.EnvironmentReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows to make a reference of, or to add to one. Owned by the training thread. */
final class ReferenceRows {
  /*
   * A reference must fit a record: the environments with the most rows have parts of their own, all
   * others share one. Where that is too large, centroids are merged to half as many, and again; then
   * all environments share one part; then there is no reference.
   */
  private static final int MOST_ROWS = 50_000;

  /** Environments that have a part of their own. */
  static final int MOST_PARTS = 20;

  private final TreeMap<String, List<double[][]>> values = new TreeMap<>();
  private final TreeMap<Integer, Long> through = new TreeMap<>();
  private int rows;

  /** Takes the wanted rows, evenly spaced ones if they are very many. */
  void add(List<LabelledRow> labelled, Rows decoded, Predicate<Position> wanted) {
    int[] chosen = new int[labelled.size()];
    int count = 0;
    for (int row = 0; row < chosen.length; row++) {
      Position position = labelled.get(row).position();
      if (wanted.test(position)) {
        chosen[count++] = row;
        through.merge(position.partition(), position.offset() + 1, Math::max);
      }
    }
    int[] picked = Distributions.spaced(chosen, count, MOST_ROWS);
    rows += picked.length;
    for (int environment = 0; environment < decoded.environments().size(); environment++) {
      int of = environment;
      int[] own = Arrays.stream(picked).filter(row -> decoded.environment(row) == of).toArray();
      if (own.length > 0) {
        values
            .computeIfAbsent(decoded.environments().get(environment), name -> new ArrayList<>())
            .add(quantities(decoded, own));
      }
    }
  }

  private static double[][] quantities(Rows decoded, int[] rows) {
    double[][] quantities = new double[decoded.width() + 1][];
    for (int column = 0; column < decoded.width(); column++) {
      int of = column;
      quantities[column] = Distributions.sorted(rows, row -> decoded.feature(row, of));
    }
    quantities[decoded.width()] = Distributions.sorted(rows, decoded::label);
    return quantities;
  }

  int size() {
    return rows;
  }

  /** Whether a position is at or after these offsets, by partition. */
  static Predicate<Position> after(SortedMap<Integer, Long> offsets) {
    return position -> position.offset() >= offsets.getOrDefault(position.partition(), 0L);
  }

  /**
   * The reference of these rows and those of another one; null if it does not fit a record.
   *
   * @param seen how many rows windows have had since it was begun
   */
  @Nullable TrainingReference added(@Nullable TrainingReference before, long seen) {
    TreeMap<String, EnvironmentReference> named = new TreeMap<>();
    List<EnvironmentReference> rest = new ArrayList<>();
    Set<String> others = new TreeSet<>();
    if (before != null) {
      others.addAll(before.others());
      for (EnvironmentReference part : before.parts()) {
        if (part.environment() == null) {
          rest.add(part);
        } else {
          named.put(part.environment(), part);
        }
      }
    }
    values.forEach(
        (name, fresh) -> {
          List<EnvironmentReference> parts = new ArrayList<>();
          if (named.get(name) != null) {
            parts.add(named.get(name));
          }
          fresh.forEach(quantities -> parts.add(part(name, quantities)));
          named.put(name, joined(name, parts, Sketches.FINEST));
        });
    Set<String> own = largest(named.values());
    TreeMap<Integer, Long> places =
        new TreeMap<>(before == null ? Map.<Integer, Long>of() : before.through());
    through.forEach((partition, offset) -> places.merge(partition, offset, Math::max));
    for (boolean pooled : new boolean[] {false, true}) {
      for (int compression : Sketches.COMPRESSIONS) {
        TrainingReference made =
            new Composition(named, rest, others, pooled ? Set.of() : own)
                .reference(seen, places, compression);
        if (made.bytes() <= TrainingReference.MOST_BYTES) {
          return made;
        }
      }
    }
    return null;
  }

  private static EnvironmentReference part(String environment, double[][] quantities) {
    List<DistributionSketch> sketches = new ArrayList<>(quantities.length);
    for (double[] sorted : quantities) {
      sketches.add(Sketches.of(Arrays.copyOf(sorted, ReferenceDistribution.present(sorted))));
    }
    return new EnvironmentReference(environment, quantities[0].length, sketches);
  }

  private static EnvironmentReference joined(
      @Nullable String environment, List<EnvironmentReference> parts, int compression) {
    long rows = parts.stream().mapToLong(EnvironmentReference::rows).sum();
    List<DistributionSketch> quantities = new ArrayList<>();
    for (int quantity = 0; quantity < parts.getFirst().quantities().size(); quantity++) {
      int of = quantity;
      List<DistributionSketch> all = parts.stream().map(part -> part.quantities().get(of)).toList();
      quantities.add(
          all.size() == 1 && compression == Sketches.FINEST
              ? all.getFirst()
              : Sketches.merged(all, compression));
    }
    return new EnvironmentReference(environment, rows, quantities);
  }

  /** The names of those with the most rows. */
  private static Set<String> largest(Collection<EnvironmentReference> parts) {
    return parts.stream()
        .sorted(
            Comparator.comparingLong(EnvironmentReference::rows)
                .reversed()
                .thenComparing(part -> "" + part.environment()))
        .limit(MOST_PARTS)
        .map(part -> "" + part.environment())
        .collect(Collectors.toSet());
  }

  /**
   * Environments, and which of them have a part of their own.
   *
   * @param rest the parts that all others shared before
   */
  private record Composition(
      SortedMap<String, EnvironmentReference> named,
      List<EnvironmentReference> rest,
      Set<String> others,
      Set<String> own) {

    TrainingReference reference(long seen, SortedMap<Integer, Long> through, int compression) {
      List<EnvironmentReference> parts = new ArrayList<>();
      List<EnvironmentReference> together = new ArrayList<>(rest);
      Set<String> names = new TreeSet<>(others);
      named.forEach(
          (name, part) -> {
            if (own.contains(name)) {
              parts.add(joined(name, List.of(part), compression));
              names.remove(name);
            } else {
              together.add(part);
              names.add(name);
            }
          });
      if (!together.isEmpty()) {
        parts.add(joined(null, together, compression));
      }
      return new TrainingReference(
          seen,
          Collections.unmodifiableSortedMap(through),
          parts,
          names.stream().limit(TrainingReference.MOST_OTHERS).toList());
    }
  }
}
