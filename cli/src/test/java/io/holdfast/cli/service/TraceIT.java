package io.holdfast.cli.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.http.trace.Tracing;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trace goes from a record to its score, and a collector hears of it. */
class TraceIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String PARENT = "traceparent";
  private static final String OF_RECORD = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String UNSAMPLED = "4bf92f3577b34da6a3ce929d0e0e4737";
  private static final String OF_REQUEST = "4bf92f3577b34da6a3ce929d0e0e4738";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final int ROWS = 60;

  private final List<String> heard = new CopyOnWriteArrayList<>(); // Protobuf, a character a byte

  @Test
  void recordThatIsSampled_isFollowedToItsScore_andRequestsAndWindowsAreSpans(@TempDir Path folder)
      throws Exception {
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          heard.add(new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    String endpoint = "http://127.0.0.1:" + collector.getAddress().getPort();
    String model = "m: { objective: squared, label: count, window: { rows: 50 } }\n";
    try (Tracing.Stop _ = Tracing.start("test", Map.of(Tracing.ENDPOINT, endpoint));
        EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
        ServedTopics at = new ServedTopics(folder, broker.bootstrapServers(), "t", "", model)) {
      at.create(1);
      try (Trainer trainer = Trainer.start(at.settings());
          Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(() -> trainer.ready() && service.ready());
        produce(at);
        await().atMost(LIMIT).until(() -> scores(at).size() == ROWS);
        HttpRequest request =
            HttpRequest.newBuilder(service.url().resolve("/api/v1/models"))
                .header(PARENT, "00-" + OF_REQUEST + "-" + SPAN + "-01")
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
          assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
              .isEqualTo(200);
        }
        await().atMost(LIMIT).until(() -> heard(bytes(OF_RECORD) + ".*score m"));
        await().atMost(LIMIT).until(() -> heard(bytes(OF_REQUEST) + ".*GET /api/v1/models"));
        await().atMost(LIMIT).until(() -> heard("window m"));

        assertThat(heard("holdfast-test")).isTrue();
        assertThat(heard(bytes(UNSAMPLED))).isFalse();
        assertThat(parent(scores(at).get(0))).matches("00-" + OF_RECORD + "-[0-9a-f]{16}-01");
        assertThat(parent(scores(at).get(0))).doesNotContain(SPAN);
        assertThat(parent(scores(at).get(1))).isEqualTo("00-" + UNSAMPLED + "-" + SPAN + "-00");
        assertThat(scores(at).get(2).headers().lastHeader(PARENT)).isNull();
      }
    } finally {
      collector.stop(0);
    }
  }

  @Test
  void collectorThatIsNoUrl_isSaidInOneSentence() {
    assertThatThrownBy(() -> Tracing.start("service", Map.of(Tracing.ENDPOINT, "nonsense")))
        .isInstanceOf(StartException.class)
        .hasMessageContaining(Tracing.ENDPOINT)
        .hasMessageContaining("nonsense");
    assertThat(Tracing.tracer()).isNull();
  }

  private boolean heard(String pattern) {
    return heard.stream().anyMatch(body -> Pattern.compile("(?s)" + pattern).matcher(body).find());
  }

  /** As they stand in Protobuf, for a pattern. */
  private static String bytes(String hex) {
    return Pattern.quote(new String(HexFormat.of().parseHex(hex), ISO_8859_1));
  }

  private static List<ConsumerRecord<String, byte[]>> scores(ServedTopics at) {
    return CommittedRecords.of(at.bootstrapServers(), "m.scores");
  }

  private static String parent(ConsumerRecord<String, byte[]> score) {
    return new String(score.headers().lastHeader(PARENT).value(), UTF_8);
  }

  private static void produce(ServedTopics at) {
    var encoder = new RecordEncoder(ServedTopics.RIDE);
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", at.bootstrapServers()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      for (int row = 0; row < ROWS; row++) {
        byte[] value =
            encoder.encode(
                new GenericRecordBuilder(ServedTopics.RIDE)
                    .set("temperature", row / 3.0)
                    .set("count", (double) row)
                    .build());
        var record = new ProducerRecord<>("m.records", 0, "r" + row, value);
        if (row < 2) {
          String trace = row == 0 ? OF_RECORD : UNSAMPLED;
          String flag = row == 0 ? "-01" : "-00";
          record.headers().add(PARENT, ("00-" + trace + "-" + SPAN + flag).getBytes(UTF_8));
        }
        var _ = producer.send(record);
      }
    }
  }
}
