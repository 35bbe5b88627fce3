package io.holdfast.cli.csv;

import io.holdfast.schemas.feature.MissingWords;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CSV text: its header, then its rows in blocks, of which as many are read at once as there
 * are processors. Owned by one thread.
 */
public final class CsvReader implements AutoCloseable {
  private static final int CHUNK = 1 << 18;

  private final InputStream in;
  private final CsvChunks chunks;
  private final Marks marks;
  private final Deque<CompletableFuture<CsvBlock>> ahead = new ArrayDeque<>();
  private final int most = Runtime.getRuntime().availableProcessors() + 2;
  private final List<String> header;
  private @Nullable CsvParser parser;
  private @Nullable ExecutorService threads;
  private CsvChunks.@Nullable Chunk next;
  private int from;
  private long lines;

  private CsvReader(InputStream in, Dialect dialect, int chunk) throws IOException {
    this.in = in;
    chunks = new CsvChunks(Utf8.of(in, dialect.encoding()), chunk);
    CsvChunks.Chunk sample = chunks.beginning();
    int bom = bom(sample);
    byte[] text = Arrays.copyOfRange(sample.bytes(), bom, sample.end());
    marks = new MarksFinder(text, sample.last(), dialect).find();
    chunks.marked(marks);
    next = chunks.next();
    List<String> fields = List.of();
    while (next != null && fields.isEmpty()) {
      CsvParser.Header first = CsvParser.header(next, bom, marks);
      bom = 0;
      fields = first.fields();
      from = first.end();
      lines += first.lines();
      if (fields.isEmpty()) {
        next = chunks.next();
      }
    }
    header = List.copyOf(fields);
  }

  /** The length of a byte order mark. */
  private static int bom(CsvChunks.Chunk chunk) {
    byte[] bytes = chunk.bytes();
    boolean marked =
        chunk.end() >= 3
            && bytes[0] == (byte) 0xEF
            && bytes[1] == (byte) 0xBB
            && bytes[2] == (byte) 0xBF;
    return marked ? 3 : 0;
  }

  /** Reads the header; the reader closes {@code in}. */
  public static CsvReader open(InputStream in, Dialect dialect) throws IOException {
    return new CsvReader(in, dialect, CHUNK);
  }

  /** The same with chunks of another size. */
  static CsvReader open(InputStream in, Dialect dialect, int chunk) throws IOException {
    return new CsvReader(in, dialect, chunk);
  }

  /** The fields of the first row; none if there is no row. */
  public List<String> header() {
    return header;
  }

  /** Says how to read rows, before the first: which columns are never numbers, and words. */
  public void expect(List<Boolean> texts, MissingWords missing) {
    parser = new CsvParser(marks, texts, missing);
  }

  /** The next rows, at least one; null after the last. */
  public @Nullable CsvBlock next() throws IOException {
    while (true) {
      while (next != null && ahead.size() < most) {
        read(next);
        next = chunks.next();
      }
      CompletableFuture<CsvBlock> first = ahead.poll();
      if (first == null) {
        return null;
      }
      CsvBlock block = result(first).after(lines);
      lines += block.lineCount();
      if (block.rows() > 0) {
        return block;
      }
    }
  }

  private void read(CsvChunks.Chunk chunk) {
    CsvParser how = parser;
    if (how == null) {
      throw new IllegalStateException("what to expect of rows is to be said before they are read");
    }
    int begin = from;
    from = 0;
    if (chunk.last() && ahead.isEmpty()) {
      ahead.add(CompletableFuture.completedFuture(null).thenApply(_ -> how.parse(chunk, begin)));
      return;
    }
    if (threads == null) {
      threads =
          Executors.newFixedThreadPool(
              most - 2, Thread.ofPlatform().name("csv-", 1).daemon().factory());
    }
    ahead.add(CompletableFuture.supplyAsync(() -> how.parse(chunk, begin), threads));
  }

  private CsvBlock result(CompletableFuture<CsvBlock> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof CsvException wrong) {
        throw wrong.after(lines);
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    ahead.forEach(one -> one.cancel(false));
    if (threads != null) {
      threads.shutdownNow();
    }
    in.close();
  }
}
