package io.holdfast.auditor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * A version that scores: its manifest and the segments that it names. Immutable but for its
 * scratch; owned by one thread.
 */
final class Version {
  /** Numbers beyond this have no part in a linear base. */
  private static final double LARGEST_VALUE = 1e100;

  private final double[] base;
  private final List<Column> columns = new ArrayList<>();
  private final List<Term> terms = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final Link link;
  private final List<String> classes = new ArrayList<>();
  private final @Nullable Bounds bounds;
  private final @Nullable Correction correction;
  private final boolean binary;

  private record Column(
      String name, @Nullable Map<String, Integer> codes, boolean zeroMissing, boolean other) {}

  private record Part(Trees trees, double decay) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Term(
      int feature, @Nullable Double mean, double[] slopes, double low, double high) {}

  /**
   * What a user reads; {@code exact} if its bits are a function of the raw scores that is written
   * down.
   */
  @SuppressWarnings("ArrayRecordComponent") // read once
  record Scored(double prediction, double[] probabilities, @Nullable String label, boolean exact) {}

  /**
   * The version of a manifest.
   *
   * @param segments by their hash in hexadecimal; null if there is none
   * @throws UnreadableException if it cannot be walked, or a segment is not there
   */
  Version(GenericRecord manifest, Function<String, @Nullable GenericRecord> segments)
      throws UnreadableException {
    base = Trees.doubles(manifest, "base");
    Set<Object> zeroMissing = new HashSet<>((Collection<?>) manifest.get("zeroMissing"));
    Set<Object> other = new HashSet<>((Collection<?>) manifest.get("otherCategory"));
    for (Object one : (Collection<?>) manifest.get("features")) {
      columns.add(
          column(
              (GenericRecord) one,
              zeroMissing.contains(columns.size()),
              other.contains(columns.size())));
    }
    for (Object one : (Collection<?>) manifest.get("linear")) {
      Term term = term((GenericRecord) one);
      if (term.feature < 0 || term.feature >= columns.size() || term.slopes.length < base.length) {
        throw new UnreadableException(
            "a linear term is of feature " + term.feature + " of " + columns.size());
      }
      terms.add(term);
    }
    GenericRecord scoring = rung(manifest);
    addParts(scoring, segments);
    Map<String, Double> parameters = new HashMap<>();
    ((Map<?, ?>) scoring.get("objectiveParameters"))
        .forEach((name, value) -> parameters.put(name.toString(), (Double) value));
    link = new Link(manifest.get("objective").toString(), parameters);
    JsonNode settings = settings(manifest.get("settings").toString());
    settings.path("classes").forEach(name -> classes.add(name.asText()));
    JsonNode environment = settings.path("environment");
    GenericRecord sure = (GenericRecord) manifest.get("uncertainty");
    String field = environment.isTextual() ? environment.asText() : null;
    GenericRecord corrected = (GenericRecord) manifest.get("calibration");
    correction = corrected == null ? null : new Correction(corrected);
    binary = Link.isBinary(manifest.get("objective").toString());
    bounds = sure == null ? null : new Bounds(sure, field, columns.size(), segments);
  }

  private void addParts(GenericRecord scoring, Function<String, @Nullable GenericRecord> segments)
      throws UnreadableException {
    for (Object one : (Collection<?>) scoring.get("segments")) {
      GenericRecord named = (GenericRecord) one;
      String hash = ModelLog.hex(named.get("sha256"));
      GenericRecord segment = segments.apply(hash);
      if (segment == null) {
        throw new UnreadableException("it names the segment " + hash + ", which is not there");
      }
      Trees trees = new Trees(segment, columns.size(), base.length);
      if (trees.size() != (int) named.get("trees")) {
        throw new UnreadableException(
            "segment " + hash + " has " + trees.size() + " trees, not " + named.get("trees"));
      }
      parts.add(new Part(trees, (double) named.get("decay")));
    }
  }

  /** The part of a manifest whose leaf values score. */
  private static GenericRecord rung(GenericRecord manifest) throws UnreadableException {
    Object gamma = manifest.get("rung");
    if (gamma == null) {
      return manifest;
    }
    for (Object one : (Collection<?>) manifest.get("rungs")) {
      if (((GenericRecord) one).get("gamma").equals(gamma)) {
        return (GenericRecord) one;
      }
    }
    throw new UnreadableException("it scores by the rung " + gamma + ", which it does not have");
  }

  private static Column column(GenericRecord feature, boolean zeroMissing, boolean other) {
    Map<String, Integer> codes = null;
    if ((boolean) feature.get("categorical")) {
      codes = new HashMap<>();
      for (Object category : (Collection<?>) feature.get("categories")) {
        codes.putIfAbsent(category.toString(), codes.size());
      }
    }
    return new Column(feature.get("name").toString(), codes, zeroMissing, other);
  }

  private static Term term(GenericRecord term) {
    GenericRecord range = (GenericRecord) term.get("range");
    return new Term(
        (int) term.get("feature"),
        (Double) term.get("mean"),
        Trees.doubles(term, "slopes"),
        range == null ? Double.NEGATIVE_INFINITY : (double) range.get("low"),
        range == null ? Double.POSITIVE_INFINITY : (double) range.get("high"));
  }

  private static JsonNode settings(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance(); // settings of an import may be anything
    }
  }

  /** The names of classes, in order; none if they are numbers. */
  List<String> classes() {
    return classes;
  }

  private double[] row(GenericRecord record, Values values) {
    double[] row = new double[columns.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = value(columns.get(i), record, values);
    }
    return row;
  }

  /** Whether raw scores of a record, and its bounds, have the digest of what was served. */
  boolean gave(GenericRecord record, Values values, double[] raw, long served)
      throws UnreadableException {
    Scored scored = scored(raw);
    if (bounds == null || !scored.exact()) { // else the last bit decides which classes are in
      return bounds == null ? Digests.of(raw) == served : Digests.sameRaw(Digests.of(raw), served);
    }
    return Digests.of(raw, bounds.of(record, row(record, values), scored)) == served;
  }

  /** The raw scores of a record. */
  double[] raw(GenericRecord record, Values values) {
    double[] row = row(record, values);
    double[] raw = base.clone();
    for (Term term : terms) {
      for (int k = 0; k < raw.length; k++) {
        raw[k] += contribution(term, row[term.feature], k, raw.length);
      }
    }
    for (Part part : parts) {
      part.trees.addTo(row, part.decay, raw);
    }
    return raw;
  }

  /** What follows from raw scores. */
  Scored linked(double[] raw) throws UnreadableException {
    if (raw.length != base.length) {
      throw new UnreadableException(
          "it has " + raw.length + " raw scores, its version gives " + base.length);
    }
    return scored(raw);
  }

  private Scored scored(double[] raw) throws UnreadableException {
    Scored linked = link.scored(raw, classes);
    return correction == null ? linked : correction.of(linked, binary, classes);
  }

  private static double value(Column column, GenericRecord record, Values values) {
    if (column.codes == null) {
      return values.number(record, column.name, column.zeroMissing);
    }
    List<String> spellings = values.category(record, column.name); // none if it is missing
    for (String spelling : spellings) {
      Integer code = column.codes.get(spelling);
      if (code != null) {
        return code;
      }
    }
    if (column.other && !spellings.isEmpty()) {
      return column.codes.size();
    }
    return Double.NaN;
  }

  private static double contribution(Term term, double value, int output, int outputs) {
    if (term.mean == null) {
      int code = (int) value;
      int at = code * outputs + output;
      return code == value && code >= 0 && at < term.slopes.length ? term.slopes[at] : 0;
    }
    if (!(Math.abs(value) <= LARGEST_VALUE)) {
      return 0;
    }
    double clipped = value < term.low ? term.low : Math.min(value, term.high);
    return term.slopes[output] * (clipped - term.mean);
  }
}
