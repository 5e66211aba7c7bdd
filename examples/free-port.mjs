// Loaded in front of an example by its check: the server gets a free port instead of its own, and tells the check which.
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
