package io.holdfast.schemas.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.Anchoring;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.objective.Probit;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import io.holdfast.schemas.settings.ModelSettings.Upkeep;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EveryKeyTest {
  private static final String EVERY_KEY =
      """
      kafka: { bootstrap.servers: 'b:1', security.protocol: SASL_SSL, retries: 0123, consumer.check.crcs: true }
      holdfast:
        service:
          host: 0.0.0.0
          port: 0
          applicationId: a
          instanceId: a-2
          stateDirectory: /s
          requestTimeout: 5s
          maxLag: 90s
        trainer:
          host: localhost
          port: 65535
          group: g
          sessionTimeout: 6s
          instanceId: t-1
          requestTimeout: 7s
          maxLag: 9m
        security:
          tokens: [ "ana operator a-token-of-twenty-letters" ]
          tokensFile: /s/tokens
          jwks: https://id/keys
          issuer: https://id
          audience: holdfast
          rolesClaim: realm.roles
          openReading: true
          certificate: /s/cert.pem
          privateKey: /s/key.pem
        topics: { models: t.models, reports: t.reports, schemas: t.schemas }
        models:
          bikes:
            objective: probit
            label: y.label
            labels: { in: topic, wait: 90s, correlation: { record: field order.id, label: header order }, maxSkew: 2s }
            environment: env
            anchors: [p, q.r]
            weight: w
            time: at
            id: key
            gamma: 7
            trees:
              rounds: 20
              learningRate: 0.5
              maxLeaves: 8
              maxDepth: 3
              minRows: 5
              minHessian: 1e-4
              minGain: 0.25
              lambda: 2.5
              lambda1: 0.5
              leafPrice: 0.125
              sampling: { rows: 0.75, features: 0.5 }
              monotone: { a: increasing, b.c: -1 }
              interactions: { a: one, b.c: 2 }
              maxBins: 63
            base: linear
            linear: { strength: 3, l1Ratio: 0.25 }
            threads: 2
            seed: -42
            window: { rows: 100, environments: 3, maxRows: 500, memoryRows: 0, memoryWindows: 9, minInterval: 3s, idle: 7s }
            update: { policy: append, maxTrees: 40, gate: better, margin: 0.01, holdOut: 0.3 }
            uncertainty: { coverage: [0.8, 0.95] }
            retainVersions: 30
            maxModelAge: 2d
            features: { include: [a, b.c], exclude: [d], categorical: [a] }
            schemas: [bikes.avsc]
            topics: { records: r, scores: s, labels: l, examples: e, deadLetters: d, shadowScores: h, join: j, maxRecordBytes: 2000000 }
      """;

  private static final Settings.Service SERVICE =
      new Settings.Service(
          "0.0.0.0", 0, "a", "a-2", Path.of("/s"), Duration.ofSeconds(5), Duration.ofSeconds(90));

  private static final Security SECURITY =
      new Security(
          List.of(
              new Security.Token(
                  "ana", Security.Role.OPERATOR, Security.hash("a-token-of-twenty-letters"))),
          Path.of("/s/tokens"),
          new Security.Jwt(URI.create("https://id/keys"), "https://id", "holdfast", "realm.roles"),
          true,
          new Security.Tls(Path.of("/s/cert.pem"), Path.of("/s/key.pem")));

  private static final Settings.Trainer TRAINER =
      new Settings.Trainer(
          "localhost",
          65_535,
          "g",
          Duration.ofSeconds(6),
          "t-1",
          Duration.ofSeconds(7),
          Duration.ofMinutes(9));

  private static final BoosterSettings BOOSTER =
      BoosterSettings.builder(new Probit())
          .anchoring(new Anchoring(7, new AnchorDesign.Mixed(), false))
          .rounds(20)
          .learningRate(0.5)
          .trees(new TreeLimits(8, 3, 5, 1e-4, 0.25))
          .penalties(new Penalties(0.5, 2.5, 0.125))
          .sampling(new Sampling(0.75, 0.5))
          .monotone("a", 1)
          .monotone("b.c", -1)
          .interactions("a", "one")
          .interactions("b.c", "2")
          .linearBase(new LinearBase(3, 0.25))
          .threads(2)
          .maxBins(63)
          .seed(-42)
          .build();

  @TempDir private Path folder;

  @Test
  void read_everyKey_isMapped() throws IOException {
    Path schema = Files.writeString(folder.resolve("bikes.avsc"), "{}");
    Path file = Files.writeString(folder.resolve("holdfast.yaml"), EVERY_KEY);
    Settings settings = Settings.read(file, Map.of());

    assertThat(settings)
        .isEqualTo(
            new Settings(
                Map.of(
                    "bootstrap.servers",
                    "b:1",
                    "security.protocol",
                    "SASL_SSL",
                    "retries",
                    "0123",
                    "consumer.check.crcs",
                    "true"),
                SERVICE,
                TRAINER,
                new Settings.SharedTopics("t.models", "t.reports", "t.schemas"),
                Map.of(
                    "bikes",
                    new ModelSettings(
                        "bikes",
                        BOOSTER,
                        "y.label",
                        List.of(),
                        new ModelSettings.Labels.InTopic(
                            Duration.ofSeconds(90),
                            CorrelationTest.BY_ORDER,
                            Duration.ofSeconds(2)),
                        "env",
                        List.of("p", "q.r"),
                        "w",
                        "at",
                        "key",
                        SettingsTest.features(List.of("a", "b.c"), List.of("d"), List.of("a")),
                        new ModelSettings.Window(
                            100, 3, 500, 0, 9, Duration.ofSeconds(3), Duration.ofSeconds(7)),
                        new ModelSettings.Update(
                            "append",
                            40,
                            ModelSettings.Gate.BETTER,
                            0.01,
                            0.3,
                            0.01,
                            Upkeep.of("append")),
                        SettingsTest.NO_DRIFT,
                        new ModelSettings.ModelTopics(
                            "r", "s", "l", "e", "d", "h", "j", 2_000_000, Framings.DETECTED),
                        List.of(schema.toAbsolutePath().normalize()),
                        30,
                        Duration.ofDays(2),
                        SettingsTest.GIVEN,
                        List.of(0.8, 0.95),
                        false)),
                null,
                SECURITY));
  }
}
