/** The hook of the react-a2a replacement: its client and conversation live as long as the component. */
import type { AssistantRuntime } from '@assistant-ui/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { A2AError } from '../protocol/errors.js';
import { valueKey } from '../react/value-key.js';
import { A2AClient } from './client.js';
import type { UseA2ARuntimeOptions } from './options.js';
import { useLatest, useRuntimeOver } from './runtime.js';
import { type LatestOptions, Slot } from './runtime-slot.js';
import { toThreadList } from './threads.js';

/**
 * A runtime for `AssistantRuntimeProvider` that talks to an A2A agent. It has the name and options of the hook in
 * `@assistant-ui/react-a2a`.
 */
export function useA2ARuntime(options: UseA2ARuntimeOptions): AssistantRuntime {
  const latest = useLatest(options);
  const client = useClient(options, latest);
  const slot = useSlot(client, options.contextId, latest);
  const { history, threadList, ...adapters } = options.adapters ?? {};
  const isLoadingMore = useLateHistory(slot, history !== undefined);
  const threads = useMemo(() => threadList && toThreadList(threadList, slot), [threadList, slot]);
  return useRuntimeOver(slot, {
    ...options,
    adapters: { ...adapters, threadList: threads },
    showsLoading: history !== undefined,
    isLoadingMore,
  });
}

/** The given client, or an own one that is created again only if the values of its options change. */
function useClient(options: UseA2ARuntimeOptions, latest: LatestOptions): A2AClient {
  const { client, baseUrl, basePath, tenant, extensions, fetchOptions } = options;
  if (client === undefined && baseUrl === undefined) throw new A2AError('INVALID_PARAMS', 'useA2ARuntime needs a client or a baseUrl');
  const key = valueKey([baseUrl, basePath, tenant, extensions, fetchOptions]);
  const make = (url: string): A2AClient =>
    new A2AClient({ baseUrl: url, basePath, tenant, extensions, fetchOptions, headers: () => headersOf(latest.current) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the options, which are new objects in each render
  return useMemo(() => client ?? make(baseUrl ?? ''), [client, key, latest]);
}

/** Read for each request, so that a new token is used at once. */
function headersOf({ headers }: UseA2ARuntimeOptions): Record<string, string> | Promise<Record<string, string>> {
  return typeof headers === 'function' ? headers() : { ...headers };
}

/**
 * Closes the conversation if the component stays unmounted. React may unmount and remount it in the same moment, for example in strict
 * mode; then it stays open. A component that returns later continues with the previous messages.
 */
function useSlot(client: A2AClient, contextId: string | undefined, latest: LatestOptions): Slot {
  const before = useRef<Slot | undefined>(undefined);
  const [returns, setReturns] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a component that returns needs a new conversation, because the old one is closed
  const slot = useMemo(() => new Slot({ client, contextId, latest }, before.current), [client, contextId, latest, returns]);
  useEffect(() => {
    if (slot.isClosed) {
      setReturns((count) => count + 1);
      return;
    }
    before.current = slot;
    slot.isMounted = true;
    return () => {
      slot.isMounted = false;
      queueMicrotask(() => slot.leave());
    };
  }, [slot]);
  return slot;
}

/** Reads an adapter that was added after the conversation was loaded. Returns whether it is loading. */
function useLateHistory(slot: Slot, hasHistory: boolean): boolean {
  const [loading, setLoading] = useState<Slot | undefined>(undefined);
  useEffect(() => {
    if (hasHistory) void slot.readLateHistory((isLoading) => setLoading(isLoading ? slot : undefined));
  }, [slot, hasHistory]);
  return loading === slot;
}
