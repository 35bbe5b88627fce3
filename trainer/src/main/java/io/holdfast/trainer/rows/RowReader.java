package io.holdfast.trainer.rows;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.CategoryDictionary;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.MissingWords;
import io.holdfast.schemas.feature.TrainableRows;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Judges and decodes labelled rows, for one model's features. Owned by the training thread. */
public final class RowReader {
  /*
   * A row is decoded twice: when it arrives, by a decoder that learns no category, to judge it; and
   * in merged order when its window is trained on, into a dictionary of that one training run. So the
   * code of a category depends on the parent version and the rows alone, not on how rows arrived or on
   * windows without a version. The dictionary of the last run serves the next one if the parent has
   * just what it holds, as while no new category comes.
   */
  private static final double[] NO_ANCHORS = {};

  private final Objective objective;
  private final TrainableRows rule;
  private final List<String> anchors;
  private final Framing framing;
  private final List<Feature> features;
  private final boolean numeric;
  private final FeatureDecoder.Rules rules;
  private final IdentityHashMap<Schema, FeatureDecoder> judges = new IdentityHashMap<>();
  private final double[] values;
  private final Set<String> fullFeatures = new HashSet<>(); // there is a note of them
  private final List<String> notes = new ArrayList<>(); // not taken yet

  /*
   * Decoded rows are remembered, so that a small window need not decode all of memory again. They hold
   * for every version whose features extend those they were decoded for: a code never changes.
   */
  private static final long MOST_REMEMBERED = 8L << 20; // numbers

  /** The weights of all remembered rows must have a finite sum. */
  private static final double HEAVIEST_REMEMBERED = 1e200;

  private DecodedRows remembered;
  private List<Feature> rememberedFor = List.of();

  private @Nullable Decoding last;

  public RowReader(ModelSettings settings, Framing framing, List<Feature> features) {
    objective = settings.booster().objective();
    anchors = settings.anchors();
    rules = new FeatureDecoder.Rules(MissingWords.of(settings.features().missing()));
    this.framing = framing;
    this.features = features;
    values = new double[features.size()];
    numeric = features.stream().allMatch(Feature.Numeric.class::isInstance);
    rule = new TrainableRows(settings);
    remembered = new DecodedRows(rows());
  }

  /** Why the row cannot be learned from; empty if it can. */
  public Optional<Refusal> judge(LabelledRow row) {
    try {
      Framing.Frame frame = framing.open(row.record());
      judge(frame.schema()).decode(row.record(), frame.bodyOffset(), values);
      rule.weighted(rule.label(row.label()), rule.weight(row.weight()));
    } catch (MalformedRecordException e) {
      return Optional.of(Refusal.of(e));
    }
    double[] served = row.served().rawScores();
    if (served.length != objective.outputs() || !Arrays.stream(served).allMatch(Double::isFinite)) {
      return Optional.of(Refusal.badServedScores(objective.outputs(), served));
    }
    return judgeAnchors(row.anchors());
  }

  private FeatureDecoder judge(Schema schema) throws MalformedRecordException {
    FeatureDecoder judge = judges.get(schema);
    if (judge == null) {
      judge = FeatureDecoder.compile(schema, features, rules);
      judges.put(schema, judge);
    }
    return judge;
  }

  private Optional<Refusal> judgeAnchors(double[] given) {
    if (anchors.isEmpty()) {
      return Optional.empty(); // anchors that the settings no longer name do not matter
    }
    if (given.length != anchors.size()) {
      return Optional.of(Refusal.badAnchors(anchors, given));
    }
    try {
      for (int i = 0; i < given.length; i++) {
        var _ = rule.anchor(i, given[i]);
      }
      return Optional.empty();
    } catch (MalformedRecordException e) {
      return Optional.of(Refusal.of(e));
    }
  }

  Rows.Builder rows() {
    return Rows.builder(features.size(), anchors.size());
  }

  /** For a training run. */
  Decoding decoding(List<Feature> parentFeatures) {
    Decoding known = last;
    if (known == null || !known.features().equals(parentFeatures)) {
      known = new Decoding(parentFeatures);
      last = known;
    }
    return known;
  }

  /** One training run's decoders, which share a dictionary that learns categories. */
  final class Decoding {
    private final CategoryDictionary dictionary;
    private final IdentityHashMap<Schema, FeatureDecoder> decoders = new IdentityHashMap<>();

    private Decoding(List<Feature> parentFeatures) {
      dictionary = new CategoryDictionary(parentFeatures);
      if (!extend(parentFeatures, rememberedFor)) {
        remembered = new DecodedRows(rows());
      }
    }

    /** Adds rows that were judged usable to {@code target}. */
    void decode(List<LabelledRow> rows, Rows.Builder target) {
      int at = remembered.addTo(rows, 0, target);
      while (at < rows.size()) {
        LabelledRow row = rows.get(at++);
        decode(row);
        if ((remembered.size() + 1L) * values.length <= MOST_REMEMBERED) {
          keep(row, remembered);
        }
        target.add(values, row.label(), row.weight(), row.environment(), anchors(row));
        at += remembered.addTo(rows, at, target);
      }
      rememberedFor = dictionary.features();
      dictionary
          .leftOut()
          .forEach(
              (feature, values) -> {
                if (fullFeatures.add(feature)) {
                  notes.add(CategoryDictionary.leftOutNote(ColumnName.of(feature), values));
                }
              });
    }

    private void keep(LabelledRow row, DecodedRows target) {
      if (row.weight() <= HEAVIEST_REMEMBERED) {
        target.add(row, values, anchors(row));
      }
    }

    private double[] anchors(LabelledRow row) {
      return anchors.isEmpty() ? NO_ANCHORS : row.anchors();
    }

    /** Forgets all decoded rows but those of memory, if there are more than {@code rows}. */
    void forgetBeyond(long rows, Supplier<List<LabelledRow>> memory) {
      if (remembered.size() > rows) {
        DecodedRows next = new DecodedRows(rows());
        for (LabelledRow row : memory.get()) {
          next.add(row, remembered);
        }
        remembered = next;
      }
    }

    private void decode(LabelledRow row) {
      try {
        Framing.Frame frame = framing.open(row.record());
        decoder(frame.schema()).decode(row.record(), frame.bodyOffset(), values);
      } catch (MalformedRecordException e) {
        throw new IllegalStateException("a row was judged usable and is not: " + row, e);
      }
    }

    private FeatureDecoder decoder(Schema schema) throws MalformedRecordException {
      if (numeric) {
        return judge(schema); // no category can be met
      }
      FeatureDecoder decoder = decoders.get(schema);
      if (decoder == null) {
        decoder = FeatureDecoder.compile(schema, dictionary.features(), rules, dictionary);
        decoders.put(schema, decoder);
      }
      return decoder;
    }

    /** Meets all categories of these rows, and remembers them and no others, if they fit. */
    void remember(List<LabelledRow> memory, List<LabelledRow> window) {
      long size = (long) (memory.size() + window.size()) * values.length;
      DecodedRows next = new DecodedRows(rows());
      for (List<LabelledRow> rows : List.of(memory, window)) {
        for (LabelledRow row : rows) {
          boolean fits = size <= MOST_REMEMBERED;
          if (fits ? !next.add(row, remembered) : !remembered.holds(row)) {
            decode(row);
            if (fits) {
              keep(row, next);
            }
          }
        }
      }
      remembered = next;
      rememberedFor = dictionary.features();
    }

    List<Feature> features() {
      return dictionary.features();
    }
  }

  private static boolean extend(List<Feature> features, List<Feature> older) {
    return features.equals(older)
        || (features.size() == older.size()
            && IntStream.range(0, features.size())
                .allMatch(k -> features.get(k).extendsOlder(older.get(k))));
  }

  /** Notes about features with too many categories, each given once. */
  public List<String> takeNotes() {
    List<String> taken = List.copyOf(notes);
    notes.clear();
    return taken;
  }
}
