/**
 * `@parley/a2a/oauth`: credentials that get tokens from an OAuth authorization server; needs `oauth4webapi`. Every export below is public
 * API.
 */
export type { Credentials } from '../client/auth/credentials.js';
export { type ClientCredentialsOptions, clientCredentials } from './client-credentials.js';
export { type DeviceCodeOptions, type DeviceCodePrompt, deviceCode } from './device-code.js';
export type { OAuthOptions, OAuthPrivateKey } from './options.js';
