// All cases, in the order of the report.
import { cutOurs, cutSdk } from './in-process.mjs';
import { killServers } from './kills.mjs';
import { breakConnections } from './over-sockets.mjs';
import { BINDINGS } from './peers.mjs';

/**
 * @typedef {object} World
 * @property {import('./peers.mjs').Peers} peers
 * @property {import('./peers.mjs').TruthOf} truthOf
 * @property {import('./options.mjs').Options} options
 */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} peer
 * @property {string} binding
 * @property {number} atOnce
 * @property {(() => Promise<import('./tally.mjs').Outcome>)[]} runs
 */

/**
 * The cases that use only the processor.
 * @param {import('./sdk-recording.mjs').Recorded} recorded
 * @param {import('./options.mjs').Options} options
 * @returns {AsyncGenerator<Case>}
 */
export async function* inProcessCases(recorded, { everyByte }) {
  yield* cutOurs(everyByte);
  yield* cutSdk(recorded, everyByte);
}

/**
 * The cases that mostly wait, in groups that may run in parallel.
 * @param {World} world
 * @returns {Case[][]}
 */
export function socketCases(world) {
  const { ours, sdk } = world.peers;
  const broken = [ours, sdk].flatMap((peer) => BINDINGS.map((binding) => breakConnections(world, peer, binding)));
  return [...broken, BINDINGS.map((binding) => killServers(world, binding))];
}

/**
 * @param {Case} one
 * @param {import('./options.mjs').Options} options
 */
export function isWanted({ name, peer, binding }, { only }) {
  return only === undefined || `${name}, ${peer}, ${binding}`.includes(only);
}
