package io.holdfast.bench.files;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataSource;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Reads a file to rows as a fit does, and nothing else. */
final class ReadingProgram {
  private ReadingProgram() {}

  /** {@code DATA}: prints the processor's seconds that it took. */
  public static void main(String[] arguments) throws MalformedRecordException {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = system.getProcessCpuTime();
    DataFile file = DataFile.open(DataSource.of(arguments[0]), Reading.PLAIN);
    List<Feature> features = file.columns().stream().<Feature>map(Feature.Numeric::new).toList();
    FeatureDecoder decoder = FeatureDecoder.compile(file.schema(), features);
    Rows.Builder rows = Rows.builder(features.size()).expecting((int) file.rows());
    double[] values = new double[features.size()];
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        cursor.features(decoder, body, values);
        rows.add(values, values[0]);
      }
    }
    rows.build();
    System.out.println((system.getProcessCpuTime() - before) / 1e9);
  }
}
