/** Records that name their schemas by a registry, which is not as it should be. */
@NullMarked
package io.holdfast.faults.registry;

import org.jspecify.annotations.NullMarked;
