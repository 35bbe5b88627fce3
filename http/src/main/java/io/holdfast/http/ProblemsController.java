package io.holdfast.http;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Arrays;
import java.util.List;

/** Explains the {@code type} of a {@link Problem} at its own address. Stateless. */
@Controller(ProblemKind.PATH)
@Permitted(toAll = true)
public final class ProblemsController {

  /** A kind of problem, and what brings it about. */
  @Serdeable
  public record KindView(String type, int status, String title, String when) {
    static KindView of(ProblemKind kind) {
      return new KindView(kind.type(), kind.status().getCode(), kind.title(), kind.when());
    }
  }

  /** All kinds. */
  @Get
  public List<KindView> kinds() {
    return Arrays.stream(ProblemKind.values()).map(KindView::of).toList();
  }

  /** One kind. */
  @Get("/{kind}")
  public KindView kind(String kind) {
    return Arrays.stream(ProblemKind.values())
        .filter(one -> one.label().equals(kind))
        .findFirst()
        .map(KindView::of)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemKind.NO_SUCH_PATH,
                    "there is no kind of problem " + kind + "; " + ProblemKind.PATH + " has all"));
  }
}
