import { createHandle } from '../agent.mjs';

const server = Reflect.get(globalThis, 'Bun').serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: createHandle() });
console.log(`listening ${server.port}`);
