/** Checks the options at startup: wrong values, unknown names, options that contradict each other. */
import { checkOptionNames, checkOptions, type OptionRule, type OptionRules } from '../platform/check-options.js';
import {
  aBoolean,
  aFunction,
  anObject,
  anything,
  aPositiveNumber,
  aText,
  functions,
  oneOf,
  withMethods,
} from '../platform/option-rules.js';
import type { IdGenerators } from '../platform/random-ids.js';
import type { CardOptions } from '../protocol/agent-card.js';
import { A2AError } from '../protocol/errors.js';
import type { AgentCapabilities } from '../protocol/types.js';
import { type AgentOptions, BOUND_NAMES, type BoundName, type CompatOptions } from './options.js';

const capabilities: OptionRules<AgentCapabilities> = {
  streaming: aBoolean,
  pushNotifications: aBoolean,
  extendedAgentCard: aBoolean,
  extensions: anything,
};

/** The values are checked when the card is built. */
const card: OptionRules<CardOptions> = {
  name: anything,
  description: anything,
  version: anything,
  skills: anything,
  provider: anything,
  documentationUrl: anything,
  iconUrl: anything,
  defaultInputModes: anything,
  defaultOutputModes: anything,
  capabilities: anObject(capabilities),
  extensions: anything,
  security: anything,
  signatures: anything,
};

const compat: OptionRules<CompatOptions> = { card: oneOf('superset', 'strict') };

const ids: OptionRules<IdGenerators> = { taskId: aFunction, contextId: aFunction, messageId: aFunction };

const bounds = Object.fromEntries(BOUND_NAMES.map((name) => [name, aPositiveNumber])) as Record<BoundName, OptionRule>; // one rule for each name

/** An option without a rule is a compile error. */
const RULES: OptionRules<AgentOptions> = {
  ...card,
  ...bounds,
  execute: aFunction,
  executor: withMethods('an object with the method execute', 'execute'),
  store: withMethods("a task store such as sqlite('agent.db')", 'commit', 'load', 'now', 'close'),
  bus: withMethods('an event bus such as redis(url)', 'notify', 'listen', 'close'),
  auth: { expects: "a function that returns the caller, or 'none'", accepts: (value) => value === 'none' || typeof value === 'function' },
  buildContext: aFunction,
  populateRelatedTasks: aBoolean,
  interceptors: functions,
  extendedCard: aFunction,
  streaming: aBoolean,
  compat: {
    expects: "true, false, { card: 'superset' } or { card: 'strict' }",
    accepts: (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null),
    members: compat,
  },
  taskAfterMs: { expects: 'a number of at least 0, or Infinity', accepts: (value) => typeof value === 'number' && value >= 0 },
  onIncomplete: oneOf('fail', 'keep'),
  recovery: oneOf('fail', 'restart'),
  deduplicate: oneOf('key', 'messageId'),
  serialize: oneOf('task', 'context'),
  logger: withMethods('a logger with the methods debug, info, warn and error', 'debug', 'info', 'warn', 'error'),
  onError: aFunction,
  clock: withMethods('a clock with the methods now, after and soon', 'now', 'after', 'soon'),
  ids: anObject(ids),
  node: aText,
};

export function checkAgentOptions(options: AgentOptions): void {
  if (typeof options !== 'object' || options === null) throw misuse('needs an object of options');
  // Names come first: a misspelled `execute` is named, and not reported as missing.
  checkOptionNames('createAgent', options, RULES);
  const { execute, executor, auth, security } = options;
  // `executor` may be null when the caller does not check types.
  if (typeof (executor === undefined ? execute : executor?.execute) !== 'function') {
    throw misuse('needs `execute` (a function) or `executor` ({ execute, cancel })');
  }
  checkOptions('createAgent', options, RULES);
  // A card that asks for credentials which no code checks would be wrong; 'none' states that a proxy checks them.
  if (security !== undefined && auth === undefined) {
    throw misuse("got `security` without `auth`: pass a function that checks callers, or 'none' if a proxy checks them");
  }
}

const misuse = (text: string): A2AError => new A2AError('INVALID_PARAMS', `createAgent ${text}`);
