// An agent on another origin, which allows no page to call it.
import { createServer } from 'node:http';

const server = createServer((_, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  console.log(`listening ${typeof at === 'object' ? at?.port : at}`);
});
