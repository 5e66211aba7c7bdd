/** Every host adapter of the library in its real server, under one interface. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import express4 from 'express4';
import { Hono } from 'hono';
import { expressHandler } from '../src/adapters/express.js';
import { fetchHandler, type HandlerOptions } from '../src/adapters/fetch.js';
import { honoHandler } from '../src/adapters/hono.js';
import { listen, nodeHandler } from '../src/adapters/node.js';
import type { Agent } from '../src/server/agent.js';
import { type FetchPath, fetchAt } from './endpoints.js';

interface RunningHost extends AsyncDisposable {
  readonly knock: FetchPath;
  /** The url that the card must have. */
  readonly url: string;
}

export interface Host {
  readonly name: string;
  /** Whether there is a socket between the test and the host. */
  readonly hasSocket: boolean;
  start(agent: Agent, options?: HandlerOptions): Promise<RunningHost>;
}

const anyList: HandlerOptions = { anonymousList: 'all' };

/** Both major versions that the adapter supports. */
export const EXPRESSES = [
  ['Express', express],
  ['Express 4', express4],
] as const;

export const HOSTS: readonly Host[] = [
  {
    name: 'listen',
    hasSocket: true,
    async start(agent, options) {
      const listening = await listen(agent, { port: 0, ...options });
      return { knock: fetchAt(listening.url), url: listening.url, [Symbol.asyncDispose]: () => listening.close({ drainMs: 0 }) };
    },
  },
  {
    name: 'nodeHandler in a server of its own',
    hasSocket: true,
    start: (agent, options) => run(createServer(nodeHandler(agent, { ...anyList, ...options })), agent),
  },
  {
    name: 'fetch',
    hasSocket: false,
    async start(agent, options) {
      const handle = fetchHandler(agent, { ...anyList, ...options });
      const url = 'http://agent.test';
      return {
        knock: (path, init) => handle(new Request(`${url}${path}`, init)),
        url,
        [Symbol.asyncDispose]: () => agent.close({ drainMs: 0 }),
      };
    },
  },
  ...EXPRESSES.flatMap(([name, framework]): Host[] => [
    {
      name,
      hasSocket: true,
      start: (agent, options) => run(createServer(framework().use(expressHandler(agent, { ...anyList, ...options }))), agent),
    },
    {
      name: `${name} below a path, behind express.json()`,
      hasSocket: true,
      start(agent, options) {
        const app = framework().use(framework.json({ limit: '20mb' }));
        return run(createServer(app.use('/agents/one', expressHandler(agent, { ...anyList, ...options }))), agent, '/agents/one');
      },
    },
  ]),
  {
    name: 'Hono on Node',
    hasSocket: true,
    start: (agent, options) => runHono(new Hono().all('*', honoHandler(agent, { ...anyList, ...options })), agent),
  },
  {
    name: 'Hono on Node, below a path',
    hasSocket: true,
    start(agent, options) {
      const handler = honoHandler(agent, { ...anyList, ...options, basePath: '/agents/one' });
      return runHono(new Hono().all('/agents/one', handler).all('/agents/one/*', handler), agent, '/agents/one');
    },
  },
];

export async function run(server: Server, agent: Agent, path = ''): Promise<RunningHost> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return running(server, agent, path);
}

export async function runHono(app: Pick<Hono, 'fetch'>, agent: Agent, path = ''): Promise<RunningHost> {
  const server = await new Promise<Server>((resolve) => {
    const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started as Server));
  });
  return running(server, agent, path);
}

function running(server: Server, agent: Agent, path: string): RunningHost {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    knock: fetchAt(url),
    url,
    async [Symbol.asyncDispose]() {
      await agent.close({ drainMs: 0 });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
