package io.holdfast.trainer.runtime.log;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.ScoreUncertainty;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Promised;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.Served;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decodes examples to labelled rows. Stateless. */
public final class ExampleReader {
  private ExampleReader() {}

  public sealed interface Reading {
    /** An example, not judged yet. */
    record Row(LabelledRow row) implements Reading {}

    record Unreadable(Position position, Refusal refusal) implements Reading {}
  }

  static Position position(ConsumerRecord<byte[], byte[]> record) {
    return new Position(record.partition(), record.offset(), record.timestamp());
  }

  public static Reading read(ConsumerRecord<byte[], byte[]> record) {
    Position position = position(record);
    Example example;
    try {
      example = Contracts.EXAMPLE.decode(record.value());
    } catch (MalformedRecordException e) {
      return new Reading.Unreadable(
          position, Refusal.unreadableExample(String.valueOf(e.getMessage())));
    }
    ScoreUncertainty said = example.getUncertainty();
    return new Reading.Row(
        new LabelledRow(
            position,
            bytes(example.getRecord()),
            example.getLabel(),
            example.getWeight(),
            example.getEnvironment(),
            doubles(example.getAnchors()),
            new Served(
                doubles(example.getServedRawScores()),
                example.getServedVersion(),
                Digest.fromBytes(example.getServedHash().bytes()),
                said == null
                    ? null
                    : Promised.of(said, example.getEnvironment(), example.getLabel()))));
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
