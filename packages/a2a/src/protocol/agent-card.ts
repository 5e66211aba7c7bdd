/** Builds the served card from the user's options and the actual features of the server. */
import { A2AError } from './errors.js';
import { LOG_EXTENSION_URI } from './extensions.js';
import { parseAs } from './parse.js';
import { type Security, toCardSecurity } from './security.js';
import type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  JsonObject,
} from './types.js';

/** The members of an agent's card that you choose; only `name` is required. */
export interface CardOptions {
  /** The name of the agent. */
  readonly name: string;
  /** The purpose of the agent. Default: a sentence with its name. */
  readonly description?: string;
  /** Version of the agent. Default "1.0.0". */
  readonly version?: string;
  /** Default: one skill named after the agent. */
  readonly skills?: readonly AgentSkill[];
  /** The organization that offers the agent. Default: none. */
  readonly provider?: AgentProvider;
  /** The URL of the agent's documentation. Default: none. */
  readonly documentationUrl?: string;
  /** The URL of the agent's icon. Default: none. */
  readonly iconUrl?: string;
  /** Accepted media types. Default text/plain and application/json. */
  readonly defaultInputModes?: readonly string[];
  /** Returned media types. Default text/plain and application/json. */
  readonly defaultOutputModes?: readonly string[];
  /** false hides a feature of the server; true for a missing feature is an error. Default: the features of the server. */
  readonly capabilities?: AgentCapabilities;
  /** Extensions that the agent supports, in addition to those under `capabilities`. Default: none. */
  readonly extensions?: readonly AgentExtension[];
  /** How callers authenticate; a list contains alternatives. Default: the card declares no authentication. */
  readonly security?: Security;
  /**
   * Signatures of a card signed elsewhere. The served card differs from that one, so they are refused unless the server signs it again.
   * Default: none.
   */
  readonly signatures?: readonly AgentCardSignature[];
}

/** The features of the server. */
export interface CardFacts {
  /** Preferred interface first. */
  readonly interfaces: readonly AgentInterface[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  /** The supported parts of the log extension; absent when there are none. */
  readonly logExtension?: LogExtension;
  /** The server signs the finished card itself. */
  readonly signer?: boolean;
}

/** What the log extension of an agent offers, as its card declares it. */
export interface LogExtension {
  readonly lastEventId?: boolean;
  readonly idempotencyKey?: boolean;
  /** Hours after its end during which a task can still be read event by event. */
  readonly replayHours?: number;
  /** Maximum size of a request body; clients refuse larger messages before they send them. */
  readonly maxBodyBytes?: number;
}

const MODES = ['text/plain', 'application/json'] as const;
const FLAGS = ['streaming', 'pushNotifications', 'extendedAgentCard'] as const;

/** Returns a validated card that shares no objects with the options. Throws when the options do not make a valid card. */
export function buildCard(options: CardOptions, facts: CardFacts): AgentCard {
  if (options.signatures !== undefined && options.signatures.length > 0 && facts.signer !== true) {
    throw new A2AError('INVALID_REQUEST', 'The signatures do not match the served card; omit them or let the server sign it');
  }
  const { name, description = `${name} is an agent that can be reached over A2A.` } = options;
  const card: AgentCard = {
    name,
    description,
    version: options.version ?? '1.0.0',
    supportedInterfaces: facts.interfaces,
    capabilities: toCapabilities(options, facts),
    defaultInputModes: options.defaultInputModes ?? MODES,
    defaultOutputModes: options.defaultOutputModes ?? MODES,
    skills: options.skills?.length ? options.skills : [fallbackSkill(name, description)],
    ...(options.provider && { provider: options.provider }),
    ...(options.documentationUrl && { documentationUrl: options.documentationUrl }),
    ...(options.iconUrl && { iconUrl: options.iconUrl }),
    ...(options.security && toCardSecurity(options.security)),
  };
  // Validate the JSON form, because callers receive that; it is also a copy.
  return parseAs('AgentCard', JSON.parse(JSON.stringify(card)));
}

function toCapabilities(options: CardOptions, facts: CardFacts): AgentCapabilities {
  const asked = options.capabilities ?? {};
  const broken = FLAGS.filter((flag) => asked[flag] === true && !facts[flag]);
  if (broken.length > 0) throw new A2AError('INVALID_PARAMS', `The card declares ${broken.join(', ')}, which this agent does not support`);
  const extensions = toExtensions(options, facts.logExtension);
  return {
    streaming: facts.streaming && asked.streaming !== false,
    pushNotifications: facts.pushNotifications && asked.pushNotifications !== false,
    extendedAgentCard: facts.extendedAgentCard && asked.extendedAgentCard !== false,
    ...(extensions.length > 0 && { extensions }),
  };
}

function toExtensions(options: CardOptions, log: LogExtension | undefined): readonly AgentExtension[] {
  const extensions = [...(options.capabilities?.extensions ?? []), ...(options.extensions ?? [])];
  if (log !== undefined) extensions.push(logExtension(log));
  const uris = extensions.map(({ uri }) => uri);
  const doubled = uris.find((uri, index) => uris.indexOf(uri) !== index);
  if (doubled !== undefined) throw new A2AError('INVALID_PARAMS', `Extension ${doubled} is declared twice`);
  if (uris.some((uri) => uri === undefined || uri === '')) throw new A2AError('INVALID_PARAMS', 'An extension is declared without its uri');
  return extensions;
}

function logExtension(log: LogExtension): AgentExtension {
  const params: JsonObject = {
    ...(log.lastEventId && { lastEventId: true }),
    ...(log.idempotencyKey && { idempotencyKey: true }),
    ...(log.replayHours !== undefined && { replayHours: log.replayHours }),
    ...(log.maxBodyBytes !== undefined && { maxBodyBytes: log.maxBodyBytes }),
  };
  return { uri: LOG_EXTENSION_URI, description: 'Task events are numbered and can be read again.', required: false, params };
}

function fallbackSkill(name: string, description: string): AgentSkill {
  // A missing name is reported by the validation of the whole card.
  const id = String(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64);
  return { id: id === '' ? 'agent' : id, name, description, tags: ['agent'] };
}
