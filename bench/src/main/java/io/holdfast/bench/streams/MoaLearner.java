package io.holdfast.bench.streams;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import moa.classifiers.Classifier;
import moa.options.ClassOption;

/**
 * A learner of MOA, in its own default settings and seeds.
 *
 * <p>Some of MOA's trees fail on a missing value, so all of them are given the mean so far of its
 * column instead; a missing category is its column's first.
 */
final class MoaLearner implements StreamLearner {
  private final Rows rows;
  private final boolean classifies;
  private final Classifier classifier;
  private final Instances header;
  private final boolean[] nominal;
  private final double[] sums;
  private final long[] known;

  /** One by its name in MOA's task files, such as {@code trees.HoeffdingTree}. */
  MoaLearner(LabelledStream stream, String commandLine) {
    rows = stream.rows();
    classifies = stream.classifies();
    header = header(stream);
    int width = stream.features().size();
    nominal = new boolean[width];
    for (int column = 0; column < width; column++) {
      nominal[column] = stream.features().get(column) instanceof Feature.Categorical;
    }
    sums = new double[width];
    known = new long[width];
    classifier = parsed(commandLine);
    classifier.setModelContext(new InstancesHeader(header));
    classifier.prepareForUse();
  }

  @SuppressWarnings("IllegalCatch") // declared by MOA
  private static Classifier parsed(String commandLine) {
    try {
      return (Classifier) ClassOption.cliStringToObject(commandLine, Classifier.class, null);
    } catch (Exception e) {
      throw new IllegalArgumentException("MOA has no classifier " + commandLine, e);
    }
  }

  private static Instances header(LabelledStream stream) {
    List<Attribute> attributes = new ArrayList<>();
    for (Feature feature : stream.features()) {
      attributes.add(
          switch (feature) {
            case Feature.Numeric numeric -> new Attribute(numeric.name());
            case Feature.Categorical categorical ->
                new Attribute(categorical.name(), categorical.categories());
          });
    }
    attributes.add(
        stream.classifies()
            ? new Attribute(
                "class", IntStream.range(0, stream.classes()).mapToObj(Integer::toString).toList())
            : new Attribute("response"));
    Instances header = new Instances(stream.name(), attributes, 0);
    header.setClassIndex(attributes.size() - 1);
    return header;
  }

  @Override
  public double predict(int row) {
    for (int column = 0; column < sums.length; column++) {
      double value = rows.feature(row, column);
      if (!nominal[column] && !Double.isNaN(value)) {
        sums[column] += value;
        known[column]++;
      }
    }
    double[] votes = classifier.getVotesForInstance(instance(row));
    if (!classifies) {
      return votes.length == 0 || !Double.isFinite(votes[0]) ? 0 : votes[0];
    }
    int best = 0;
    for (int k = 1; k < votes.length; k++) {
      best = votes[k] > votes[best] ? k : best;
    }
    return best;
  }

  @Override
  public void learn(int row) {
    classifier.trainOnInstance(instance(row));
  }

  private Instance instance(int row) {
    double[] values = new double[sums.length + 1];
    for (int column = 0; column < sums.length; column++) {
      double value = rows.feature(row, column);
      if (Double.isNaN(value)) {
        value = nominal[column] || known[column] == 0 ? 0 : sums[column] / known[column];
      }
      values[column] = nominal[column] ? Math.max(0, value) : value;
    }
    values[sums.length] = rows.label(row);
    Instance instance = new DenseInstance(1, values);
    instance.setDataset(header);
    return instance;
  }
}
