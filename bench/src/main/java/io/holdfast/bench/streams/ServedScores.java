package io.holdfast.bench.streams;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.Thresholds;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scores that Holdfast's trainer and scorer served on a stream, each before its label was
 * known.
 *
 * @param raw raw scores, by row
 * @param version of the model that gave them, by row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ServedScores(LabelledStream stream, int delay, double[][] raw, long[] version) {

  /** Runs the stream, or reads what an earlier run left in {@code folder}. */
  static ServedScores of(LabelledStream stream, int delay, @Nullable Path folder)
      throws IOException {
    if (folder == null) {
      return of(stream, delay);
    }
    Path file = folder.resolve(stream.name() + "-" + stream.rows().size() + "-" + delay + ".bin");
    if (!Files.exists(file)) {
      of(stream, delay).write(file);
    }
    return read(stream, delay, file);
  }

  private static ServedScores of(LabelledStream stream, int delay) {
    int rows = stream.rows().size();
    double[][] raw = new double[rows][];
    long[] version = new long[rows];
    try (var learner = new HoldfastLearner(stream, Map.of())) {
      for (int row = 0; row < rows; row++) {
        learner.predict(row);
        raw[row] = learner.newest().rawScores();
        version[row] = learner.newest().version();
        if (row >= delay) {
          learner.learn(row - delay);
        }
      }
    }
    return new ServedScores(stream, delay, raw, version);
  }

  private void write(Path file) throws IOException {
    try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(raw[0].length);
      for (int row = 0; row < raw.length; row++) {
        out.writeLong(version[row]);
        for (double score : raw[row]) {
          out.writeDouble(score);
        }
      }
    }
  }

  private static ServedScores read(LabelledStream stream, int delay, Path file) throws IOException {
    int rows = stream.rows().size();
    double[][] raw = new double[rows][];
    long[] version = new long[rows];
    try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      int outputs = in.readInt();
      for (int row = 0; row < rows; row++) {
        version[row] = in.readLong();
        raw[row] = new double[outputs];
        for (int k = 0; k < outputs; k++) {
          raw[row][k] = in.readDouble();
        }
      }
    }
    return new ServedScores(stream, delay, raw, version);
  }

  private Objective objective() {
    return switch (stream.classes()) {
      case 0 -> Objective.named("squared");
      case 2 -> Objective.named("logistic");
      default -> Objective.of("softmax", Map.of("classes", (double) stream.classes()));
    };
  }

  double label(int row) {
    return stream.rows().label(row);
  }

  String environment(int row) {
    return stream.rows().environments().get(stream.rows().environment(row));
  }

  double prediction(int row) {
    return objective().prediction(raw[row]);
  }

  double[] probabilities(int row) {
    double[] probabilities = new double[stream.classes()];
    objective().probabilities(raw[row], probabilities);
    return probabilities;
  }

  /** Of classes what the label's probability says, of numbers the label above the prediction. */
  double error(int row) {
    return stream.classifies()
        ? Thresholds.classError(probabilities(row)[(int) label(row)])
        : label(row) - prediction(row);
  }
}
