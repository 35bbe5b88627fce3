package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataOptions;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.BenchCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Learners side by side on streams, cell by cell into a file of results. */
@Command(
    name = "streams",
    description = {
      "Tests learners on each row of a stream before they learn from it, and keeps every cell in a",
      "file of results: what stands there is not measured again."
    })
public final class StreamsCommand extends BenchCommand {
  @Mixin DataOptions data;

  @Option(names = "--results", description = "The file of results (${DEFAULT-VALUE}).")
  Path results = Path.of("streams-results.csv");

  @Option(names = "--streams", split = ",", description = "The streams; all by default.")
  List<String> streams = StreamSource.all().stream().map(StreamSource::name).toList();

  @Option(names = "--learners", split = ",", description = "The learners; all by default.")
  List<String> learners = Contestant.all().stream().map(Contestant::name).toList();

  @Option(
      names = "--delays",
      split = ",",
      defaultValue = "0,1000",
      description = "How many rows labels are late (${DEFAULT-VALUE}).")
  List<Integer> delays;

  @Option(
      names = "--rows",
      description = "Rows of each stream; 0, the default, is all of a file and 100,000 drawn ones.")
  int rows;

  @Option(names = "--table", description = "Measure nothing, and print tables of what is there.")
  boolean table;

  @Override
  protected void run(PrintWriter out) throws IOException {
    var file = new ResultsFile(results);
    if (table) {
      out.print(ResultsTables.of(file.read()));
      return;
    }
    List<StreamSource> sources = streams.stream().map(StreamSource::named).toList();
    List<Contestant> contestants = learners.stream().map(Contestant::named).toList();
    // What MOA would spread over threads then runs on the one whose time is taken.
    System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "0");
    LightGbm.load();
    for (StreamSource source : sources) {
      LabelledStream stream = source.reader().read(data.folder(), rows);
      for (Contestant contestant : contestants) {
        for (int delay : delays) {
          var cell =
              new ResultsFile.Cell(stream.name(), stream.rows().size(), delay, contestant.name());
          if (contestant.takes().test(stream) && !file.read().containsKey(cell)) {
            try (StreamLearner learner = contestant.maker().of(stream, delay)) {
              StreamFigures figures = Prequential.run(stream, delay, learner);
              file.add(cell, figures);
              out.println(cell + " " + figures);
              out.flush();
            }
          }
        }
      }
    }
  }
}
