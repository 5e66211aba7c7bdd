import { createHandle } from '../agent.mjs';

const onListen = (/** @type {{ port: number }} */ { port }) => console.log(`listening ${port}`);
Reflect.get(globalThis, 'Deno').serve({ hostname: '127.0.0.1', port: 0, onListen }, createHandle());
