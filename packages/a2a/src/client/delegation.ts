/** Calling agents on behalf of a task: what goes out with the message. */
import { type DelegationScope, toDelegation } from '../protocol/delegation-scope.js';
import type { JsonObject } from '../protocol/types.js';

/** The metadata of a message that is sent under this scope, beside what it has already. Throws, before anything is sent, when it would be too deep. */
export function delegationMetadata(scope: DelegationScope | undefined, metadata?: JsonObject): JsonObject | undefined {
  return scope ? { ...metadata, ...toDelegation(scope) } : metadata;
}
