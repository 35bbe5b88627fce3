package io.holdfast.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.schemas.settings.Settings;
import io.holdfast.trainer.runtime.Trainer;
import io.holdfast.trainer.runtime.TrainerApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Trainers that share models: whoever dies, stops or leaves, each model has one chain that grows.
 */
class TrainerGroupIT extends TrainersOnABroker {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** The least that a broker takes, and what a busy machine may need beside it. */
  private static final String SESSION = ", sessionTimeout: 6s";

  private static final Duration SESSION_AND_SLACK = Duration.ofSeconds(6 + 30);
  private static final String LONG_SESSION = ", sessionTimeout: 10m";
  private static final Pattern URL = Pattern.compile("listens on (http://\\S+)");

  @Test
  void models_ofATrainerThatIsKilled_goOnInTheOther() throws Exception {
    var fleet = new ModelFleet(folder, broker.bootstrapServers(), "killed", 6);
    Path config = fleet.config("trainer", SESSION, fleet.models());
    fleet.produce(2);
    try (Child killed = Child.start(config);
        Trainer survivor = Trainer.start(Settings.read(config, Map.of()))) {
      List<String> its = awaitHalf(fleet, killed.url());
      awaitHalf(fleet, survivor.url());
      await().atMost(LIMIT).until(() -> fleet.reached(fleet.models(), 2));
      fleet.produce(3);
      killed.process.destroyForcibly().waitFor();
      await().atMost(SESSION_AND_SLACK).until(() -> learned(survivor.url()).containsAll(its));
      await().atMost(LIMIT).until(() -> fleet.reached(fleet.models(), 5));
      assertThat(survivor.ready()).isTrue();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS) // which has no signals that stop a process
  void zombie_thatWakesUpAfterItsSession_publishesNothingOfWhatItHeld() throws Exception {
    var fleet = new ModelFleet(folder, broker.bootstrapServers(), "zombie", 4);
    Path config = fleet.config("trainer", SESSION, fleet.models());
    try (Child zombie = Child.start(config);
        Trainer other = Trainer.start(Settings.read(config, Map.of()))) {
      List<String> its = awaitHalf(fleet, zombie.url());
      fleet.produce(6);
      await().atMost(LIMIT).until(() -> fleet.reached(its, 1));
      zombie.signal("STOP"); // somewhere between its second window and its last
      await().atMost(SESSION_AND_SLACK).until(() -> learned(other.url()).containsAll(its));
      await().atMost(LIMIT).until(() -> fleet.reached(fleet.models(), 6));
      zombie.signal("CONT");
      // It is a member again, and gets half of the models: by right now.
      awaitHalf(fleet, other.url());
      awaitHalf(fleet, zombie.url());
      fleet.produce(2);
      await().atMost(LIMIT).until(() -> fleet.reached(fleet.models(), 8));
      await().atMost(LIMIT).until(other::ready);
    }
  }

  @Test
  void trainers_ofDifferentModels_shareWhatBothCanTrainAndHandItOverWhenOneLeaves()
      throws Exception {
    var fleet = new ModelFleet(folder, broker.bootstrapServers(), "left", 6);
    List<String> models = fleet.models();
    Path first = fleet.config("a", LONG_SESSION, models.subList(0, 4));
    Path second = fleet.config("b", LONG_SESSION + ", instanceId: b", models.subList(2, 6));
    fleet.produce(1);
    try (Trainer a = Trainer.start(Settings.read(first, Map.of()))) {
      try (Trainer b = Trainer.start(Settings.read(second, Map.of()))) {
        await().atMost(LIMIT).until(() -> learned(a.url()).size() == 3);
        await().atMost(LIMIT).until(() -> learned(b.url()).size() == 3);
        assertThat(learned(a.url())).contains(models.get(0), models.get(1));
        assertThat(learned(b.url())).contains(models.get(4), models.get(5));
        await().atMost(LIMIT).until(() -> a.ready() && b.ready());
        await().atMost(LIMIT).until(() -> fleet.reached(models, 1));
        assertThat(get(a.url(), "/prometheus")).contains("holdfast_trainer_models 3.0");
      }
      // Within much less than the session time-out.
      await().atMost(LIMIT).until(() -> learned(a.url()).size() == 4);
      fleet.produce(1);
      await().atMost(LIMIT).until(() -> fleet.reached(models.subList(0, 4), 2));
    }
  }

  @Test
  void trainer_withAnInstanceIdThatIsInUse_takesItsPlaceAndTheOtherSaysWhatToDo() throws Exception {
    var fleet = new ModelFleet(folder, broker.bootstrapServers(), "static", 1);
    Path config = fleet.config("trainer", ", instanceId: one", fleet.models());
    try (Trainer first = Trainer.start(Settings.read(config, Map.of()))) {
      await().atMost(LIMIT).until(first::ready);
      try (Trainer second = Trainer.start(Settings.read(config, Map.of()))) {
        await().atMost(LIMIT).until(() -> get(first.url(), "/health/liveness").contains("DOWN"));
        assertThat(get(first.url(), "/health")).contains("holdfast.trainer.instanceId");
        fleet.produce(2);
        await().atMost(LIMIT).until(() -> fleet.reached(fleet.models(), 2));
        await().atMost(LIMIT).until(second::ready);
      }
    }
  }

  /** Waits until a trainer learns half of the models, and says which. */
  private static List<String> awaitHalf(ModelFleet fleet, URI trainer) {
    int half = fleet.models().size() / 2;
    await().atMost(LIMIT).until(() -> learned(trainer).size() == half);
    return learned(trainer);
  }

  /** The models that a trainer learns, as its health says. */
  private static List<String> learned(URI trainer) {
    Matcher matcher = Pattern.compile("\"([^\"]+)\":\"learning").matcher(get(trainer, "/health"));
    List<String> models = new ArrayList<>();
    while (matcher.find()) {
      if (!models.contains(matcher.group(1))) {
        models.add(matcher.group(1)); // liveness and readiness both say so
      }
    }
    return models;
  }

  private static String get(URI trainer, String path) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(trainer.resolve(path)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A trainer in a process of its own. */
  private record Child(Process process, Path log) implements AutoCloseable {
    static Child start(Path config) throws IOException {
      Path log = folder.resolve(config.getFileName() + ".log");
      return new Child(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  TrainerApplication.class.getName(),
                  "--config",
                  config.toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start(),
          log);
    }

    URI url() throws IOException {
      await().atMost(LIMIT).until(() -> URL.matcher(Files.readString(log)).find());
      Matcher matcher = URL.matcher(Files.readString(log));
      assertThat(matcher.find()).isTrue();
      return URI.create(matcher.group(1));
    }

    void signal(String signal) throws IOException, InterruptedException {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
          .inheritIO()
          .start()
          .waitFor();
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      try {
        process.waitFor(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
