package io.holdfast.scorer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** The data of the examples: orders, a model, and its scores as the command wrote them. */
final class Orders {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("examples/data");
  static final Path MODEL = DATA.resolve("orders.hf");

  private Orders() {}

  static Schema schema() throws IOException {
    return new Schema.Parser().parse(Files.readString(DATA.resolve("order.avsc")));
  }

  /** The orders as Java values by column; what a file leaves empty is not there. */
  static List<Map<String, Object>> values() throws IOException {
    return lines("orders.csv").stream().map(Orders::values).toList();
  }

  private static Map<String, Object> values(String[] cells) {
    Map<String, Object> values = new HashMap<>();
    values.put("order", Long.parseLong(cells[0]));
    if (!cells[1].isEmpty()) {
      values.put("amount", Double.parseDouble(cells[1]));
    }
    if (!cells[2].isEmpty()) {
      values.put("items", Integer.parseInt(cells[2]));
    }
    if (!cells[3].isEmpty()) {
      values.put("country", cells[3]);
    }
    if (!cells[4].isEmpty()) {
      values.put("channel", cells[4]);
    }
    if (!cells[5].isEmpty()) {
      values.put("express", Boolean.parseBoolean(cells[5]));
    }
    return values;
  }

  static GenericRecord record(Schema schema, Map<String, Object> values) {
    GenericRecord record = new GenericData.Record(schema);
    values.forEach(record::put);
    return record;
  }

  /** The predictions that {@code holdfast score} wrote. */
  static double[] predictions() throws IOException {
    return lines("scores.csv").stream()
        .mapToDouble(cells -> Double.parseDouble(cells[1]))
        .toArray();
  }

  /** The raw scores. */
  static double[] rawScores() throws IOException {
    return lines("scores.csv").stream()
        .mapToDouble(cells -> Double.parseDouble(cells[2]))
        .toArray();
  }

  private static List<String[]> lines(String file) throws IOException {
    return Files.readAllLines(DATA.resolve(file)).stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .toList();
  }
}
