// An authorization server on a free port of this machine. Prints its address on the first line, and exits when its input ends.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const { clients } = JSON.parse(process.env.OIDC_CONFIG ?? '{}');
const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const everybody = () => true;
const provider = new Provider(issuer, {
  clients,
  scopes: ['openid', 'offline_access', 'agent:read', 'agent:admin'],
  features: {
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    introspection: { enabled: true, allowedPolicy: everybody },
    revocation: { enabled: true, allowedPolicy: everybody },
    devInteractions: { enabled: true },
  },
  cookies: { keys: ['only for tests'] },
  // The codes of this client expire at once.
  ttl: { DeviceCode: (_context, _code, client) => (client.clientId === 'too-late' ? 1 : 600), ClientCredentials: 3600 },
});
server.on('request', provider.callback());
console.log(JSON.stringify({ url: issuer }));

process.stdin.resume().on('end', () => process.exit());
