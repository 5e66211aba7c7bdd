/**
 * Requests to an authorization server, with limits for time and size. http: is allowed only to the loopback host and only with
 * `allowInsecure`.
 */
import { originOf } from '../platform/origin.js';
import { untilAborted } from '../platform/until-aborted.js';
import { A2AError, isA2AError } from '../protocol/errors.js';
import type { OAuthLibrary } from './library.js';
import type { OAuthSettings } from './options.js';

const MAX_BYTES = 1024 * 1024; // a discovery document has a few KB

export type HttpSettings = Pick<OAuthSettings, 'timeoutMs' | 'allowInsecure' | 'clock' | 'fetch'>;

/** The options for every request of the OAuth library. */
export function httpOptions(library: OAuthLibrary, settings: HttpSettings, signal: AbortSignal) {
  return {
    signal,
    // The addresses were checked before: an http: address at this point is on the loopback host.
    [library.allowInsecureRequests]: settings.allowInsecure,
    [library.customFetch]: (url: string, init: RequestInit) => boundedFetch(url, init, settings),
  };
}

async function boundedFetch(url: string, init: RequestInit, { timeoutMs, clock, fetch: given }: HttpSettings): Promise<Response> {
  const send = given ?? fetch;
  const ending = new AbortController();
  const signal = init.signal ?? undefined;
  const leave = (): void => ending.abort(signal?.reason);
  const tooLate = new A2AError('AUTH_REQUIRED', `The authorization server ${originOf(url)} did not respond within ${timeoutMs} ms`, {
    retryable: true,
  });
  const stop = clock.after(timeoutMs, () => ending.abort(tooLate));
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  try {
    // Also stops waiting for a fetch that ignores its signal.
    return await untilAborted(exchange(send, url, { ...init, signal: ending.signal }), ending.signal);
  } catch (error) {
    throw ending.signal.reason === tooLate ? tooLate : error;
  } finally {
    stop();
    signal?.removeEventListener('abort', leave);
  }
}

async function exchange(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  const { response, text } = await answerOf(send, url, init);
  const { status, headers } = response;
  // Browsers report a redirect as status 0. On other platforms the OAuth library sees and refuses it.
  if (status === 0) {
    const text = `The authorization server ${originOf(url)} sent a redirect, which is not followed; set issuer or tokenUrl to its target`;
    throw new A2AError('AUTH_REQUIRED', text);
  }
  return new Response(text === '' ? null : withoutIdToken(text), { status, headers });
}

async function answerOf(send: typeof fetch, url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await send(url, init);
    return { response, text: await readText(response) };
  } catch (error) {
    if (isA2AError(error)) throw error;
    throw new A2AError('AUTH_REQUIRED', `The authorization server ${originOf(url)} could not be reached`, {
      cause: error,
      retryable: true,
    });
  }
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let [bytes, text] = [0, ''];
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
      if (bytes > MAX_BYTES) throw new A2AError('AUTH_REQUIRED', `The authorization server sent more than ${MAX_BYTES} bytes`);
      text += decoder.decode(next.value, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    // No-op for a body that was read to its end.
    reader.cancel().catch(() => {});
  }
}

/** The client does not use the id token, and verifying it would need the issuer, which the token URL of a card does not give. */
function withoutIdToken(text: string): string {
  if (!text.includes('"id_token"')) return text;
  try {
    const { id_token: _, ...rest } = JSON.parse(text);
    return JSON.stringify(rest);
  } catch {
    return text;
  }
}
