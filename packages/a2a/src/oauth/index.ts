/** `@parley/a2a/oauth`: credentials that get their tokens from an authorization server. Needs `oauth4webapi`. Every line below is public API. */
export { type ClientCredentialsOptions, clientCredentials } from './client-credentials.js';
export { type DeviceCodeOptions, type DeviceCodePrompt, deviceCode } from './device-code.js';
export type { OAuthOptions, OAuthPrivateKey } from './options.js';
