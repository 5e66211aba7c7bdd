import { listen } from '@parley/a2a/node';
import { createAgent } from '@parley/a2a/server';

await listen(createAgent({ name: 'Echo', execute: async (context) => context.text }));
