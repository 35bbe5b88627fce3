/**
 * Ways to be robust to environments not seen, side by side. In come streams of structural equations
 * and the public data sets; out go tables of the risk on environments that training has not seen.
 * All ways have the same budget of trees, and choose how strong they are by the same rule, blind to
 * what they are tested on.
 */
@NullMarked
package io.holdfast.bench.robust;

import org.jspecify.annotations.NullMarked;
