package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Role;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people do on the dashboard, in a real browser; left out where none is installed. */
final class DashboardActionsIT {
  private static final String VIEWER = "the-token-of-vic-who-looks";
  private static final String OPERATOR = "the-token-of-ana-who-acts";

  @TempDir Path profile;

  @SuppressWarnings("NullAway.Init") // made before each test
  private DashboardWorld world;

  @BeforeEach
  void open() throws Exception {
    var vic = new Security.Token("vic", Role.VIEWER, Security.hash(VIEWER));
    var ana = new Security.Token("ana", Role.OPERATOR, Security.hash(OPERATOR));
    world = new DashboardWorld(profile, new Security(List.of(vic, ana), null, null, false, null));
    world.story.tell();
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void viewersClick_isRefused_andOperatorsRollbackIsSeenByAScorer() throws Exception {
    world.go("#/rides/versions");
    world.awaitText("page", "With a token");
    signIn("no token of anybody");
    world.awaitText("page", "token");
    signIn(VIEWER);
    world.awaitText("timeline", "Version 38");
    world.awaitText("lacking", "signed in as vic, a viewer");
    click("#timeline li:nth-child(3) [data-action=rollback]");
    world.awaitText("preview", "role");
    type("why", "delft is wrong");
    click("#confirm");
    world.awaitText("action-problem", "operator");
    click("dialog button[type=button]");

    click("#session button");
    world.awaitText("page", "With a token");
    signIn(OPERATOR);
    world.awaitText("session", "ana (operator)");
    world.awaitText("timeline", "Version 38");
    click("#timeline li:nth-child(3) [data-action=rollback]");
    world.awaitText("action", "Roll back to version 37");
    world.awaitText("preview", "version 37 serves");
    assertThat(world.model("rides", OPERATOR).get("serving").get("version").asLong()).isEqualTo(38);
    assertThat(world.axe()).isEmpty();
    type("why", "delft is wrong");
    click("#confirm");
    world.awaitText("head", "Version 37 serves");
    world.awaitText("heads", "rolled back");
    assertThat(world.text("heads")).contains("ana", "delft is wrong");
    world.go("#/rides/record");
    world.awaitValue("record", "temperature");
    click("#score");
    world.awaitText("compare", "v37 (serves)");
  }

  private void signIn(String token) throws Exception {
    world.awaitValue("token", "");
    type("token", token);
    click(".sign-in button");
  }

  private void type(String id, String value) throws Exception {
    world.browser.evaluate("document.getElementById('" + id + "').value = '" + value + "'; ''");
  }

  private void click(String selector) throws Exception {
    world.browser.evaluate("document.querySelector('" + selector + "').click(); ''");
  }
}
