// Our agent in its own process, with its tasks in a file; the test kills it: `node our-server.mjs FILE PORT`
import { listen } from '@parley/a2a/node';
import { sqlite } from '@parley/a2a/sqlite';
import { createOurAgent } from './our-agent.mjs';

const [file = '', port = '0'] = process.argv.slice(2);

process.once('disconnect', () => process.exit()); // the parent process ended
const { url } = await listen(createOurAgent({ store: sqlite(file), recovery: 'restart', maxAttempts: 100 }), { port: Number(port) });
process.send?.(url);
