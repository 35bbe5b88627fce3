package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.OrdinalLink.OrdinalTerms;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * −log P(z = y) for ordered classes 0 .. K−1, where P(z ≤ k) = F(θ_{k+1} − f); the prediction is
 * the likeliest class. The thresholds are learned: from the class frequencies first, then by a step
 * after each round. Immutable.
 *
 * @param classes K, at least 2
 * @param link F
 * @param thresholds θ, one less than classes
 */
public record Ordinal(int classes, OrdinalLink link, Thresholds thresholds)
    implements ScalarObjective {
  /*
   * With a = θ_y − f and b = θ_{y+1} − f the loss is −log (F(b) − F(a)): the link evaluates it, and
   * is told the gap b − a as the thresholds give it, which f cannot round away.
   */
  public Ordinal {
    Softmax.checkClasses(classes);
    Check.that(
        thresholds.size() == classes - 1,
        "there must be a threshold less than the %s classes: %s",
        classes,
        thresholds.size());
  }

  /** Not yet fitted: at the raw score 0 all classes are equally likely. */
  public Ordinal(int classes, OrdinalLink link) {
    this(classes, link, Thresholds.ofShares(ones(Softmax.checkClasses(classes)), link));
  }

  private static double[] ones(int count) {
    return DoubleStream.generate(() -> 1).limit(count).toArray();
  }

  @Override
  public Map<String, Double> parameters() {
    SortedMap<String, Double> parameters = new TreeMap<>();
    parameters.put("classes", (double) classes);
    parameters.put("link", link == OrdinalLink.PROBIT ? 1.0 : 0.0);
    for (int k = 0; k < thresholds.size(); k++) {
      parameters.put("theta" + (k + 1), thresholds.above(k));
    }
    return parameters;
  }

  @Override
  public double loss(double label, double score) {
    int k = (int) label;
    return link.loss(
        thresholds.above(k - 1) - score, thresholds.above(k) - score, thresholds.gap(k));
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    OrdinalTerms terms = terms(label, score);
    target.set(loss(label, score), terms.first(), terms.second(), terms.third());
  }

  OrdinalTerms terms(double label, double score) {
    int k = (int) label;
    return link.terms(
        thresholds.above(k - 1) - score, thresholds.above(k) - score, thresholds.gap(k));
  }

  /** The likeliest class; of equally likely ones the lowest. */
  @Override
  public double prediction(double score) {
    int likeliest = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < classes; k++) {
      double loss = loss(k, score);
      if (loss < least) {
        least = loss;
        likeliest = k;
      }
    }
    return likeliest;
  }

  @Override
  public void probabilities(double[] scores, double[] target) {
    for (int k = 0; k < classes; k++) {
      target[k] = StrictMath.exp(-loss(k, scores[0]));
    }
  }

  /** 0: a constant is the thresholds' to learn. */
  @Override
  public double initialScore(Rows rows) {
    return 0;
  }

  @Override
  public boolean unbounded(Rows rows) {
    return LabelSummary.allAre(0, rows) || LabelSummary.allAre(classes - 1, rows);
  }

  /** With the thresholds at which the score 0 gives each class its share of the rows. */
  @Override
  public Ordinal fittedTo(Rows rows) {
    double[] shares = LabelSummary.classWeights(rows, classes);
    return new Ordinal(classes, link, Thresholds.ofShares(shares, link));
  }

  /** With thresholds moved by one damped Newton step, by which the loss does not rise. */
  @Override
  public Ordinal refitted(Rows rows, double[] scores) {
    return ThresholdStep.from(this, rows, scores);
  }

  @Override
  public Ordinal unfitted() {
    return new Ordinal(classes, link);
  }

  @Override
  public boolean accepts(double label) {
    return Softmax.isClass(label, classes);
  }

  @Override
  public String labelRule() {
    return "whole numbers from 0 to " + (classes - 1);
  }
}
