// The frameworks, their programs, and what they cannot do. A case that is missing here must pass.

/** @typedef {import('./cases.mjs').CaseName} CaseName */
/** @typedef {import('@parley/a2a/client').Input} Input */
/** @typedef {Partial<Record<CaseName, string>>} Gaps why a case cannot run */

/**
 * An agent of a framework, called by Parley's client.
 * @typedef {object} Agent
 * @property {string} program
 * @property {string} name on its card
 * @property {string} version of the protocol, on its card
 * @property {Input} answer to its question
 * @property {import('@parley/a2a').ErrorReason} unknownTask the reason of the error for a task that does not exist
 * @property {import('@parley/a2a/client').ClientOptions} [options] of Parley's client
 * @property {Gaps} gaps
 */

/**
 * A client of a framework, which calls Parley's agent.
 * @typedef {object} Client
 * @property {string} program
 * @property {Record<string, string>} [env]
 * @property {Gaps} gaps
 */

/** @typedef {{ package: string, protocol: string, agent?: Agent, client?: Client }} Peer `package`: its version is shown */

const NO_CANCEL = 'the client has no method to cancel a task';
const TEXT_ONLY = 'the client sends only text';

/** @type {Agent} */
const ADK_AGENT = {
  program: 'agents/adk.mjs',
  name: 'adk_agent',
  version: '0.3',
  answer: [
    {
      data: { id: 'ask-city', name: 'ask_city', response: { city: 'Lisbon' } },
      metadata: { adk_type: 'function_response' },
    },
  ],
  // @google/adk loads @a2a-js/sdk twice, as CommonJS and as a module, so that the one does not recognize the errors of the other.
  unknownTask: 'INTERNAL_ERROR',
  gaps: { cancel: 'A2AAgentExecutor refuses: "Task cancellation is not supported yet."' },
};
/** @type {Client} */
const ADK_CLIENT = { program: 'clients/adk.mjs', gaps: { cancel: NO_CANCEL } };
const ADK_OVER_REST = { question: 'the HTTP+JSON codec of @a2a-js/sdk 0.3 drops the metadata of parts, which marks a question of ADK' };

/** @type {Agent} */
const MASTRA_AGENT = {
  program: 'agents/mastra.mjs',
  name: 'mastra-agent',
  version: '1.0',
  answer: 'Lisbon',
  unknownTask: 'TASK_NOT_FOUND',
  gaps: { 'receive file': 'the agent returns only text and data as artifacts' },
};
/** @type {Client} */
const MASTRA_CLIENT = { program: 'clients/mastra.mjs', gaps: { cancel: NO_CANCEL, 'send file': TEXT_ONLY } };

/** @type {readonly Peer[]} */
export const PEERS = [
  { package: '@google/adk', protocol: '0.3 JSON-RPC', agent: ADK_AGENT, client: ADK_CLIENT },
  {
    package: '@google/adk',
    protocol: '0.3 HTTP+JSON',
    agent: { ...ADK_AGENT, options: { prefer: 'rest' }, gaps: { ...ADK_AGENT.gaps, ...ADK_OVER_REST } },
    client: { ...ADK_CLIENT, env: { A2A_BINDING: 'HTTP+JSON' }, gaps: { ...ADK_CLIENT.gaps, ...ADK_OVER_REST } },
  },
  {
    package: '@strands-agents/sdk',
    protocol: '0.2 JSON-RPC',
    agent: {
      program: 'agents/strands.mjs',
      name: 'strands_agent',
      version: '0.2',
      answer: '',
      unknownTask: 'TASK_NOT_FOUND',
      gaps: {
        cancel: 'A2AExecutor refuses: "Task cancellation is not supported"',
        question: 'A2AExecutor has no state input-required',
      },
    },
    client: {
      program: 'clients/strands.mjs',
      gaps: { cancel: NO_CANCEL, question: 'A2AAgent sends neither a task id nor a context id', 'send file': TEXT_ONLY },
    },
  },
  {
    package: 'a2a-ai-provider',
    protocol: '0.3 JSON-RPC',
    client: {
      program: 'clients/a2a-ai-provider.mjs',
      gaps: { cancel: 'the provider ignores the abort signal and has no method to cancel', question: 'the provider sends no task id' },
    },
  },
  {
    package: '@google/gemini-cli-core',
    protocol: '0.3 JSON-RPC',
    client: { program: 'clients/gemini-cli.mjs', gaps: { 'send file': TEXT_ONLY } },
  },
  {
    package: '@mastra/core',
    protocol: '0.3 JSON-RPC',
    // The header selects the version of the card, too.
    agent: { ...MASTRA_AGENT, version: '0.3', options: { headers: { 'A2A-Version': '0.3' } } },
    client: { ...MASTRA_CLIENT, env: { A2A_VERSION: '0.3' } },
  },
  {
    package: '@mastra/core',
    protocol: '1.0 JSON-RPC',
    agent: MASTRA_AGENT,
    client: { ...MASTRA_CLIENT, env: { A2A_VERSION: '1.0' } },
  },
];
