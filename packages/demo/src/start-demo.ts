import { type Listening, listen } from '@parley/a2a/node';
import { openSite } from './built-site.js';
import { createDemoAgent, type DemoAgentOptions } from './demo-agent.js';
import { frontDoor } from './front-door.js';

export interface DemoOptions extends DemoAgentOptions {
  /** 0 selects any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The folder of the Studio build. Default: none; then `/` is the page of commands. */
  readonly studioFolder?: string;
}

const LOCAL_PAGE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Starts the demo agent. Resolves when it listens. */
export async function startDemo({ port, host = '127.0.0.1', studioFolder, ...options }: DemoOptions): Promise<Listening> {
  const agent = createDemoAgent(options);
  return listen(agent, {
    port,
    host,
    cors: { origins: (origin) => LOCAL_PAGE.test(origin) },
    routes: frontDoor(agent, studioFolder === undefined ? undefined : openSite(studioFolder)),
  });
}
