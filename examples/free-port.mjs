// A check preloads this file: the server listens on a free port instead of its own, and reports the port to the check.
import { Server } from 'node:net';

const { listen } = Server.prototype;

/** @type {(this: Server, port: unknown, ...rest: any[]) => Server} */
function listenAnywhere(_port, ...rest) {
  this.once('listening', () => {
    const address = this.address();
    if (typeof address === 'object') process.send?.(address?.port);
  });
  return listen.call(this, 0, ...rest);
}

Server.prototype.listen = listenAnywhere;
