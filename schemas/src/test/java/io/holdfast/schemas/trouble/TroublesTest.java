package io.holdfast.schemas.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TroublesTest {
  private Instant now = Instant.ofEpochSecond(100);
  private final Troubles troubles = new Troubles(() -> now);

  @Test
  void trouble_thatLasts_keepsItsBeginningAndTakesTheNewestSentence() {
    troubles.begin("bikes", TroubleKind.LAGGING, "10 rows behind");
    now = now.plusSeconds(5);
    troubles.begin("bikes", TroubleKind.LAGGING, "20 rows behind");
    assertThat(troubles.of("bikes"))
        .containsExactly(
            new Trouble(
                "bikes", TroubleKind.LAGGING, "20 rows behind", Instant.ofEpochSecond(100)));
  }

  @Test
  void trouble_thatEndsAndComesAgain_beginsAnew() {
    troubles.begin("bikes", TroubleKind.SCHEMA, "none");
    troubles.end("bikes", TroubleKind.SCHEMA);
    assertThat(troubles.isActive("bikes", TroubleKind.SCHEMA)).isFalse();
    now = now.plusSeconds(5);
    troubles.begin("bikes", TroubleKind.SCHEMA, "none");
    assertThat(troubles.all()).extracting(Trouble::since).containsExactly(now);
  }

  @Test
  void troubles_ofOtherModels_areApart() {
    troubles.begin("cars", TroubleKind.TOPIC, "gone");
    troubles.begin("bikes", TroubleKind.SCHEMA, "none");
    assertThat(troubles.of("bikes")).extracting(Trouble::kind).containsExactly(TroubleKind.SCHEMA);
    assertThat(troubles.all()).extracting(Trouble::model).containsExactly("bikes", "cars");
  }

  @Test
  void label_isTheKindInLowerCaseWithHyphens() {
    assertThat(TroubleKind.WORSE_THAN_CONSTANT.label()).isEqualTo("worse-than-constant");
  }
}
