// Node, Bun and Deno, not bundled: the platform itself resolves the conditions of the package. The address is the first argument.
import { defaultExchange } from '../exchange.mjs';

const [url = ''] = 'Deno' in globalThis ? Reflect.get(globalThis, 'Deno').args : process.argv.slice(2);
console.log(await defaultExchange(url));
