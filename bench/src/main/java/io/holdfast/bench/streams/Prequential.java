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

  /** CPU time so far, in nanoseconds. */
  private record CpuTime(long thread, long process) {
    private static CpuTime now() {
      var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      return new CpuTime(
          ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(),
          system.getProcessCpuTime());
    }

    private CpuTime since(CpuTime begin) {
      return new CpuTime(thread - begin.thread, process - begin.process);
    }
  }

  /** Takes a learner through the whole stream. */
  static StreamFigures run(LabelledStream stream, int delay, StreamLearner learner) {
    double[] predicted = new double[stream.rows().size()];
    CpuTime begin = CpuTime.now();
    predictAll(predicted, delay, learner);
    CpuTime taken = CpuTime.now().since(begin);
    return stream.classifies()
        ? classified(stream, delay, predicted, taken)
        : regressed(stream.rows(), predicted, taken);
  }

  /** Takes a learner through the first rows, for what is compiled by that. */
  static void warmUp(LabelledStream stream, int rows, int delay, StreamLearner learner) {
    predictAll(new double[Math.min(rows, stream.rows().size())], delay, learner);
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
      LabelledStream stream, int delay, double[] predicted, CpuTime taken) {
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
        taken.thread() / 1e9,
        taken.process() / 1e9);
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

  private static StreamFigures regressed(Rows rows, double[] predicted, CpuTime taken) {
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
        taken.thread() / 1e9,
        taken.process() / 1e9);
  }
}
