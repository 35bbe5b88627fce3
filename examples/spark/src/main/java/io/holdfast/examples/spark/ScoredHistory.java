package io.holdfast.examples.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.udf;

import io.holdfast.scorer.PortableModel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/** A history of any size with a model's predictions beside it. */
public final class ScoredHistory {
  private ScoredHistory() {}

  /** The rows with a column {@code prediction}; each executor gets the model once. */
  public static Dataset<Row> of(SparkSession spark, Dataset<Row> history, PortableModel model) {
    Broadcast<PortableModel> sent = new JavaSparkContext(spark.sparkContext()).broadcast(model);
    UDF1<Row, Double> score = row -> sent.value().model().score(values(row)).prediction();
    Column[] columns =
        Stream.of(history.columns()).map(name -> col("`" + name + "`")).toArray(Column[]::new);
    return history.withColumn(
        "prediction", udf(score, DataTypes.DoubleType).apply(struct(columns)));
  }

  private static Map<String, Object> values(Row row) {
    Map<String, Object> values = new HashMap<>();
    for (String name : row.schema().fieldNames()) {
      values.put(name, row.getAs(name));
    }
    return values;
  }

  /** Scores Parquet files into others: where they are, where they go, and the model file. */
  public static void main(String[] arguments) throws Exception {
    SparkSession spark =
        SparkSession.builder().config("spark.sql.datetime.java8API.enabled", true).getOrCreate();
    Dataset<Row> history = spark.read().parquet(arguments[0]);
    of(spark, history, PortableModel.of(Path.of(arguments[2]))).write().parquet(arguments[1]);
  }
}
