package io.holdfast.cli.learn;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.feature.MissingWords;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Label, weight, environment, time and continuous anchors of a file's rows. Immutable. */
final class RowFields {
  private final Objective objective;
  private final ClassLabels classes;
  private final MissingWords missing;
  private final List<String> paths;
  private final int weight;
  private final int environment;
  private final int time;
  private final int firstAnchor;
  private final FieldDecoder decoder;

  /**
   * A row's values; the label is null and numbers are NaN where missing or not asked for.
   *
   * @param unknown a label that is none of the classes; null if it is, or there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one row; never compared
  record Said(
      @Nullable Double label,
      @Nullable String unknown,
      double weight,
      String environment,
      double time,
      double[] anchors) {}

  /** What a model makes of a label: by its objective, or by name. */
  record LabelRule(Objective objective, ClassLabels classes, MissingWords missing) {
    static LabelRule of(ModelSettings settings) {
      return new LabelRule(
          settings.booster().objective(),
          ClassLabels.of(settings.classes()),
          MissingWords.of(settings.features().missing()));
    }
  }

  RowFields(
      LabelRule rule,
      String label,
      @Nullable String weight,
      @Nullable String environment,
      @Nullable String time,
      List<String> anchors,
      DataFile file) {
    objective = rule.objective();
    classes = rule.classes();
    missing = rule.missing();
    paths = new ArrayList<>(List.of(label));
    this.weight = add(weight);
    this.environment = add(environment);
    this.time = add(time);
    firstAnchor = paths.size();
    paths.addAll(anchors);
    try {
      decoder =
          FieldDecoder.compile(
              file.schema(), paths.stream().map(path -> FileRows.path(file, path)).toList());
    } catch (MalformedRecordException e) {
      throw new DataException("%s", e.getMessage());
    }
  }

  private int add(@Nullable String path) {
    if (path == null) {
      return -1;
    }
    paths.add(path);
    return paths.size() - 1;
  }

  /** The fields that a model's settings name; times only if they are asked for. */
  static RowFields of(ModelSettings settings, DataFile file, boolean timed) {
    return new RowFields(
        LabelRule.of(settings),
        settings.label(),
        settings.weight(),
        settings.environment(),
        timed ? settings.time() : null,
        settings.anchors(),
        file);
  }

  /** Reads the fields of the row that {@code at} gave. */
  Said read(byte[] body, RowCursor at) {
    @Nullable Object[] values = at.fields(decoder, body);
    Object value = values[0];
    Double label = value == null ? null : label(value);
    boolean given = value != null && !(classes.isNamed() && isMissing(value));
    if (given && label == null && !classes.isNamed()) {
      throw new DataException(
          "%s: labels of objective %s must be %s, and column %s has %s%s",
          at.place(),
          objective.name(),
          objective.labelRule(),
          ColumnName.of(paths.getFirst()),
          value,
          objective.classes() > 0 ? ": correct it, or name the classes with --classes" : "");
    }
    Double weighs = weight < 0 ? null : number("weights", weight, values, at);
    double rowWeight = weighs == null ? 1 : weighs;
    if (!(rowWeight > 0 && rowWeight < Double.POSITIVE_INFINITY)) {
      throw new DataException(
          "%s: weights must be finite and above 0, and column %s has %s",
          at.place(), ColumnName.of(paths.get(weight)), rowWeight);
    }
    double[] anchors = new double[values.length - firstAnchor];
    for (int i = 0; i < anchors.length; i++) {
      Double anchor = number("anchors", firstAnchor + i, values, at);
      anchors[i] = anchor == null ? Double.NaN : anchor;
    }
    Double when = time < 0 ? null : number("times", time, values, at);
    return new Said(
        label,
        given && label == null ? FieldDecoder.text(value) : null,
        rowWeight,
        environment < 0 ? "" : FieldDecoder.environment(values[environment]),
        when == null ? Double.NaN : when,
        anchors);
  }

  /** Reads the fields of a row to learn from, whose label must be known. */
  Said learned(byte[] body, RowCursor at) {
    Said said = read(body, at);
    if (said.unknown() != null) {
      throw new DataException(
          "%s: column %s has the label %s, which is none of the classes %s: correct it, or declare"
              + " all classes with --classes",
          at.place(), ColumnName.of(paths.getFirst()), said.unknown(), classes);
    }
    return said;
  }

  /** The label as the objective takes it; null if it is none. */
  private @Nullable Double label(Object value) {
    if (classes.isNamed()) {
      int number = classes.number(value);
      return number < 0 ? null : (Double) (double) number;
    }
    Double number = number(value);
    return number != null && objective.accepts(number) ? number : null;
  }

  /** A word for no value, which is no class either. */
  private boolean isMissing(Object value) {
    return value instanceof String text && classes.number(text) < 0 && missing.amongNumbers(text);
  }

  private @Nullable Double number(String what, int field, @Nullable Object[] values, RowCursor at) {
    Object value = values[field];
    Double number = value == null ? null : number(value);
    if (value != null && number == null) {
      throw new DataException(
          "%s: %s must be numbers%s, and column %s has %s",
          at.place(),
          what,
          field == time ? " or ISO 8601 dates and times" : "",
          ColumnName.of(paths.get(field)),
          value);
    }
    return number;
  }

  /** A column with one word among its numbers is one of text; its numbers still count. */
  private static @Nullable Double number(Object value) {
    if (!(value instanceof String text)) {
      return ((Number) value).doubleValue();
    }
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
