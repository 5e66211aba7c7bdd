/** Builds the metadata of calls that an agent makes on behalf of a task. */
import { type DelegationScope, toDelegation } from '../protocol/delegation-scope.js';
import type { JsonObject } from '../protocol/types.js';

/**
 * Returns the metadata of a message that is sent under this scope, merged with its own metadata. Throws before anything is sent if the call
 * chain would be too deep.
 */
export function delegationMetadata(scope: DelegationScope | undefined, metadata?: JsonObject): JsonObject | undefined {
  return scope ? { ...metadata, ...toDelegation(scope) } : metadata;
}
