// For Bun and Deno: the address is the first argument, the outcome is printed.
import { runOnce } from '../turn.mjs';

const [url = '', words = ''] = 'Deno' in globalThis ? Reflect.get(globalThis, 'Deno').args : process.argv.slice(2);
console.log(JSON.stringify(await runOnce(url, words, { cut: true })));
