package io.holdfast.service.score;

import static io.holdfast.service.score.AvroBytes.lengthOf;
import static io.holdfast.service.score.AvroBytes.writeDouble;
import static io.holdfast.service.score.AvroBytes.writeLong;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.service.model.ActiveModel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@link Score}s of one source topic, framed, without building the object: the same bytes as
 * Avro's own writer gives. Allocates the bytes that it returns and nothing else, once it has seen
 * the version. Owned by one thread.
 */
public final class ScoreEncoder {
  /*
   * head: frame, model, version, hash | prediction | probabilities | raw scores | topic |
   * partition, offset | id | label | uncertainty
   *
   * The head is the same for every score of a version, and the topic for all: they are copied. How
   * long the rest will be is known before it is written, so there is no buffer between.
   */
  private static final int MAX_VARINT = 10;
  private static final byte[] NULL = {0};

  private final byte[] frame;
  private final boolean tellsUncertainty;
  private final byte[] sourceTopic;
  private @Nullable ActiveModel model;
  private byte[] head = new byte[0];
  private double[] probabilities = new double[0];
  private final UncertaintyEncoder unsaid = new UncertaintyEncoder();
  private byte[][] labels = new byte[0][]; // of each class, with its branch; none without names

  public ScoreEncoder(ContractFraming framing, String sourceTopic) {
    this.frame = framing.prefix();
    this.tellsUncertainty = framing.has("uncertainty");
    byte[] topic = sourceTopic.getBytes(UTF_8);
    byte[] prefixed = new byte[MAX_VARINT + topic.length];
    int at = writeLong(prefixed, 0, topic.length);
    System.arraycopy(topic, 0, prefixed, at, topic.length);
    this.sourceTopic = Arrays.copyOf(prefixed, at + topic.length);
  }

  /** The score of a record by a version that does not say how sure it is. */
  public byte[] encode(
      ActiveModel scoredBy,
      double[] rawScores,
      int sourcePartition,
      long sourceOffset,
      byte @Nullable [] id) {
    return encode(scoredBy, rawScores, sourcePartition, sourceOffset, id, unsaid);
  }

  /**
   * The score of a record; arrays are only read.
   *
   * @param id the record's, as UTF-8 text; null if it has none
   * @param uncertainty which has written how sure the score is
   */
  public byte[] encode(
      ActiveModel scoredBy,
      double[] rawScores,
      int sourcePartition,
      long sourceOffset,
      byte @Nullable [] id,
      UncertaintyEncoder uncertainty) {
    if (scoredBy != model) {
      begin(scoredBy);
    }
    Objective objective = scoredBy.objective();
    objective.probabilities(rawScores, probabilities);
    int ofScore = Double.BYTES + sizeOf(probabilities) + sizeOf(rawScores);
    int ofSource = sourceTopic.length + lengthOf(sourcePartition) + lengthOf(sourceOffset);
    int ofId = id == null ? 1 : 1 + lengthOf(id.length) + id.length;
    double prediction = objective.prediction(rawScores);
    byte[] label = labels.length == 0 ? NULL : labels[ClassLabels.predicted(objective, prediction)];
    int end = head.length + ofScore + ofSource + ofId + label.length;
    byte[] bytes = new byte[end + (tellsUncertainty ? uncertainty.length() : 0)];
    System.arraycopy(head, 0, bytes, 0, head.length);
    int at = writeDouble(bytes, head.length, prediction);
    at = writeDoubles(bytes, at, probabilities);
    at = writeDoubles(bytes, at, rawScores);
    System.arraycopy(sourceTopic, 0, bytes, at, sourceTopic.length);
    at = writeLong(bytes, at + sourceTopic.length, sourcePartition);
    at = writeLong(bytes, at, sourceOffset);
    if (id != null) { // else the branch of null, which is 0
      at = writeLong(bytes, writeLong(bytes, at, 1), id.length);
      System.arraycopy(id, 0, bytes, at, id.length);
    }
    System.arraycopy(label, 0, bytes, end - label.length, label.length);
    if (tellsUncertainty) {
      uncertainty.copyTo(bytes, end);
    }
    return bytes;
  }

  private void begin(ActiveModel next) {
    byte[] name = next.name().getBytes(UTF_8);
    byte[] hash = next.hashBytes();
    byte[] start = new byte[frame.length + 2 * MAX_VARINT + name.length + hash.length];
    System.arraycopy(frame, 0, start, 0, frame.length);
    int at = writeLong(start, frame.length, name.length);
    System.arraycopy(name, 0, start, at, name.length);
    at = writeLong(start, at + name.length, next.number());
    System.arraycopy(hash, 0, start, at, hash.length);
    head = Arrays.copyOf(start, at + hash.length);
    probabilities = new double[next.objective().classes()];
    labels = next.classes().names().stream().map(ScoreEncoder::label).toArray(byte[][]::new);
    model = next;
  }

  /** Avro's optional text that is there. */
  private static byte[] label(String name) {
    byte[] text = name.getBytes(UTF_8);
    byte[] label = new byte[1 + lengthOf(text.length) + text.length];
    int at = writeLong(label, writeLong(label, 0, 1), text.length);
    System.arraycopy(text, 0, label, at, text.length);
    return label;
  }

  /** Avro's array: a block of all items if there are any, and an empty block. */
  private static int writeDoubles(byte[] bytes, int from, double[] values) {
    int at = from;
    if (values.length > 0) {
      at = writeLong(bytes, at, values.length);
      for (double value : values) {
        at = writeDouble(bytes, at, value);
      }
    }
    bytes[at] = 0;
    return at + 1;
  }

  private static int sizeOf(double[] values) {
    return 1 + (values.length > 0 ? lengthOf(values.length) + Double.BYTES * values.length : 0);
  }
}
