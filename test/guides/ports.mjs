// Loaded in front of a program of a guide: a server listens on the free port that stands for its own, and the test is told when it does.
import { Server } from 'node:net';

/** @type {Record<string, number>} */
const ports = JSON.parse(process.env.GUIDE_PORTS ?? '{}');
const { listen } = Server.prototype;

/** @type {(this: Server, first: any, ...rest: any[]) => Server} */
function listenElsewhere(first, ...rest) {
  this.once('listening', () => process.send?.('listening'));
  const isOptions = typeof first === 'object' && first !== null;
  const replaced = isOptions ? { ...first, port: ports[first.port] ?? first.port } : (ports[first] ?? first);
  return listen.call(this, replaced, ...rest);
}

Server.prototype.listen = listenElsewhere;
