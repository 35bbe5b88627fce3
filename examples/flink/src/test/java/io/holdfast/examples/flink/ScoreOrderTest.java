package io.holdfast.examples.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.scorer.PortableModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;

/** On a local cluster of two tasks, the bits are those of {@code holdfast score}. */
class ScoreOrderTest {
  private static final Path DATA = Path.of("../data");
  private static final TypeInformation<Row> ORDER =
      Types.ROW_NAMED(
          new String[] {"order", "amount", "items", "country", "channel", "express"},
          Types.LONG,
          Types.DOUBLE,
          Types.INT,
          Types.STRING,
          Types.STRING,
          Types.BOOLEAN);

  @Test
  void orders_haveTheScoresOfTheCommand() throws Exception {
    var environment = StreamExecutionEnvironment.createLocalEnvironment(2);
    var model = PortableModel.of(DATA.resolve("orders.hf"));

    DataStream<Tuple2<Long, Double>> scored =
        environment
            .fromData(orders(), ORDER)
            .rebalance()
            .map(new ScoreOrder(model))
            .returns(Types.TUPLE(Types.LONG, Types.DOUBLE));

    Map<Long, Double> scores = new HashMap<>();
    scored.executeAndCollect(1_000).forEach(one -> scores.put(one.f0, one.f1));
    Map<Long, Double> expected = new HashMap<>();
    List<String> lines = Files.readAllLines(DATA.resolve("scores.csv"));
    List<Row> orders = orders();
    for (int i = 0; i < orders.size(); i++) {
      double prediction = Double.parseDouble(lines.get(i + 1).split(",", -1)[1]);
      expected.put((Long) orders.get(i).getField("order"), prediction);
    }
    assertThat(scores).hasSize(200).isEqualTo(expected);
  }

  private static List<Row> orders() throws Exception {
    List<Row> orders = new ArrayList<>();
    for (String line : Files.readAllLines(DATA.resolve("orders.csv")).subList(1, 201)) {
      String[] cells = line.split(",", -1);
      Row order = Row.withNames();
      order.setField("order", Long.parseLong(cells[0]));
      order.setField("amount", cells[1].isEmpty() ? null : Double.parseDouble(cells[1]));
      order.setField("items", cells[2].isEmpty() ? null : Integer.parseInt(cells[2]));
      order.setField("country", cells[3].isEmpty() ? null : cells[3]);
      order.setField("channel", cells[4].isEmpty() ? null : cells[4]);
      order.setField("express", cells[5].isEmpty() ? null : Boolean.parseBoolean(cells[5]));
      orders.add(order);
    }
    return orders;
  }
}
