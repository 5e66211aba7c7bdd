// A task outlives the request that started it, but workerd isolates requests. So the agent lives in a Durable Object.
import { createHandle } from '../agent.mjs';

export class AgentObject {
  #handle = createHandle();

  /** @param {Request} request */
  fetch(request) {
    return this.#handle(request);
  }
}

export default {
  /**
   * @param {Request} request
   * @param {{ AGENT: { idFromName(name: string): unknown, get(id: unknown): { fetch(request: Request): Promise<Response> } } }} env
   */
  fetch: (request, { AGENT }) => AGENT.get(AGENT.idFromName('one')).fetch(request),
};
