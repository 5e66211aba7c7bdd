// For Node, Bun and Deno. Not bundled, so that the platform itself resolves the package conditions. The address is the first argument.
import { defaultExchange } from '../exchange.mjs';

const [url = ''] = 'Deno' in globalThis ? Reflect.get(globalThis, 'Deno').args : process.argv.slice(2);
console.log(await defaultExchange(url));
