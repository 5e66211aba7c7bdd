/** A `fetch` with a switch. Turning it off aborts all requests in flight and refuses new ones, like a cut cable. */
export interface SwitchableFetch {
  readonly fetch: typeof fetch;
  readonly isOn: boolean;
  turn(on: boolean): void;
  subscribe(listener: () => void): () => void;
}

export function createSwitchableFetch(send: typeof fetch): SwitchableFetch {
  const listeners = new Set<() => void>();
  let cut = new AbortController();
  return {
    get isOn() {
      return !cut.signal.aborted;
    },
    async fetch(input, init) {
      const { signal } = cut;
      if (signal.aborted) throw cutOff();
      const own = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      try {
        // Pass the signal on, because it must also abort the reading of the body.
        return await send(input, { ...init, signal: own ? AbortSignal.any([own, signal]) : signal });
      } catch (error) {
        throw signal.aborted && !own?.aborted ? cutOff() : error;
      }
    },
    turn(on) {
      if (on !== cut.signal.aborted) return;
      if (on) cut = new AbortController();
      else cut.abort(cutOff());
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A TypeError, because `fetch` of a browser throws one when it cannot connect. */
function cutOff(): TypeError {
  return new TypeError('The connection is switched off in Studio');
}
