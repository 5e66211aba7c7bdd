/** Reads a run to its end while the clock advances. */
import { expect } from 'vitest';
import type { Run } from '../../src/client/client.js';
import { createRun } from '../../src/client/run/create-run.js';
import type { RunOptions } from '../../src/client/run/run-options.js';
import type { Reply, Update } from '../../src/client/run/update.js';
import type { A2AError } from '../../src/protocol/errors.js';
import { type PeerOptions, type ScriptedPeer, type Step, scriptedPeer } from './scripted-peer.js';

export interface Walk {
  readonly peer: ScriptedPeer;
  readonly updates: readonly Update[];
  readonly reply: Reply | undefined;
  readonly error: A2AError | undefined;
}

export function walk(steps: readonly Step[], options: RunOptions = {}, peerOptions: PeerOptions = {}): Promise<Walk> {
  const peer = scriptedPeer(steps, peerOptions);
  return walkOver(peer, createRun(peer, 'Hi', options));
}

/** Also checks that the run leaves no timer and no open stream. */
export async function walkOver(peer: ScriptedPeer, run: Run): Promise<Walk> {
  const updates: Update[] = [];
  const loop = (async () => {
    for await (const update of run) updates.push(update);
  })();
  const end = loop.then(
    () => run.result.then((reply) => ({ reply, error: undefined })),
    (error: A2AError) => ({ reply: undefined, error }),
  );
  await peer.clock.tick(1_000_000);
  const ended = await end;
  expect([peer.openStreams, peer.clock.pending]).toEqual([0, 0]);
  return { peer, updates, ...ended };
}

export const deltas = (updates: readonly Update[]): string[] => updates.flatMap((update) => (update.kind === 'text' ? [update.delta] : []));
