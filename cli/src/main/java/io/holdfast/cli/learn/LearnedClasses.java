package io.holdfast.cli.learn;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;

import io.holdfast.boosting.objective.BinaryObjective;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.CategoryText;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a file's labels name: in the order of numbers if all are whole numbers, else in
 * that of the alphabet. Immutable.
 *
 * @param count how many there are; 0 if it is not known
 * @param names none if labels are numbers as the objective takes them
 * @param notes what should be known of them: sentences
 */
public record LearnedClasses(int count, List<String> names, List<String> notes) {
  private static final LearnedClasses NONE = new LearnedClasses(0, List.of(), List.of());
  private static final Set<String> TWO = Set.of("0", "1");
  private static final int MOST = 1_000;

  /** So many rows, 0 and 1 among them, tell that a column of numbers has no other classes. */
  private static final int ENOUGH = 10_000;

  /**
   * Reads the labels of a file, if nobody said the classes by name.
   *
   * @param uncounted whether nobody said how many classes there are
   */
  public static LearnedClasses of(DataFile file, ModelSettings settings, boolean uncounted) {
    Objective objective = settings.booster().objective();
    if (!settings.classes().isEmpty() || !(uncounted || objective instanceof BinaryObjective)) {
      return NONE;
    }
    String path = FileRows.path(file, settings.label());
    if (type(file, path) == Schema.Type.BOOLEAN) {
      return new LearnedClasses(2, List.of("false", "true"), List.of());
    }
    Map<String, String> seen = seen(file, path, objective);
    return seen.isEmpty() ? NONE : of(new ArrayList<>(seen.values()), file, settings);
  }

  private static LearnedClasses of(List<String> names, DataFile file, ModelSettings settings) {
    Objective objective = settings.booster().objective();
    String column = ColumnName.of(settings.label());
    boolean numbers = names.stream().allMatch(ClassLabels::isWhole);
    Comparator<String> order = numbers ? comparing(BigInteger::new) : naturalOrder();
    names.sort(order);
    if (names.size() == 1) {
      throw new DataException(
          "%s: column %s has one class alone, %s: a model tells two or more apart",
          file.name(), column, names.getFirst());
    }
    if (objective instanceof Ordinal && !numbers) {
      throw new DataException(
          "%s: the classes in column %s have no order of their own: declare them in theirs with"
              + " --classes %s",
          file.name(), column, String.join(",", names));
    }
    for (int k = 0; k < names.size(); k++) {
      if (!names.get(k).equals(String.valueOf(k))) {
        return new LearnedClasses(names.size(), names, notes(names, column, objective));
      }
    }
    return new LearnedClasses(names.size(), List.of(), List.of());
  }

  private static List<String> notes(List<String> names, String column, Objective objective) {
    String first = names.getFirst();
    String second = names.getLast();
    return objective instanceof BinaryObjective
        ? List.of(
            Sentence.of(
                "column %s: %s is taken for the positive class, whose probability is predicted,"
                    + " beside %s: --classes %s,%s makes %s the positive one",
                column, second, first, second, first, first))
        : List.of();
  }

  /** Names by their one spelling; none if labels are what the objective takes, or no class. */
  private static Map<String, String> seen(DataFile file, String path, Objective objective) {
    boolean binary = objective instanceof BinaryObjective;
    Map<String, String> seen = new LinkedHashMap<>();
    try (RowCursor rows = file.open()) {
      FieldDecoder decoder = FieldDecoder.compile(file.schema(), List.of(path));
      boolean text = false;
      long row = 0;
      for (byte[] body = rows.next(); body != null; body = rows.next()) {
        Object value = rows.fields(decoder, body)[0];
        text |= value instanceof String;
        if (value instanceof Double number && number != Math.rint(number)) {
          return Map.of(); // whoever reads labels says what is wrong with it
        }
        String key = value == null ? "" : ClassLabels.key(value);
        if (!key.isEmpty() && seen.putIfAbsent(key, name(value)) == null) {
          checkCount(seen, binary ? 2 : MOST, objective, path, rows);
        }
        if (binary && !text && ++row >= ENOUGH && TWO.equals(seen.keySet())) {
          break;
        }
      }
      return binary && !text && TWO.containsAll(seen.keySet()) ? Map.of() : seen;
    } catch (MalformedRecordException e) {
      throw new DataException("%s", e.getMessage());
    }
  }

  private static String name(@Nullable Object value) {
    return value instanceof String text ? CategoryText.of(text) : FieldDecoder.text(value);
  }

  private static void checkCount(
      Map<String, String> seen, int most, Objective objective, String path, RowCursor at) {
    if (seen.size() > most) {
      List<String> names = List.copyOf(seen.values());
      throw new DataException(
          "%s: column %s has %s beside %s, and objective %s takes %,d classes%s",
          at.place(),
          ColumnName.of(path),
          names.getLast(),
          most == 2 ? names.get(0) + " and " + names.get(1) : "1,000 others",
          objective.name(),
          most,
          most == 2 ? ": correct it, or take --objective softmax" : " at most");
    }
  }

  /** What a field at the top of the rows holds beside null. */
  private static Schema.@Nullable Type type(DataFile file, String path) {
    Schema.Field field = file.schema().getField(path);
    if (field == null) {
      return null;
    }
    List<Schema> types =
        field.schema().isUnion()
            ? field.schema().getTypes().stream().filter(one -> !one.isNullable()).toList()
            : List.of(field.schema());
    return types.size() == 1 ? types.getFirst().getType() : null;
  }
}
