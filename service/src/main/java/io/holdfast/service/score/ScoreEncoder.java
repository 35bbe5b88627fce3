package io.holdfast.service.score;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.service.label.Doubles;
import io.holdfast.service.model.ActiveModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.Utf8;

/**
 * Writes {@link Score}s of one source topic, framed, without building the object: the same bytes as
 * Avro's own writer gives. Owned by one thread.
 */
final class ScoreEncoder {
  private final byte[] frame;
  private final Utf8 sourceTopic;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(256);
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(buffer, null);
  private double[] probabilities = new double[0];

  ScoreEncoder(Framing framing, String sourceTopic) {
    this.frame = framing.frame(Score.getClassSchema(), new byte[0]);
    this.sourceTopic = new Utf8(sourceTopic);
  }

  byte[] encode(ActiveModel model, double[] rawScores, int sourcePartition, long sourceOffset) {
    try {
      buffer.reset();
      buffer.writeBytes(frame);
      Objective objective = model.objective();
      if (probabilities.length != objective.classes()) {
        probabilities = new double[objective.classes()];
      }
      objective.probabilities(rawScores, probabilities);
      encoder.writeString(model.nameUtf8());
      encoder.writeLong(model.number());
      model.writeHash(encoder);
      encoder.writeDouble(objective.prediction(rawScores));
      Doubles.write(encoder, probabilities);
      Doubles.write(encoder, rawScores);
      encoder.writeString(sourceTopic);
      encoder.writeInt(sourcePartition);
      encoder.writeLong(sourceOffset);
      encoder.flush();
      return buffer.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("a byte array cannot fail to be written", e);
    }
  }
}
