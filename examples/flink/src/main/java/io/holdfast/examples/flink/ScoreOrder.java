package io.holdfast.examples.flink;

import io.holdfast.scorer.PortableModel;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.types.Row;

/** An order's number and the probability of a return; the model goes to the tasks with the job. */
public final class ScoreOrder implements MapFunction<Row, Tuple2<Long, Double>> {
  private static final long serialVersionUID = 1;

  private final PortableModel model;

  public ScoreOrder(PortableModel model) {
    this.model = model;
  }

  @Override
  public Tuple2<Long, Double> map(Row order) throws Exception {
    Map<String, Object> values = new HashMap<>();
    for (String name : order.getFieldNames(true)) {
      values.put(name, order.getField(name));
    }
    double prediction = model.model().score(values).prediction();
    return Tuple2.of((Long) order.getField("order"), prediction);
  }
}
