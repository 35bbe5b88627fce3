/** The heads of models over HTTP: their history, and the actions that write new ones. */
@NullMarked
package io.holdfast.service.heads;

import org.jspecify.annotations.NullMarked;
