/** Agents for the page: real ones in this process, and scripted ones. Each replaces the global `fetch`. */
import { createElement, type ReactNode } from 'react';
import { vi } from 'vitest';
import type { Artifact, Message, Part, StreamResponse, Task, TaskState } from '../../src/protocol/types.js';
import { createAgent } from '../../src/server/index.js';
import { faultFetch } from '../../src/testing/fault-fetch.js';
import type { FaultPeerOptions, FaultScript } from '../../src/testing/faults/script.js';
import type { RecordedOperation, RecordedRequest } from '../../src/testing/recorded-request.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { createTestFetch, type TestFetch } from '../../src/testing/test-fetch.js';

export const AGENT_URL = 'http://test';

/** A real agent that executes the steps. */
export function serveSteps(steps: readonly ScriptStep[], turns: readonly (readonly ScriptStep[])[] = []) {
  const executor = scriptedExecutor(steps, { turns });
  const fetch = reach(createTestFetch(createAgent({ name: 'Played', executor })));
  return Object.assign(asked(fetch), { executor, fetch });
}

/** A scripted peer. */
export function serveScript(script: FaultScript, more: Omit<FaultPeerOptions, 'script'> = {}) {
  const fetch = reach(faultFetch({ script, ...more }));
  return Object.assign(asked(fetch), { fetch });
}

interface SentSignal {
  readonly url: string;
  readonly signal: AbortSignal;
}

function reach(fetch: TestFetch): TestFetch & { readonly signals: readonly SentSignal[] } {
  const signals: SentSignal[] = [];
  const noting: typeof fetch = Object.assign((...[input, init]: Parameters<typeof fetch>) => {
    if (init?.signal) signals.push({ url: String(input), signal: init.signal });
    return fetch(input, init);
  }, fetch);
  vi.stubGlobal('fetch', noting);
  return Object.assign(noting, { signals });
}

function asked(fetch: TestFetch) {
  const of = (...operations: readonly RecordedOperation[]): readonly RecordedRequest[] =>
    fetch.requests.filter(({ operation }) => operation !== undefined && operations.includes(operation));
  return {
    /** The requests of these operations, oldest first. */
    of,
    /** The messages that were sent, oldest first, with and without streaming. */
    get sent(): readonly Message[] {
      // Both our client and the published package send this shape.
      return of('SendMessage', 'SendStreamingMessage').map(({ params }) => (params as { message: Message }).message);
    },
  };
}

export function task(state: TaskState, more: Partial<Task> = {}): StreamResponse & { readonly task: Task } {
  return { task: { id: 't-1', contextId: 'c-1', status: { state }, ...more } };
}

/** A status update, with or without a text of the agent. */
export function status(state: TaskState, text?: string): StreamResponse {
  return { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: { state, ...(text !== undefined && { message: said(text) }) } } };
}

let spoken = 0;

export function said(text: string, more: Partial<Message> = {}): Message {
  spoken += 1;
  return { messageId: `said-${spoken}`, role: 'ROLE_AGENT', parts: [{ text }], ...more };
}

export interface ChunkOptions extends Partial<Omit<Artifact, 'parts'>> {
  readonly taskId?: string;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
}

export function chunk(text: string, { taskId = 't-1', append, lastChunk, ...more }: ChunkOptions = {}): StreamResponse {
  const parts: readonly Part[] = [{ text }];
  const flags = { ...(append !== undefined && { append }), ...(lastChunk !== undefined && { lastChunk }) };
  return { artifactUpdate: { taskId, contextId: 'c-1', artifact: { artifactId: 'a-1', parts, ...more }, ...flags } };
}

export const WORKING = 'TASK_STATE_WORKING';
export const COMPLETED = 'TASK_STATE_COMPLETED';

/** A component that calls a hook and records its value at each render. */
export function observe<T>(useValue: () => T): { readonly element: ReactNode; readonly seen: T[]; readonly last: T | undefined } {
  const seen: T[] = [];
  const Observer = (): null => {
    seen.push(useValue());
    return null;
  };
  return {
    element: createElement(Observer),
    seen,
    get last() {
      return seen.at(-1);
    },
  };
}
