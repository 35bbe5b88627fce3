package io.holdfast.schemas.version;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Figures by name, in the order of their names: the metrics of a version. Immutable.
 *
 * <p>A number takes eight bytes, and names are shared by those that a {@link Builder} made of the
 * same ones.
 */
public final class Figures extends AbstractMap<String, Double> {
  private final String[] names;
  private final byte[][] texts; // the same names, of which those are null that were never written
  private final double[] values;

  private Figures(String[] names, byte[][] texts, double[] values) {
    this.names = names;
    this.texts = texts;
    this.values = values;
  }

  /** The same figures, in order. */
  public static Figures of(Map<String, Double> figures) {
    if (figures instanceof Figures ordered) {
      return ordered;
    }
    Builder builder = new Builder();
    builder.putAll(figures);
    return builder.build();
  }

  @Override
  public int size() {
    return names.length;
  }

  @Override
  public @Nullable Double get(Object name) {
    int place = name instanceof String text ? Arrays.binarySearch(names, text) : -1;
    return place < 0 ? null : values[place];
  }

  @Override
  public boolean containsKey(Object name) {
    return name instanceof String text && Arrays.binarySearch(names, text) >= 0;
  }

  /** Writes them as an Avro map. */
  void writeTo(Encoder out) throws IOException {
    out.writeMapStart();
    out.setItemCount(names.length);
    for (int place = 0; place < names.length; place++) {
      byte[] text = texts[place];
      if (text == null) {
        text = names[place].getBytes(StandardCharsets.UTF_8);
        texts[place] = text; // whoever else does so at the same time writes the same
      }
      out.writeBytes(text);
      out.writeDouble(values[place]);
    }
    out.writeMapEnd();
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super Double> action) {
    for (int place = 0; place < names.length; place++) {
      action.accept(names[place], values[place]);
    }
  }

  @Override
  public Set<Entry<String, Double>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return names.length;
      }

      @Override
      public Iterator<Entry<String, Double>> iterator() {
        return IntStream.range(0, names.length)
            .<Entry<String, Double>>mapToObj(
                place -> new SimpleImmutableEntry<>(names[place], values[place]))
            .iterator();
      }
    };
  }

  /** Collects figures, again and again, with the same names as a rule. Owned by one thread. */
  public static final class Builder {
    /*
     * Names come in the same sequence as a rule: then the order that was found for it last time is
     * the order, and nothing is sorted.
     */
    private String[] names = new String[16];
    private double[] values = new double[16];
    private int size;

    private String[] lastNames = {};
    private String[] ordered = {};
    private byte[][] texts = {};
    private int[] places = {}; // of each ordered one in the sequence

    /** Begins anew: nothing is taken, whatever was. */
    public void clear() {
      size = 0;
    }

    /** Takes a figure, in place of another one of that name. */
    public void put(String name, double value) {
      if (size == names.length) {
        names = Arrays.copyOf(names, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      names[size] = name;
      values[size++] = value;
    }

    /** Takes all of them. */
    public void putAll(Map<String, Double> figures) {
      figures.forEach(this::put);
    }

    /** What was taken; begins anew. */
    public Figures build() {
      if (!Arrays.equals(names, 0, size, lastNames, 0, lastNames.length)) {
        order();
      }
      double[] built = new double[places.length];
      Arrays.setAll(built, k -> values[places[k]]);
      size = 0;
      return new Figures(ordered, texts, built);
    }

    private void order() {
      Integer[] sorted = new Integer[size];
      Arrays.setAll(sorted, k -> k);
      Arrays.sort(sorted, Comparator.comparing(place -> names[place])); // stable
      int count = 0;
      int[] found = new int[size];
      for (Integer place : sorted) {
        boolean again = count > 0 && names[found[count - 1]].equals(names[place]);
        count -= again ? 1 : 0; // the later one stays
        found[count++] = place;
      }
      places = Arrays.copyOf(found, count);
      ordered = Arrays.stream(places).mapToObj(place -> names[place]).toArray(String[]::new);
      texts = new byte[ordered.length][];
      lastNames = Arrays.copyOf(names, size);
    }
  }
}
