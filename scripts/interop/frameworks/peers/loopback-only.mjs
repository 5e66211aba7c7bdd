// Loaded before each program: refuses connections to other machines, for example of telemetry.
import { Socket } from 'node:net';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const { connect } = Socket.prototype;

Socket.prototype.connect = function connectToLoopback(...args) {
  const [target] = args.flat();
  const host = typeof target === 'object' ? target.host : args[1];
  if (typeof host !== 'string' || LOOPBACK.has(host)) return connect.apply(this, args);
  console.error(`Refused a connection to ${host}: this program may only connect to loopback addresses.`);
  return this.destroy(new Error(`connections to ${host} are refused`));
};
