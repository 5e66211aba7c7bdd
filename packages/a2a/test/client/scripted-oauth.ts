/** A scripted authorization server, for responses that a real server cannot be made to send. */
import type { AuthRequest } from '../../src/client/auth/credentials.js';
import { type Security, toCardSecurity } from '../../src/protocol/security.js';
import type { AgentCard } from '../../src/protocol/types.js';

interface Asked {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | null;
  readonly signal: AbortSignal | undefined;
}

/** A JSON body, a whole response, or an error. */
export type Answer = object | Response | Error | (() => Promise<Response>);

export interface ScriptedServer {
  readonly fetch: typeof fetch;
  readonly asked: Asked[];
}

/** Answers each request with the next item and repeats the last one. */
export function scriptedServer(...answers: Answer[]): ScriptedServer {
  const asked: Asked[] = [];
  return {
    asked,
    async fetch(input, init) {
      const form = Object.fromEntries(new URLSearchParams(init?.body instanceof URLSearchParams ? init.body : ''));
      asked.push({
        url: String(input),
        form,
        authorization: new Headers(init?.headers).get('authorization'),
        signal: init?.signal ?? undefined,
      });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      if (typeof answer === 'function') return answer();
      if (answer instanceof Response) return answer.clone();
      return Response.json(answer);
    },
  };
}

export function refuses(error: string, status = 400): Response {
  return Response.json({ error, error_description: 'text of the server' }, { status });
}

export function askFor(card: AgentCard | undefined, more: Partial<AuthRequest> = {}): AuthRequest {
  return { url: 'https://agent.test/a2a', card, signal: undefined, ...more };
}

export function cardWith(security?: Security): AgentCard {
  return {
    name: 'Agent',
    description: '',
    version: '1',
    supportedInterfaces: [],
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    ...(security && toCardSecurity(security)),
  };
}
