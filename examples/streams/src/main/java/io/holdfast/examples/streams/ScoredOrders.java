package io.holdfast.examples.streams;

import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.scorer.RowScore;
import io.holdfast.scorer.ScoringModel;
import io.holdfast.scorer.topic.FollowedModel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.ContextualFixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;

/** Orders in Avro come in; the probability of a return goes out, with the version that says so. */
public final class ScoredOrders {
  private ScoredOrders() {}

  /** The topology; the model is asked for at each record, so that a new version is used at once. */
  public static Topology topology(Supplier<ScoringModel> model, Schema order) {
    var builder = new StreamsBuilder();
    builder.stream("orders", Consumed.with(Serdes.String(), Serdes.ByteArray()))
        .processValues(() -> new Score(model, order))
        .to("returns", Produced.with(Serdes.String(), Serdes.Double()));
    return builder.build();
  }

  private static final class Score extends ContextualFixedKeyProcessor<String, byte[], Double> {
    private final Supplier<ScoringModel> model;
    private final Schema order;

    Score(Supplier<ScoringModel> model, Schema order) {
      this.model = model;
      this.order = order;
    }

    @Override
    public void process(FixedKeyRecord<String, byte[]> record) {
      RowScore score;
      try {
        score = model.get().score(order, record.value(), 0);
      } catch (MalformedRecordException e) {
        // For processing.exception.handler: it may log, or send the record to a dead-letter topic.
        throw new IllegalArgumentException(e.getMessage(), e);
      }
      byte[] version = Long.toString(score.version()).getBytes(StandardCharsets.UTF_8);
      record.headers().add("model-version", version);
      context().forward(record.withValue(score.prediction()));
    }
  }

  /** Runs until it is stopped: the broker's address, and the schema of orders as JSON. */
  public static void main(String[] arguments) {
    String broker = arguments[0];
    Schema order = new Schema.Parser().parse(arguments[1]);
    FollowedModel followed =
        FollowedModel.start(
            Map.of("bootstrap.servers", broker), "holdfast.models", "shop", Duration.ofMinutes(1));
    var settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "scored-orders");
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, broker);
    var streams = new KafkaStreams(topology(followed::model, order), settings);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  streams.close();
                  followed.close();
                }));
    streams.start();
  }
}
