package io.holdfast.boosting.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses between the plain and the vector form of loops by one trial a JVM. Both forms give the
 * same bits, so a choice may change at any time. Thread-safe.
 *
 * <p>Vectors are in the JDK's incubator module, which is optional. Classes that name its types are
 * linked when their methods are called first, so callers ask {@link #present} before.
 */
public final class VectorForms {
  /*
   * Vector code that is not compiled yet is a hundred times slower than plain code. So a thread of its
   * own runs both forms on made-up numbers until vectors win and are no objects any more: now and then
   * the compiler leaves some of them on the heap. If that does not happen within ROUNDS, the plain form
   * stays.
   */
  private static final int ROUNDS = 20_000;
  private static final int WINS = 20; // rounds won; one that is lost takes two back
  private static final long MOST_BYTES = 8_000; // of a round: what counting them may take

  /*
   * Trials keep the compiler busy for seconds, for which everything else would wait at a start. So
   * they begin once plain loops have worked for a second.
   */
  private static final long WORTH = 250_000_000; // cells of roots of trees

  private static final boolean PRESENT =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
  private static final System.Logger LOG = System.getLogger(VectorForms.class.getName());
  private static final AtomicLong WORKED = new AtomicLong();
  private static final List<Choice<?>> WAITING = new ArrayList<>();

  private VectorForms() {}

  /** Whether the JVM was started with {@code --add-modules jdk.incubator.vector}. */
  public static boolean present() {
    return PRESENT;
  }

  /** Made-up work to compare two forms by. */
  public interface Trial<T> {
    /** Kinds of work that compile to different code. */
    default int kinds() {
      return 1;
    }

    /** Does one kind of work for some ten microseconds or more. */
    void run(T form, int kind);
  }

  /** The forms of a loop, and the one in use. */
  public static final class Choice<T> {
    private final String loop;
    private final T plain;
    private final @Nullable T vectors;
    private final Supplier<Trial<T>> trial;
    private volatile T current;

    private Choice(String loop, T plain, @Nullable T vectors, Supplier<Trial<T>> trial) {
      this.loop = loop;
      this.plain = plain;
      this.vectors = vectors;
      this.trial = trial;
      current = plain;
    }

    /** The better form as far as is known. */
    public T current() {
      return current;
    }

    public T plain() {
      return plain;
    }

    /** The vector form, compiled or not; null if there is none. */
    public @Nullable T vectors() {
      return vectors;
    }

    private void settle() {
      T candidate = vectors;
      boolean won = candidate != null && won(plain, candidate, trial.get());
      if (candidate != null && won) {
        current = candidate;
      }
      LOG.log(System.Logger.Level.DEBUG, "{0} by vectors: {1}", loop, won);
    }
  }

  /** A loop that begins plain, and is tried after enough work; {@code vectors} may be null. */
  public static <T> Choice<T> choose(
      String loop, T plain, @Nullable T vectors, Supplier<Trial<T>> trial) {
    Choice<T> choice = new Choice<>(loop, plain, vectors, trial);
    if (vectors != null) {
      synchronized (WAITING) {
        WAITING.add(choice);
      }
      if (WORKED.get() >= WORTH) {
        tryWaiting();
      }
    }
    return choice;
  }

  /** Starts all trials at once, for programs that train for long. */
  public static void tryAll() {
    worked(WORTH);
  }

  /** Counts the work of a tree: of each row, a cell a column. */
  public static void worked(long cells) {
    long before = WORKED.get();
    if (before < WORTH && WORKED.addAndGet(cells) >= WORTH) {
      tryWaiting();
    }
  }

  private static void tryWaiting() {
    List<Choice<?>> choices;
    synchronized (WAITING) {
      choices = List.copyOf(WAITING);
      WAITING.clear();
    }
    if (!choices.isEmpty()) {
      Thread.ofPlatform()
          .daemon()
          .name("holdfast-vector-trial")
          .start(() -> choices.forEach(Choice::settle));
    }
  }

  /** Runs both forms in turn, and says whether vectors won; for a thread that nobody waits for. */
  public static <T> boolean won(T plain, T vectors, Trial<T> trial) {
    int wins = 0;
    for (int round = 0; round < ROUNDS && wins < WINS; round++) {
      int kind = round % trial.kinds();
      long time = nanos(trial, plain, kind);
      long allocated = AllocatedBytes.ofThisThread();
      boolean faster = nanos(trial, vectors, kind) < time;
      allocated = AllocatedBytes.ofThisThread() - allocated;
      // A round may be lost because another program had the processor.
      int next = faster ? wins + 1 : Math.max(0, wins - 2);
      wins = allocated >= MOST_BYTES ? 0 : next;
    }
    return wins == WINS;
  }

  private static <T> long nanos(Trial<T> trial, T form, int kind) {
    long start = System.nanoTime();
    trial.run(form, kind);
    return System.nanoTime() - start;
  }
}
