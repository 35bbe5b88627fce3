package io.holdfast.boosting.evaluate;

import java.util.SortedMap;
import java.util.TreeMap;

/** Sums of a stretch of a stream, from which its figures follow. Owned by one thread. */
final class StreamSums {
  private final LabelSums labels;
  private final AreaSums[] areas;
  private long rows;
  private double weight;
  private double loss;
  private double logLoss;
  private double deviance;

  /** For labels of {@code classes} classes; for real ones if that is 0. */
  StreamSums(int classes) {
    labels = classes == 0 ? new ValueSums() : new ClassSums(classes);
    areas = new AreaSums[classes == 2 ? 1 : classes];
    for (int k = 0; k < areas.length; k++) {
      areas[k] = new AreaSums();
    }
  }

  /** What depends on the kind of label. */
  sealed interface LabelSums permits ClassSums, ValueSums {
    void add(Tested row);

    void fade(double factor);

    void figures(double weight, SortedMap<String, Double> target);
  }

  /** One row more. */
  void add(Tested row) {
    rows++;
    weight += row.weight();
    loss += row.weight() * row.loss();
    logLoss += row.weight() * row.logLoss();
    deviance += row.weight() * row.deviance();
    labels.add(row);
    double[] ranking = row.ranking();
    if (ranking.length == 1) {
      areas[0].add(ranking[0], row.label() == 1, row.weight());
    } else {
      for (int k = 0; k < ranking.length; k++) {
        areas[k].add(ranking[k], row.label() == k, row.weight());
      }
    }
  }

  /** Makes all rows so far weigh less. */
  void fade(double factor) {
    weight *= factor;
    loss *= factor;
    logLoss *= factor;
    deviance *= factor;
    labels.fade(factor);
    for (AreaSums area : areas) {
      area.fade(factor);
    }
  }

  StreamFigures figures() {
    SortedMap<String, Double> figures = new TreeMap<>();
    figures.put("loss", loss / weight);
    figures.put("logLoss", logLoss / weight);
    figures.put("deviance", deviance / weight);
    figures.put("auc", area());
    labels.figures(weight, figures);
    return new StreamFigures(rows, weight, figures);
  }

  /** Over the classes that are seen, but are not the only one. */
  private double area() {
    double sum = 0;
    int seen = 0;
    for (AreaSums one : areas) {
      double area = one.area();
      if (!Double.isNaN(area)) {
        sum += area;
        seen++;
      }
    }
    return seen == 0 ? Double.NaN : sum / seen;
  }
}
