import { A2ATransportError, type TimeoutPhase } from '../../protocol/errors.js';

const WORDS: Readonly<Record<TimeoutPhase, string>> = {
  connect: 'The connection was not made',
  pool: 'No connection became free',
  write: 'The request was not taken',
  firstByte: 'No answer began',
  idle: 'Nothing more of the answer came',
  total: 'The call was not done, with all its tries,',
};

/** A limit that was reached. Only where no connection was there yet is it certain that nothing was sent. */
export function timeoutError(phase: TimeoutPhase, limitMs: number, cause?: unknown): A2ATransportError {
  return new A2ATransportError('timeout', `${WORDS[phase]} within ${limitMs} ms`, {
    sent: phase !== 'connect' && phase !== 'pool',
    phase,
    metadata: { phase, timeoutMs: String(limitMs) },
    ...(cause !== undefined && { cause }),
  });
}
