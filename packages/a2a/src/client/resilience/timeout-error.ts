import { A2ATransportError, type TimeoutPhase } from '../../protocol/errors.js';

const WORDS: Readonly<Record<TimeoutPhase, string>> = {
  connect: 'The connection was not established',
  pool: 'No connection became free',
  write: 'The request was not written',
  firstByte: 'No response arrived',
  idle: 'No further part of the response arrived',
  total: 'The call, including all attempts, did not finish',
};

/** Creates the error of a timeout. Only the phases before the connection prove that nothing was sent. */
export function timeoutError(phase: TimeoutPhase, limitMs: number, cause?: unknown): A2ATransportError {
  return new A2ATransportError('timeout', `${WORDS[phase]} within ${limitMs} ms`, {
    sent: phase !== 'connect' && phase !== 'pool',
    phase,
    metadata: { phase, timeoutMs: String(limitMs) },
    ...(cause !== undefined && { cause }),
  });
}
