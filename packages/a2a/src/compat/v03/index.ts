/** A2A 0.3 as translators to and from the messages of 1.0. Pure: the bindings and the client load it when a 0.3 peer appears. */
export { toSupersetCard } from './card.js';
export { fromRpcName, isV03Method, toRpcName, V03_ROUTES } from './methods.js';
export type { V03Model } from './model.js';
export { isPlain, PLAIN, toPlainError, withMessageId } from './plain.js';
export { fromPlainResult, type Question, toPlainRequest } from './plain-client.js';
export { PROTO } from './proto.js';
export { SCHEMA } from './schema.js';
