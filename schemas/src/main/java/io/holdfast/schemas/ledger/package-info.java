@NullMarked
package io.holdfast.schemas.ledger;

import org.jspecify.annotations.NullMarked;
