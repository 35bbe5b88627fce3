package io.holdfast.boosting.evaluate;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Figures of a stretch of a stream, by name. A figure that the stretch does not determine, such as
 * kappa where one class was all there was, is not in the map.
 *
 * <p>Of classes: {@code accuracy}, {@code kappa} (Cohen), {@code kappaM} (against the stretch's
 * commonest class), {@code kappaTemporal} (against no change), {@code noChangeAccuracy}, {@code
 * majorityAccuracy}, {@code auc} (of more than two classes the mean over classes of that of one
 * against the rest; not of classes with an order), {@code logLoss}, and of classes with an order
 * {@code mae} (how many classes off) and {@code deviance}. Of values: {@code rmse}, {@code mae},
 * {@code r2} (against the stretch's mean), {@code noChangeRmse}, {@code noChangeMae}, {@code
 * meanRmse}, {@code meanMae}. Of both {@code loss}, and of counts and positive values {@code
 * deviance}. Bifet et al., "Efficient online evaluation of big data stream classifiers", KDD 2015;
 * Žliobaitė et al., "Evaluation methods and decision theory for classification of streaming data
 * with temporal dependence", Machine Learning 98, 2015.
 *
 * @param rows how many rows they are of
 * @param weight what those count together; older ones less if they have faded
 */
public record StreamFigures(long rows, double weight, SortedMap<String, Double> byName) {
  public StreamFigures {
    TreeMap<String, Double> determined = new TreeMap<>(byName);
    determined.values().removeIf(figure -> figure.isNaN());
    byName = Collections.unmodifiableSortedMap(determined);
  }
}
