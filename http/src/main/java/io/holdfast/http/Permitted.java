package io.holdfast.http;

import io.holdfast.schemas.settings.Security.Role;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Who may ask for what is so annotated. What is not needs a viewer if it is a GET, and otherwise an
 * operator: an endpoint whose author thought of nothing is closed.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Permitted {
  /** The least role. */
  Role value() default Role.VIEWER;

  /** Whether everybody may, without a token. */
  boolean toAll() default false;
}
