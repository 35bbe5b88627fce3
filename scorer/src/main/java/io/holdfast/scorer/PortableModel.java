package io.holdfast.scorer;

import io.holdfast.schemas.ledger.ModelFileException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A model file that engines send to their machines with a job; it is read there once, when it is
 * first asked for. Thread-safe.
 */
public final class PortableModel implements Serializable {
  private static final long serialVersionUID = 1;

  private final byte[] file;
  private transient volatile @Nullable ScoringModel model;

  private PortableModel(byte[] file) {
    this.file = file;
  }

  /** The model in a file, which is read and verified here. */
  public static PortableModel of(Path file) throws IOException, ModelFileException {
    var portable = new PortableModel(Files.readAllBytes(file));
    portable.model();
    return portable;
  }

  /** The model, ready to score. */
  public ScoringModel model() throws ModelFileException {
    ScoringModel known = model;
    if (known == null) {
      synchronized (this) {
        known = model;
        if (known == null) {
          known = ScoringModel.of(file);
          model = known;
        }
      }
    }
    return known;
  }
}
