package io.holdfast.bench.pipeline;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program of the child JVM that trains, or that only reads what a trainer would. Told line by
 * line:
 *
 * <pre>
 * train MODEL ROWS MEMORY -> when the trainer has begun; reports tell of its windows
 * stop                    -> when it has stopped
 * read RECORDS            -> records a second that a consumer is given
 * </pre>
 */
final class TrainerNode {
  static final String EXAMPLES = "examples";

  private final String bootstrapServers;
  private final Path folder;
  private @Nullable Trainer trainer;

  private TrainerNode(String bootstrapServers, Path folder) {
    this.bootstrapServers = bootstrapServers;
    this.folder = folder;
  }

  /** Arguments: broker, a folder. */
  public static void main(String[] arguments) throws IOException {
    ChildJvm.endOnError();
    var node = new TrainerNode(arguments[0], Path.of(arguments[1]));
    ChildJvm.serve(
        "ready",
        words ->
            switch (words[0]) {
              case "train" -> node.train(words[1], words[2], words[3]);
              case "read" -> node.read(Integer.parseInt(words[1]));
              default -> node.stop();
            });
    node.stop();
  }

  private String train(String model, String rows, String memoryRows) throws IOException {
    Path schema = folder.resolve("wide.avsc");
    Files.writeString(schema, WideRecords.schema().toString());
    Path file = folder.resolve(model + ".yml");
    Files.writeString(
        file,
        Sentence.of(
            """
            kafka:
              bootstrap.servers: %s
            holdfast:
              trainer: { port: 0 }
              models:
                %s:
                  objective: squared
                  label: label
                  labels: { in: topic }
                  id: id
                  schemas: [ %s ]
                  trees: { rounds: 10, maxLeaves: 31 }
                  update: { policy: append }
                  window: { rows: %s, memoryRows: %s }
                  topics: { records: records, examples: %s }
            """,
            bootstrapServers, model, schema, rows, memoryRows, EXAMPLES));
    Settings settings = Settings.read(file, Map.of());
    TopicCheck.create(settings, 1);
    trainer = Trainer.start(settings);
    return "training";
  }

  private String stop() {
    if (trainer != null) {
      trainer.close();
      trainer = null;
    }
    return "stopped";
  }

  private String read(int records) {
    try (var consumer = Workbench.consumer(bootstrapServers, EXAMPLES)) {
      int first = consumer.poll(Duration.ofSeconds(10)).count();
      int read = first;
      long start = System.nanoTime();
      while (read < records) {
        read += consumer.poll(Duration.ofSeconds(1)).count();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return String.format(Locale.ROOT, "%.0f", (read - first) / seconds);
    }
  }
}
