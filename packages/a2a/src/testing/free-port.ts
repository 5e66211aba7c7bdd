import { createServer } from 'node:net';
import { A2AError } from '../protocol/errors.js';

/**
 * Returns a port that was free a moment ago. Another process may take it first: if your server can choose, listen on port 0 and read the
 * port it got.
 */
export async function pickFreePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new A2AError('INVALID_PARAMS', `no free port at ${host}`, { cause })));
    server.listen(0, host, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  // A listening TCP server has an address with a port.
  return (address as { readonly port: number }).port;
}
