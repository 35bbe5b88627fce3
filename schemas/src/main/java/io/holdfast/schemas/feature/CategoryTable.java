package io.holdfast.schemas.feature;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The categories of one feature by their UTF-8 bytes; the code of a category is its place in order
 * of first appearance. Safe to share once nothing is added any more.
 */
final class CategoryTable {
  /*
   * Open addressing over a power of two, at most half full: `slots` holds code + 1, 0 is free. It
   * is looked up with bytes inside a record, so no string is made for a known category.
   */
  static final int MAX_CATEGORIES = 100_000;
  static final int MAX_BYTES = 1_024;
  private static final int LENGTH_BYTES = 1; // of a short text in a manifest

  /** Bytes that may still be added, over all tables of a model. Not thread-safe. */
  static final class Budget {
    private long left;

    Budget(long left) {
      this.left = left;
    }

    long left() {
      return Math.max(0, left);
    }

    void spend(long bytes) {
      left -= bytes;
    }
  }

  private final Budget budget;
  private byte[][] texts = new byte[8][];
  private int[] slots = new int[16];
  private int size;
  private long leftOut; // values of categories that there was no room for

  /** A table of {@code categories}, in that order. */
  CategoryTable(List<String> categories) {
    this(categories, new Budget(0));
  }

  /** A table that starts with {@code categories} and grows within a budget. */
  CategoryTable(List<String> categories, Budget budget) {
    this.budget = budget;
    for (String category : categories) {
      // Kept even where two are alike or there are too many: codes are places in the list.
      byte[] text = category.getBytes(StandardCharsets.UTF_8);
      put(text);
      budget.spend(text.length + LENGTH_BYTES);
    }
  }

  int size() {
    return size;
  }

  /** How many values had a category that there was no room for. */
  long leftOut() {
    return leftOut;
  }

  /** All categories from code {@code from} on. */
  List<String> from(int from) {
    List<String> categories = new ArrayList<>();
    for (int code = from; code < size; code++) {
      categories.add(new String(texts[code], StandardCharsets.UTF_8));
    }
    return categories;
  }

  /** The code of the category, or -1 if there is none. */
  int find(byte[] bytes, int from, int length) {
    int mask = slots.length - 1;
    for (int slot = hash(bytes, from, length) & mask; ; slot = (slot + 1) & mask) {
      int code = slots[slot] - 1;
      if (code < 0) {
        return -1;
      }
      byte[] text = texts[code];
      if (Arrays.equals(text, 0, text.length, bytes, from, from + length)) {
        return code;
      }
    }
  }

  /** The same, but a new category is added; -1 if there is no room for it. */
  int findOrAdd(byte[] bytes, int from, int length) {
    int code = find(bytes, from, length);
    if (code >= 0) {
      return code;
    }
    if (size >= MAX_CATEGORIES || length > Math.min(MAX_BYTES, budget.left() - LENGTH_BYTES)) {
      leftOut++;
      return -1;
    }
    // By way of a string, so that what is kept and published is valid UTF-8 and found again.
    byte[] text =
        new String(bytes, from, length, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(text, 0, text.length, bytes, from, from + length)) {
      return -1;
    }
    put(text);
    budget.spend(length + LENGTH_BYTES);
    return size - 1;
  }

  private void put(byte[] text) {
    if (size == texts.length) {
      texts = Arrays.copyOf(texts, 2 * size);
    }
    texts[size++] = text;
    if (2 * size > slots.length) {
      slots = new int[2 * slots.length];
      for (int code = 0; code < size; code++) {
        place(code);
      }
    } else {
      place(size - 1);
    }
  }

  private void place(int code) {
    byte[] text = texts[code];
    if (find(text, 0, text.length) >= 0) {
      return; // Two alike: the first one is found.
    }
    int mask = slots.length - 1;
    int slot = hash(text, 0, text.length) & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = code + 1;
  }

  private static int hash(byte[] bytes, int from, int length) {
    int hash = 0;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash ^ (hash >>> 15);
  }
}
