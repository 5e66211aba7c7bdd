/** Makes one call with the default exchange and then does nothing. Prints how long the process stayed alive after the call. */
import { createClient } from '../../src/client/index.js';

const [url = ''] = process.argv.slice(2);
const client = createClient(url);
const { name } = await client.card();
const doneAt = performance.now();
console.log(name);
process.once('beforeExit', () => console.log(Math.round(performance.now() - doneAt)));
