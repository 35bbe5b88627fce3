package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicFollower;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ModelSource;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.runtime.StreamsSettings;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.TimestampedKeyValueStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;

/**
 * The program of a child JVM that follows a model topic: as the service does, with its loader and
 * its scoring topology, or by a global table of Kafka Streams. Answers when it runs, and then a
 * line "VERSION NANOS READY" for the first score with a version, or the first record whose
 * processor saw it, and for when it could have been.
 */
final class SwapNode {
  static final String MODEL = "wide";
  private static final String STORE = "versions";

  private SwapNode() {}

  /**
   * Arguments: {@code service} or {@code table}, broker, model topic, records, scores, a folder.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ChildJvm.endOnError();
    Settings settings = settings(arguments);
    Properties properties =
        StreamsSettings.of(settings, "swap-" + arguments[0] + "-" + arguments[4]);
    Topology topology =
        arguments[0].equals("service")
            ? scoring(settings, properties)
            : table(arguments[2], arguments[3]);
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    try (var streams = new KafkaStreams(topology, properties)) {
      StreamsNode.awaitRunning(streams);
      ChildJvm.serve("running", _ -> "");
      streams.close(Duration.ofSeconds(10));
    }
    Runtime.getRuntime().halt(0); // the loader's thread follows its topic for ever
  }

  /** As the service runs it. */
  private static Topology scoring(Settings settings, Properties properties) {
    var schemas = List.of(WideRecords.schema());
    var models =
        new ServedModels(
            settings.models().values(),
            topic -> schemas,
            _ -> List.of(),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            InstantSource.system());
    new TopicFollower(settings.kafka(), settings.topics().models(), models).start();
    while (models.active(MODEL) == null) {
      LockSupport.parkNanos(1_000_000);
    }
    properties.put(
        StreamsConfig.producerPrefix("interceptor.classes"), FirstScores.class.getName());
    properties.put(StreamsConfig.producerPrefix(FirstScores.READY), readyTimes(models));
    properties.put(
        StreamsConfig.producerPrefix(FirstScores.SINK), settings.model(MODEL).topics().scores());
    var framing = new SingleObjectFraming(SchemaSource.of(schemas));
    return StreamsNode.scoring(settings, models, Framed.wire(settings, framing), properties);
  }

  /** When each version was first ready to score, as seen by a thread that looks often. */
  private static Map<Long, Long> readyTimes(ModelSource models) {
    Map<Long, Long> times = new ConcurrentHashMap<>();
    Thread.ofPlatform()
        .daemon()
        .name("ready")
        .start(
            () -> {
              while (true) {
                ActiveModel active = models.active(MODEL);
                if (active != null) {
                  times.putIfAbsent(active.number(), System.nanoTime());
                }
                LockSupport.parkNanos(200_000);
              }
            });
    return times;
  }

  private static Topology table(String models, String records) {
    var builder = new StreamsBuilder();
    builder.globalTable(
        models, Consumed.with(Serdes.String(), Serdes.ByteArray()), Materialized.as(STORE));
    builder.stream(records, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .process(Watcher::new);
    return builder.build();
  }

  /** Looks the head up with every record, as a scorer would have to. */
  private static final class Watcher implements Processor<byte[], byte[], Void, Void> {
    private byte[] head = new byte[0];

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before process
    private TimestampedKeyValueStore<String, byte[]> store;

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      store = context.getStateStore(STORE);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      ValueAndTimestamp<byte[]> found = store.get(MODEL + "/head");
      if (found != null && !Arrays.equals(head, found.value())) {
        long now = System.nanoTime();
        head = found.value();
        try {
          ChildJvm.reply(LedgerCodec.head(head).getVersion() + " " + now + " " + now);
        } catch (LedgerException e) {
          throw new IllegalStateException("the benchmark's heads can be read", e);
        }
      }
    }
  }

  private static Settings settings(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[5]);
    Path schema = folder.resolve("wide.avsc");
    Files.writeString(schema, WideRecords.schema().toString(), UTF_8);
    Path file = folder.resolve("swap.yml");
    Files.writeString(
        file,
        Sentence.of(
            """
            kafka: { bootstrap.servers: '%s', commit.interval.ms: 100 }
            holdfast:
              service: { instanceId: node, stateDirectory: '%s' }
              topics: { models: %s }
              models:
                %s:
                  objective: squared
                  label: label
                  labels: { in: topic, correlation: { record: header none } }
                  schemas: [ %s ]
                  topics: { records: %s, scores: %s, deadLetters: %s }
            """,
            arguments[1],
            folder.resolve("state"),
            arguments[2],
            MODEL,
            schema,
            arguments[3],
            arguments[4],
            Workbench.DEAD_LETTERS));
    return Settings.read(file, Map.of());
  }

  /**
   * Sees every score that the topology sends, and says when the first of each version went out, and
   * when the version had been ready. Made by Kafka's producer; called by the stream thread.
   */
  public static final class FirstScores implements ProducerInterceptor<byte[], byte[]> {
    static final String SINK = "holdfast.bench.sink";
    static final String READY = "holdfast.bench.ready";

    private String sink = "";
    private Map<?, ?> ready = Map.of();
    private long newest = -1;

    @Override
    public void configure(Map<String, ?> config) {
      sink = String.valueOf(config.get(SINK));
      if (config.get(READY) instanceof Map<?, ?> times) {
        ready = times;
      }
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
      if (record.topic().equals(sink)) {
        long now = System.nanoTime();
        try {
          long version = Contracts.SCORE.decode(record.value()).getVersion();
          if (version > newest) {
            newest = version;
            Object since = ready.get(version);
            ChildJvm.reply(version + " " + now + " " + (since == null ? now : since));
          }
        } catch (MalformedRecordException e) {
          throw new IllegalStateException("the topology sends scores", e);
        }
      }
      return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
      // the sender's own affair
    }

    @Override
    public void close() {
      // nothing is held
    }
  }
}
