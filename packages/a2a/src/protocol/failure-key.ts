/** The key under which the message of a FAILED status says why: an object with `reason`, `code`, `retryable` and perhaps `retryAfterMs`, `why`, `unpublished` and `chain`. */
export const FAILURE_KEY = 'urn:parley:a2a:error';
