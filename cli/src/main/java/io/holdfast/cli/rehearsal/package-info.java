/** What the launcher's class cache is made from. */
@NullMarked
package io.holdfast.cli.rehearsal;

import org.jspecify.annotations.NullMarked;
