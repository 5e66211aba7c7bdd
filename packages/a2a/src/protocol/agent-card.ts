/** From what a user says about an agent, and what the server can really do, to the card that is served. */
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

export interface CardOptions {
  readonly name: string;
  /** What the agent is good for. Default: a sentence with its name. */
  readonly description?: string;
  /** Version of the agent. Default "1.0.0". */
  readonly version?: string;
  /** Default: one skill named after the agent. */
  readonly skills?: readonly AgentSkill[];
  readonly provider?: AgentProvider;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  /** Media types taken. Default text/plain and application/json. */
  readonly defaultInputModes?: readonly string[];
  /** Media types given. Default text/plain and application/json. */
  readonly defaultOutputModes?: readonly string[];
  /** false hides a feature that is there; true for one that is not there is an error. Default: what the server has. */
  readonly capabilities?: AgentCapabilities;
  /** Extensions the agent knows, beside those under capabilities. */
  readonly extensions?: readonly AgentExtension[];
  /** How callers authenticate; a list means any one of them. */
  readonly security?: Security;
  /** Signatures of a card signed elsewhere. The served card differs from that one, so they are refused unless the server signs anew. */
  readonly signatures?: readonly AgentCardSignature[];
}

/** What the server has to offer. */
export interface CardFacts {
  /** The preferred one first. */
  readonly interfaces: readonly AgentInterface[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  /** What of the log extension works here; absent when nothing does. */
  readonly logExtension?: LogExtension;
  /** The server signs the finished card itself. */
  readonly signer?: boolean;
}

export interface LogExtension {
  readonly lastEventId?: boolean;
  readonly idempotencyKey?: boolean;
  /** For how many hours after its end a task can still be read event by event. */
  readonly replayHours?: number;
}

const MODES = ['text/plain', 'application/json'] as const;
const FLAGS = ['streaming', 'pushNotifications', 'extendedAgentCard'] as const;

/** The checked card, sharing nothing with the options. Throws when the options make no valid card. */
export function buildCard(options: CardOptions, facts: CardFacts): AgentCard {
  if (options.signatures !== undefined && options.signatures.length > 0 && facts.signer !== true) {
    throw new A2AError('INVALID_REQUEST', 'The signatures do not fit the card as it is served; leave them out or sign it here');
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
  // What JSON makes of it is what callers will see, and it is a copy.
  return parseAs('AgentCard', JSON.parse(JSON.stringify(card)));
}

function toCapabilities(options: CardOptions, facts: CardFacts): AgentCapabilities {
  const asked = options.capabilities ?? {};
  const broken = FLAGS.filter((flag) => asked[flag] === true && !facts[flag]);
  if (broken.length > 0) throw new A2AError('INVALID_PARAMS', `The card promises ${broken.join(', ')}, which this agent does not have`);
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
  };
  return { uri: LOG_EXTENSION_URI, description: 'Task events are numbered and can be read again.', required: false, params };
}

function fallbackSkill(name: string, description: string): AgentSkill {
  // A missing name is for the check of the whole card to report.
  const id = String(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64);
  return { id: id === '' ? 'agent' : id, name, description, tags: ['agent'] };
}
