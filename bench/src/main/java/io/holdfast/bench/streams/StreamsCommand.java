package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataFolder;
import io.holdfast.bench.peer.LightGbm;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Learners side by side on streams, cell by cell into a file of results. */
@Command(
    name = "streams",
    description = {
      "Tests learners on each row of a stream before they learn from it, and keeps every cell in a",
      "file of results: what stands there is not measured again."
    },
    mixinStandardHelpOptions = true)
public final class StreamsCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--data", description = "The folder with the shared data sets.")
  @Nullable Path data;

  @Option(
      names = "--results",
      defaultValue = "streams-results.csv",
      description = "The file of results (${DEFAULT-VALUE}).")
  Path results;

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
      defaultValue = "0",
      description = "Rows of each stream; 0, the default, is all of a file and 100,000 drawn ones.")
  int rows;

  @Option(
      names = "--warm-up",
      defaultValue = "0",
      description = {
        "Each learner first takes so many rows of the stream, is thrown away and begins anew, so that",
        "the time is of compiled code; if the stream has fewer, it is taken from its beginning as",
        "often as it takes, by a new learner each time (${DEFAULT-VALUE})."
      })
  int warmUp;

  @Option(names = "--anew", description = "Measure cells again that are there.")
  boolean anew;

  @Option(names = "--table", description = "Measure nothing, and print tables of what is there.")
  boolean table;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ResultsFile file = new ResultsFile(results);
    if (table) {
      out.print(ResultsTables.of(file.read()));
      out.flush();
      return 0;
    }
    List<StreamSource> sources = streams.stream().map(StreamSource::named).toList();
    List<Contestant> contestants = learners.stream().map(Contestant::named).toList();
    // What MOA would spread over threads then runs on the one whose time is taken.
    System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "0");
    LightGbm.load();
    for (StreamSource source : sources) {
      LabelledStream stream = source.read(DataFolder.of(data), rows);
      for (Contestant contestant : contestants) {
        for (int delay : delays) {
          if (contestant.takes().test(stream)) {
            measure(stream, contestant, delay, file, out);
          }
        }
      }
    }
    return 0;
  }

  private void measure(
      LabelledStream stream, Contestant contestant, int delay, ResultsFile file, PrintWriter out) {
    var cell = new ResultsFile.Cell(stream.name(), stream.rows().size(), delay, contestant.name());
    Map<ResultsFile.Cell, StreamFigures> known = file.read();
    if (known.containsKey(cell) && !anew) {
      return;
    }
    for (int left = warmUp; left > 0; left -= stream.rows().size()) {
      try (StreamLearner learner = contestant.maker().of(stream, delay)) {
        Prequential.warmUp(stream, left, delay, learner);
      }
    }
    try (StreamLearner learner = contestant.maker().of(stream, delay)) {
      StreamFigures figures = Prequential.run(stream, delay, learner);
      file.add(cell, figures);
      out.println(cell + " " + figures);
      out.flush();
    }
  }
}
