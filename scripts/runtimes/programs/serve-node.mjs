// An agent on another origin that allows no cross-origin calls.
import { createServer } from 'node:http';

const server = createServer((_, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  console.log(`listening ${typeof at === 'object' ? at?.port : at}`);
});
