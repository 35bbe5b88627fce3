package io.holdfast.schemas.wire;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Why a file is no Avro container file, or not a whole one: a clause about the file, which its
 * reader calls {@code it}.
 */
public final class ContainerException extends IOException {
  private static final long serialVersionUID = 1;

  @FormatMethod
  ContainerException(@FormatString String clause, @Nullable Object... arguments) {
    super(Sentence.of(clause, arguments));
  }

  ContainerException because(Throwable cause) {
    initCause(cause);
    return this;
  }
}
