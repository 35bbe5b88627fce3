package io.holdfast.trainer.learn;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.feature.CategoryDictionary;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Refusal;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Judges labelled rows and decodes them to numbers, for one model's features. Owned by the training
 * thread; not thread-safe.
 */
final class RowReader {
  /*
   * A row is decoded twice: judged when it arrives, by a decoder that learns no category, and
   * decoded in merged order when its window is trained on, into a dictionary of that one training
   * run. So which code a category gets depends on the parent version and the rows, not on how rows
   * arrived or on windows that came to nothing.
   */
  /** Sums of losses and of squared gradients must stay finite, however many rows there are. */
  private static final double MAX_LOSS = 1e100;

  private final Objective objective;
  private final Framing framing;
  private final List<Feature> features;
  private final IdentityHashMap<Schema, FeatureDecoder> judges = new IdentityHashMap<>();
  private final double[] values;

  RowReader(Objective objective, Framing framing, List<Feature> features) {
    this.objective = objective;
    this.framing = framing;
    this.features = features;
    values = new double[features.size()];
  }

  /** Why the row cannot be learned from; empty if it can. */
  Optional<Refusal> judge(LabelledRow row) {
    try {
      Framing.Frame frame = framing.open(row.record());
      FeatureDecoder judge = judges.get(frame.schema());
      if (judge == null) {
        judge = FeatureDecoder.compile(frame.schema(), features);
        judges.put(frame.schema(), judge);
      }
      judge.decode(row.record(), frame.bodyOffset(), values);
    } catch (MalformedRecordException e) {
      return Optional.of(Refusal.of(e));
    }
    if (!Double.isFinite(row.label()) || !objective.accepts(row.label())) {
      return Optional.of(Refusal.badLabel(row.label(), objective.labelRule()));
    }
    if (!(row.weight() > 0 && row.weight() < Double.POSITIVE_INFINITY)) {
      return Optional.of(Refusal.badWeight(row.weight()));
    }
    // NaN and infinity fail too.
    if (!(row.weight() * objective.loss(row.label(), 0) < MAX_LOSS)) {
      return Optional.of(
          Refusal.badLabel(row.label(), "so small that weight times loss is below " + MAX_LOSS));
    }
    if (!Double.isFinite(row.served().rawScore())) {
      return Optional.of(Refusal.badServedScore(row.served().rawScore()));
    }
    return Optional.empty();
  }

  /** What a training run decodes into. */
  Decoding decoding(List<Feature> parentFeatures) {
    return new Decoding(parentFeatures);
  }

  /** One training run's decoders, which share a dictionary that learns. */
  final class Decoding {
    private final CategoryDictionary dictionary;
    private final IdentityHashMap<Schema, FeatureDecoder> decoders = new IdentityHashMap<>();

    private Decoding(List<Feature> parentFeatures) {
      dictionary = new CategoryDictionary(parentFeatures);
    }

    /** Adds rows that were judged usable to every target. */
    void decode(List<LabelledRow> rows, Rows.Builder... targets) {
      for (LabelledRow row : rows) {
        try {
          Framing.Frame frame = framing.open(row.record());
          FeatureDecoder decoder = decoders.get(frame.schema());
          if (decoder == null) {
            decoder = FeatureDecoder.compile(frame.schema(), dictionary.features(), dictionary);
            decoders.put(frame.schema(), decoder);
          }
          decoder.decode(row.record(), frame.bodyOffset(), values);
        } catch (MalformedRecordException e) {
          throw new IllegalStateException("a row was judged usable and is not: " + row, e);
        }
        for (Rows.Builder target : targets) {
          target.add(values, row.label(), row.weight(), row.environment());
        }
      }
    }

    /** The features with all categories met so far. */
    List<Feature> features() {
      return dictionary.features();
    }
  }
}
