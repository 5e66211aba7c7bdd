import { createServer } from 'node:net';
import { A2AError } from '../protocol/errors.js';

/**
 * A port that was free a moment ago. Somebody else may take it before you do: where a server can choose for itself, let it listen on
 * port 0 and read which one it got.
 */
export async function pickFreePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new A2AError('INVALID_PARAMS', `no port is to be had at ${host}`, { cause })));
    server.listen(0, host, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  // A TCP server that listens has an address with a port.
  return (address as { readonly port: number }).port;
}
