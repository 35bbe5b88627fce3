package io.holdfast.bench.pipeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.score.ScoreEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * What is left of the scoring topology when nothing is scored and nothing else is looked after:
 * decode, encode one of the features as if it were the score, send. No routing, meters or limits.
 */
final class IdentityTopology {
  private IdentityTopology() {}

  static Topology of(ActiveModel model, Framing framing, String source, String sink) {
    return new Topology()
        .addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), source)
        .addProcessor("identity", () -> new Identity(model, framing, source), "in")
        .addSink("out", sink, new ByteArraySerializer(), new ByteArraySerializer(), "identity");
  }

  /**
   * What no reader of such records can do without: Kafka's own part, and of a JSON record the
   * parsing of its numbers. It sends on as many bytes as a score has, with the record's headers.
   */
  static Topology bare(Framed framed, String source, String sink) {
    return new Topology()
        .addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), source)
        .addProcessor("bare", () -> new Bare(framed == Framed.JSON), "in")
        .addSink("out", sink, new ByteArraySerializer(), new ByteArraySerializer(), "bare");
  }

  private static final class Bare implements Processor<byte[], byte[], byte[], byte[]> {
    private static final int SCORE_BYTES = 80;

    private final JsonFactory json =
        JsonFactory.builder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();
    private final byte[] score = new byte[SCORE_BYTES];
    private final boolean parsed;

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before process
    private ProcessorContext<byte[], byte[]> context;

    Bare(boolean parsed) {
      this.parsed = parsed;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
      this.context = context;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      if (parsed) {
        score[0] = (byte) sum(record.value());
      }
      context.forward(record.withValue(score.clone()));
    }

    private double sum(byte[] value) {
      double sum = 0;
      try (JsonParser parser = json.createParser(value)) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
          if (token.isNumeric()) {
            sum += parser.getDoubleValue();
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the benchmark's records can be parsed", e);
      }
      return sum;
    }
  }

  private static final class Identity implements Processor<byte[], byte[], byte[], byte[]> {
    private final ActiveModel model;
    private final Framing framing;
    private final ScoreEncoder encoder;
    private final double[] features;
    private final double[] raw = new double[1];

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before process
    private ProcessorContext<byte[], byte[]> context;

    Identity(ActiveModel model, Framing framing, String source) {
      this.model = model;
      this.framing = framing;
      this.encoder = new ScoreEncoder(ContractFraming.single(Score.getClassSchema()), source);
      this.features = new double[model.width()];
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
      this.context = context;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      RecordMetadata source = context.recordMetadata().orElseThrow();
      try {
        Framing.Frame frame = framing.open(record.value());
        model.decoder(frame.schema()).decode(record.value(), frame.bodyOffset(), features);
      } catch (MalformedRecordException e) {
        throw new IllegalStateException("the benchmark's records can be decoded", e);
      }
      raw[0] = features[0];
      context.forward(
          record.withValue(
              encoder.encode(model, raw, source.partition(), source.offset(), record.key())));
    }
  }
}
