// One attacker in its own process. It attacks with low priority, so that the server and not the generator of the load gets the processor.
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { ATTACKS } from './attacks.mjs';
import { Http } from './http.mjs';

/**
 * @typedef {object} AttackerConfig
 * @property {string} attack name in the table of attacks
 * @property {readonly number[]} ports of the nodes
 * @property {string} [token] absent: anonymous
 * @property {number} connections
 * @property {number} limitMs after which the process ends in any case
 */

/**
 * What an attack gets.
 * @typedef {object} Siege
 * @property {readonly number[]} ports
 * @property {string | undefined} token
 * @property {number} connections
 * @property {Http} http
 * @property {(what: string) => void} count
 * @property {() => void} ready call it when the preparations are over
 */

/** @type {AttackerConfig} */
const { attack: name, ports, token, connections, limitMs } = JSON.parse(process.argv[2] ?? '');

process.once('disconnect', () => process.exit()); // the parent process ended
setTimeout(() => process.exit(), limitMs);

/** @type {Record<string, number>} */
const tally = {};
setInterval(() => process.send?.({ tally }), 250);

const attack = await ATTACKS[name]?.load();
if (attack === undefined) throw new Error(`no attack ${name}`);
const count = (/** @type {string} */ what) => {
  tally[what] = (tally[what] ?? 0) + 1;
};
const ready = () => {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL); // not earlier: on a busy machine the preparations would take too long
  process.send?.({ ready: true });
};
await attack({ ports, token, connections, http: new Http(), count, ready }).catch((/** @type {unknown} */ error) => {
  count(`ended: ${String(error).slice(0, 120)}`);
  process.send?.({ tally });
});
await pause(limitMs); // connections stay open until the parent process ends this one
