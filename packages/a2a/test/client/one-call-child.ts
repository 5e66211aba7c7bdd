/** Makes one call with the default exchange and then has nothing left to do. Prints how long it took the process to notice. */
import { createClient } from '../../src/client/index.js';

const [url = ''] = process.argv.slice(2);
const client = createClient(url);
const { name } = await client.card();
const doneAt = performance.now();
console.log(name);
process.once('beforeExit', () => console.log(Math.round(performance.now() - doneAt)));
