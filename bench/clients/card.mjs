// The card of the server, given to the clients so that none has to fetch it.

/** @param {string} url @returns {import('@parley/a2a').AgentCard} */
export function cardOf(url) {
  return {
    name: 'Bench',
    description: 'A server to measure clients with',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
}
