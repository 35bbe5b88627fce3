package io.holdfast.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.Security;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tokens of an identity provider, whose keys this test serves. */
final class JwtHttpTest {
  private static final String ISSUER = "https://id.example/realms/ml";
  private static final String PIN = "/api/v1/models/bikes/pin";

  private static RSAKey rsa;
  private static ECKey curve;
  private static HttpServer provider;
  private static HttpWorld world;

  @BeforeAll
  static void start() throws IOException, JOSEException {
    rsa = new RSAKeyGenerator(2048).keyID("r").generate();
    curve = new ECKeyGenerator(Curve.P_256).keyID("e").generate();
    byte[] keys = new JWKSet(List.of(rsa, curve)).toString(true).getBytes(UTF_8);
    provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    provider.createContext(
        "/keys",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, keys.length);
          exchange.getResponseBody().write(keys);
          exchange.close();
        });
    provider.start();
    world = open();
  }

  /** A service that trusts the provider; each lets only so many tokens fail. */
  private static HttpWorld open() {
    URI jwks = URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + "/keys");
    var opened =
        new HttpWorld(
            new Security(
                List.of(),
                null,
                new Security.Jwt(jwks, ISSUER, "holdfast", "realm_access.roles"),
                false,
                null));
    opened.actions.answer =
        opened.ledger.head(opened.ledger.publish(0, null, 0, 0), HeadReason.TRAINED);
    return opened;
  }

  @AfterAll
  static void stop() {
    world.close();
    provider.stop(0);
  }

  private static JWTClaimsSet.Builder claims(String... roles) {
    Instant now = Clock.systemUTC().instant();
    return new JWTClaimsSet.Builder()
        .subject("5b2e")
        .claim("preferred_username", "ana")
        .issuer(ISSUER)
        .audience("holdfast")
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(600)))
        .claim("realm_access", Map.of("roles", List.of(roles)));
  }

  private static String signed(JWTClaimsSet claims) throws JOSEException {
    return signed(claims, rsa);
  }

  private static String signed(JWTClaimsSet claims, RSAKey key) throws JOSEException {
    var jwt = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("r").build(), claims);
    jwt.sign(new RSASSASigner(key));
    return jwt.serialize();
  }

  private static int pin(String token) throws Exception {
    return pin(world, token);
  }

  private static int pin(HttpWorld world, String token) throws Exception {
    return world
        .send(
            HttpRequest.newBuilder(world.url(PIN))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString("{\"version\": 0, \"why\": \"w\"}")))
        .statusCode();
  }

  @Test
  void token_thatTheProviderSigned_hasItsRolesAndItsUsersName() throws Exception {
    assertThat(pin(signed(claims("offline_access", "operator").build()))).isEqualTo(200);
    assertThat(world.actions.asked.getLast().by()).isEqualTo("ana");
    var jwt =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("e").build(), claims("admin").build());
    jwt.sign(new ECDSASigner(curve));
    assertThat(pin(jwt.serialize())).isEqualTo(200);
    assertThat(pin(signed(claims("viewer").build()))).isEqualTo(403);
    assertThat(pin(signed(claims("offline_access").build()))).isEqualTo(403);
  }

  @Test
  void token_thatIsForgedOrForOthers_isNone() throws Exception {
    JWTClaimsSet good = claims("operator").build();
    RSAKey other = new RSAKeyGenerator(2048).keyID("r").generate();
    var symmetric =
        new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("r").build(), good);
    symmetric.sign(new MACSigner(rsa.toRSAPublicKey().getEncoded()));
    Instant ago = Clock.systemUTC().instant().minusSeconds(3_600);
    String[] parts = signed(good).split("\\.", -1);
    for (String forged :
        List.of(
            new PlainJWT(good).serialize(),
            signed(good, other),
            symmetric.serialize(),
            parts[0]
                + "."
                + parts[1]
                + "."
                + (parts[2].charAt(0) == 'A' ? 'B' : 'A')
                + parts[2].substring(1),
            signed(claims("operator").issuer("https://evil.example").build()),
            signed(claims("operator").audience("another").build()),
            signed(claims("operator").expirationTime(Date.from(ago)).build()))) {
      assertThat(pin(forged)).as(forged).isEqualTo(401);
    }
  }

  @Test
  void token_thatSaysWhereItsKeysAre_isNone_andNobodyIsAskedThere() throws Exception {
    RSAKey other = new RSAKeyGenerator(2048).keyID("o").generate();
    AtomicInteger asked = new AtomicInteger();
    provider.createContext(
        "/evil",
        exchange -> {
          asked.incrementAndGet();
          byte[] keys = new JWKSet(other).toString(true).getBytes(UTF_8);
          exchange.sendResponseHeaders(200, keys.length);
          exchange.getResponseBody().write(keys);
          exchange.close();
        });
    URI evil = URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + "/evil");
    try (HttpWorld own = open()) {
      for (String id : List.of("o", "r")) {
        for (JWSHeader header :
            List.of(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(id).jwkURL(evil).build(),
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(id).x509CertURL(evil).build(),
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                    .keyID(id)
                    .jwk(other.toPublicJWK())
                    .build())) {
          var jwt = new SignedJWT(header, claims("operator").build());
          jwt.sign(new RSASSASigner(other));
          assertThat(pin(own, jwt.serialize())).as("%s", header).isEqualTo(401);
        }
      }
      assertThat(pin(own, signed(claims("operator").issuer(evil.toString()).build(), other)))
          .isEqualTo(401);
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void unsignedToken_isNone_whereNoProviderIsSet() throws Exception {
    Security tokens =
        new Security(
            List.of(new Security.Token("bo", Security.Role.ADMIN, Security.hash("t".repeat(20)))),
            null,
            null,
            false,
            null);
    try (HttpWorld without = new HttpWorld(tokens)) {
      String unsigned = new PlainJWT(claims("admin").build()).serialize();
      assertThat(
              without
                  .send(
                      HttpRequest.newBuilder(without.url("/api/v1/models"))
                          .header("Authorization", "Bearer " + unsigned))
                  .statusCode())
          .isEqualTo(401);
    }
  }
}
