package io.holdfast.service;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** A PNG in the 256 colours that it has most of: a page of text and lines looks the same. */
final class SmallPicture {
  private static final int COLOURS = 256;

  private SmallPicture() {}

  static byte[] of(byte[] png) throws IOException {
    BufferedImage full = ImageIO.read(new ByteArrayInputStream(png));
    Map<Integer, Integer> counts = new HashMap<>();
    for (int y = 0; y < full.getHeight(); y++) {
      for (int x = 0; x < full.getWidth(); x++) {
        counts.merge(full.getRGB(x, y), 1, Integer::sum);
      }
    }
    List<Integer> kept =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<Integer, Integer>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(COLOURS)
            .map(Map.Entry::getKey)
            .toList();
    byte[][] parts = new byte[3][kept.size()];
    for (int i = 0; i < kept.size(); i++) {
      for (int part = 0; part < 3; part++) {
        parts[part][i] = (byte) (kept.get(i) >> (16 - 8 * part));
      }
    }
    var palette = new IndexColorModel(8, kept.size(), parts[0], parts[1], parts[2]);
    var small =
        new BufferedImage(
            full.getWidth(), full.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, palette);
    Map<Integer, Integer> places = new HashMap<>();
    for (int y = 0; y < full.getHeight(); y++) {
      for (int x = 0; x < full.getWidth(); x++) {
        int place = places.computeIfAbsent(full.getRGB(x, y), colour -> nearest(colour, kept));
        small.getRaster().setSample(x, y, 0, place);
      }
    }
    var bytes = new ByteArrayOutputStream();
    ImageIO.write(small, "png", bytes);
    return bytes.toByteArray();
  }

  private static int nearest(int colour, List<Integer> kept) {
    int best =
        kept.stream().min(Comparator.comparingInt(one -> distance(one, colour))).orElseThrow();
    return kept.indexOf(best);
  }

  private static int distance(int one, int other) {
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
      int apart = (one >> shift & 255) - (other >> shift & 255);
      sum += apart * apart;
    }
    return sum;
  }
}
