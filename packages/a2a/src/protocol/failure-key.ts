/**
 * The metadata key for the failure in the message of a FAILED status: an object with `reason`, `code`, `retryable` and optionally
 * `retryAfterMs`, `why`, `unpublished` and `chain`.
 */
export const FAILURE_KEY = 'urn:parley:a2a:error';
