/** An HTTP peer for tests of timing: each piece of its response arrives at the scripted time of the manual clock. */
import type { Exchange, HttpRequest, HttpResponse } from '../../src/client/transports/exchange.js';
import { abortedBy } from '../../src/platform/until-aborted.js';
import type { ManualClock } from '../../src/testing/manual-clock.js';

export interface Script {
  /** 'never': the peer hangs before its headers. */
  readonly headersAfterMs?: number | 'never';
  /** The delay after the previous piece, and the text. */
  readonly pieces?: readonly (readonly [afterMs: number, text: string])[];
  /** Default 'end'; 'never': the peer hangs after the last piece. */
  readonly ending?: 'end' | 'never';
  /** Ignores the signal. */
  readonly isDeaf?: boolean;
}

export interface ScriptedExchange {
  readonly exchange: Exchange;
  readonly requests: HttpRequest[];
  /** Bodies that were discarded before their end. */
  discarded: number;
  left: number;
}

export function scriptedExchange(clock: ManualClock, script: Script): ScriptedExchange {
  const { headersAfterMs = 0, pieces = [], ending = 'end', isDeaf = false } = script;
  const after = (ms: number | 'never', signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        stop();
        if (signal !== undefined) reject(abortedBy(signal));
      };
      const come = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const stop = ms === 'never' ? () => {} : clock.after(ms, come, { background: true });
      if (isDeaf) return;
      if (signal?.aborted === true) leave();
      signal?.addEventListener('abort', leave, { once: true });
    });
  const peer: ScriptedExchange = {
    requests: [],
    discarded: 0,
    left: 0,
    async exchange(request) {
      peer.requests.push(request);
      await after(headersAfterMs, request.signal);
      return {
        status: 200,
        header: (name) => (name === 'x-way' ? 'back' : undefined),
        async text(_, onPiece) {
          let text = '';
          for await (const piece of body(request.signal)) {
            onPiece?.();
            text += new TextDecoder().decode(piece);
          }
          return text;
        },
        chunks: () => body(request.signal),
        discard: () => {
          peer.discarded += 1;
        },
      } satisfies HttpResponse;
    },
  };
  async function* body(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
    let isDone = false;
    try {
      for (const [ms, text] of pieces) {
        await after(ms, signal);
        yield new TextEncoder().encode(text);
      }
      if (ending === 'never') await after('never', signal);
      isDone = true;
    } finally {
      if (!isDone) peer.left += 1;
    }
  }
  return peer;
}

export function requestOf(timeouts: HttpRequest['timeouts'], signal?: AbortSignal): HttpRequest {
  return { method: 'POST', url: 'http://agent.test/', headers: {}, body: '{}', signal, timeouts };
}
