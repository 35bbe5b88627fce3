package io.holdfast.service.access;

import io.holdfast.schemas.settings.Security;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.security.token.DefaultRolesFinder;
import io.micronaut.security.token.RolesFinder;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The roles of a JWT, where the configuration says that they stand. Immutable. */
@Singleton
@Replaces(DefaultRolesFinder.class)
final class JwtRoles implements RolesFinder {
  private final String path;

  JwtRoles(Security security) {
    this.path = security.jwt() == null ? "roles" : security.jwt().rolesClaim();
  }

  @Override
  public List<String> resolveRoles(@Nullable Map<String, Object> claims) {
    Object found = claims == null ? null : claims.get(path); // a claim's name may have dots
    if (found == null && claims != null) {
      found = claims;
      for (String part : path.split("\\.", -1)) {
        found = found instanceof Map<?, ?> group ? group.get(part) : null;
      }
    }
    return found instanceof Collection<?> roles
        ? roles.stream().map(String::valueOf).toList()
        : found instanceof String text ? List.of(text.split("[ ,]+", -1)) : List.of();
  }
}
