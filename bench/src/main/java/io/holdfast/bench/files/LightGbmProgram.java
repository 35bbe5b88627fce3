package io.holdfast.bench.files;

import io.holdfast.bench.peer.LightGbm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * LightGBM as a program of its own: it reads the file and writes the scores itself, in C, on all
 * threads, as its command line does.
 */
final class LightGbmProgram {
  private LightGbmProgram() {}

  /** {@code fit DATA MODEL ROUNDS PARAMETERS} or {@code score DATA MODEL OUT PARAMETERS}. */
  public static void main(String[] arguments) throws IOException {
    LightGbm.load();
    String data = arguments[1];
    Path model = Path.of(arguments[2]);
    try (Arena arena = Arena.ofConfined()) {
      var library = new LightGbm(arguments[4] + " header=true label_column=0", arena);
      if (arguments[0].equals("score")) {
        library.predict(library.newBooster(Files.readString(model)), data, arguments[3]);
        return;
      }
      MemorySegment booster = library.newBooster(library.newDataset(data));
      for (int round = 0; round < Integer.parseInt(arguments[3]); round++) {
        library.update(booster);
      }
      Files.writeString(model, library.text(booster));
    }
  }
}
