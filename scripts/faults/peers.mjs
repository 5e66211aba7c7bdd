// The agents under test, and the results of an undisturbed run.
import { createClient } from '@parley/a2a/client';
import { listen } from '@parley/a2a/node';
import { normalise } from './judge.mjs';
import { createOurAgent } from './our-agent.mjs';
import { readSeqs } from './raw.mjs';
import { ServerProcess } from './server-process.mjs';

/** @typedef {import('./raw.mjs').Binding} Binding */
/** @typedef {import('./job.mjs').Job} Job */
/** @typedef {import('./judge.mjs').Truth} Truth */
/** @typedef {'Parley' | 'official SDK'} PeerName */

/** @type {readonly Binding[]} */
export const BINDINGS = ['jsonrpc', 'rest'];

/**
 * @typedef {object} Peer
 * @property {PeerName} name
 * @property {string} url of the card
 * @property {Record<Binding, string>} urls
 */

/**
 * @typedef {object} Peers
 * @property {Peer} ours
 * @property {Peer} sdk
 * @property {ServerProcess} sdkProcess
 * @property {() => Promise<void>} close
 */

/** @returns {Promise<Peers>} */
export async function startPeers() {
  const listening = await listen(createOurAgent(), { port: 0 });
  const sdkProcess = new ServerProcess(new URL('sdk-server.mjs', import.meta.url));
  const sdkUrl = await sdkProcess.start();
  return {
    ours: { name: 'Parley', url: listening.url, urls: { jsonrpc: listening.url, rest: listening.url } },
    sdk: { name: 'official SDK', url: sdkUrl, urls: { jsonrpc: `${sdkUrl}/a2a/jsonrpc`, rest: `${sdkUrl}/a2a/rest` } },
    sdkProcess,
    async close() {
      await Promise.all([listening.close({ drainMs: 0 }), sdkProcess.kill()]);
    },
  };
}

/** @typedef {(peer: Peer, job: Job) => Promise<Truth>} TruthOf */

/**
 * The expected result of a job, computed once per peer and pace.
 * @returns {TruthOf}
 */
export function createTruths() {
  /** @type {Map<string, Promise<Truth>>} */
  const known = new Map();
  return (peer, job) => {
    const key = `${peer.url} ${job.pace}`;
    const truth = known.get(key) ?? find(peer, job);
    known.set(key, truth);
    return truth;
  };
}

/**
 * The seqs of the log, if the peer has them, and the final task of an undisturbed run.
 * @param {Peer} peer
 * @param {Job} job
 * @returns {Promise<Truth>}
 */
async function find(peer, job) {
  const seqs = await readSeqs({ fetch, url: peer.urls.jsonrpc, binding: 'jsonrpc' }, job);
  const final = await finalOf(createClient(peer.url), job);
  return { ...(seqs.every(Number.isInteger) && { seqs }), final };
}

/**
 * @param {import('@parley/a2a/client').Client} client
 * @param {Job} job
 */
export async function finalOf(client, job) {
  const reply = await client.run(JSON.stringify(job), { contextId: null }).result;
  await client.close();
  return normalise(reply.kind === 'task' ? reply.task : undefined);
}
