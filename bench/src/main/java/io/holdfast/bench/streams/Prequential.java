package io.holdfast.bench.streams;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.boosting.data.Rows;
import java.lang.management.ManagementFactory;

/**
 * Every row is predicted, and its label is learned {@code delay} rows later: with delay 0, before
 * the next one is predicted. Stateless.
 */
final class Prequential {
  private Prequential() {}

  /** Takes a learner through the whole stream. */
  static StreamFigures run(LabelledStream stream, int delay, StreamLearner learner) {
    double[] predicted = new double[stream.rows().size()];
    var threads = ManagementFactory.getThreadMXBean();
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long thread = threads.getCurrentThreadCpuTime();
    long process = system.getProcessCpuTime();
    predictAll(predicted, delay, learner);
    double threadSeconds = (threads.getCurrentThreadCpuTime() - thread) / 1e9;
    double processSeconds = (system.getProcessCpuTime() - process) / 1e9;
    return stream.classifies()
        ? classified(stream, delay, predicted, threadSeconds, processSeconds)
        : regressed(stream.rows(), predicted, threadSeconds, processSeconds);
  }

  private static void predictAll(double[] predicted, int delay, StreamLearner learner) {
    for (int row = 0; row < predicted.length; row++) {
      predicted[row] = learner.predict(row);
      if (row >= delay) {
        learner.learn(row - delay);
      }
    }
  }

  private static StreamFigures classified(
      LabelledStream stream,
      int delay,
      double[] predicted,
      double threadSeconds,
      double processSeconds) {
    double[] majority = new double[predicted.length];
    double[] noChange = new double[predicted.length];
    predictAll(majority, delay, new Majority(stream));
    predictAll(noChange, delay, new NoChange(stream));
    Rows rows = stream.rows();
    double accuracy = accuracy(rows, predicted);
    double byChance = 0;
    for (int k = 0; k < stream.classes(); k++) {
      long predictions = 0;
      long labels = 0;
      for (int row = 0; row < predicted.length; row++) {
        predictions += predicted[row] == k ? 1 : 0;
        labels += rows.label(row) == k ? 1 : 0;
      }
      byChance += (double) predictions / rows.size() * labels / rows.size();
    }
    return new StreamFigures(
        accuracy,
        above(accuracy, byChance),
        above(accuracy, accuracy(rows, majority)),
        above(accuracy, accuracy(rows, noChange)),
        Double.NaN,
        Double.NaN,
        Double.NaN,
        threadSeconds,
        processSeconds);
  }

  private static double accuracy(Rows rows, double[] predicted) {
    int right = 0;
    for (int row = 0; row < predicted.length; row++) {
      right += predicted[row] == rows.label(row) ? 1 : 0;
    }
    return (double) right / predicted.length;
  }

  private static double above(double accuracy, double reference) {
    return (accuracy - reference) / (1 - reference);
  }

  private static StreamFigures regressed(
      Rows rows, double[] predicted, double threadSeconds, double processSeconds) {
    double mean = 0;
    for (int row = 0; row < predicted.length; row++) {
      mean += rows.label(row) / predicted.length;
    }
    double squares = 0;
    double absolutes = 0;
    double spread = 0;
    for (int row = 0; row < predicted.length; row++) {
      double error = predicted[row] - rows.label(row);
      squares += error * error;
      absolutes += Math.abs(error);
      spread += (rows.label(row) - mean) * (rows.label(row) - mean);
    }
    return new StreamFigures(
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Math.sqrt(squares / predicted.length),
        absolutes / predicted.length,
        1 - squares / spread,
        threadSeconds,
        processSeconds);
  }
}
