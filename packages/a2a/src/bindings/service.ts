/** The parts that the bindings share: one agent, its streams, and the step from decoded parameters to a Reply. */

import { isLarge, nextIteration } from '../platform/slices.js';
import { findAllFaults } from '../protocol/all-violations.js';
import { A2AError } from '../protocol/errors.js';
import { METHODS, type MethodName } from '../protocol/methods.js';
import { parseAs } from '../protocol/parse.js';
import { checkVersion, VERSION_HEADER } from '../protocol/version.js';
import type { Agent } from '../server/agent.js';
import type { Call, Caller, Reply } from '../server/call.js';
import type { ByteBudget, HeldBody } from '../server/limits/byte-budget.js';
import type { LargeTurn } from '../server/limits/large-work.js';
import type { Share } from '../server/limits/share-counter.js';
import type { HeldBytes, WireRequest } from '../wire/http.js';
import { type BindingRequest, idempotencyKeyOf, traceOf, versionOf } from './binding-request.js';
import { type Compat, isForV03 } from './compat.js';
import type { EventStreams } from './event-stream.js';
import type { ShareOptions } from './share.js';

export interface Service {
  readonly agent: Agent;
  /** Absent: the agent serves only 1.0. */
  readonly compat: Compat | undefined;
  readonly streams: EventStreams;
  /** Whether anonymous callers may list all tasks of anonymous callers. */
  readonly anonymousList: 'all' | 'context';
  /** The value of `WWW-Authenticate` for callers without credentials. */
  readonly challenge: string;
  readonly shares: ShareOptions;
  /** The bytes that this host holds. One budget per host: a host may serve several agents. */
  readonly bytes: ByteBudget;
}

const CURRENT_VERSION = '1.0';

/** The versions of an agent that also serves 0.3. */
export const SERVED = ['0.3', CURRENT_VERSION] as const;

/**
 * Throws VERSION_NOT_SUPPORTED unless the request is for 1.0. Requests of 0.3 come here only if 0.3 has no such operation or is not served:
 * the error then contains the header to add.
 */
export function checkCurrent({ compat }: Service, incoming: BindingRequest, operation: string): void {
  if (compat === undefined || !isForV03(incoming)) {
    checkVersion(versionOf(incoming.request), compat === undefined ? [CURRENT_VERSION] : SERVED);
    return;
  }
  const said = versionOf(incoming.request) === undefined ? 'a request without a version counts as 0.3' : 'the request is for A2A 0.3';
  throw new A2AError(
    'VERSION_NOT_SUPPORTED',
    `${operation} belongs to A2A ${CURRENT_VERSION}, and ${said}; add the header "${VERSION_HEADER}: ${CURRENT_VERSION}"`,
    {
      metadata: { supportedVersions: SERVED.join(',') },
    },
  );
}

/** A request whose body is to be read, and the share that the body counts against. */
interface Unread {
  readonly request: WireRequest;
  readonly share: Share;
}

interface Decoded<T> {
  readonly value: T;
  /** Only of a large request: its next steps run in iterations of their own. The binding ends it. */
  readonly turn: LargeTurn | undefined;
}

/** Reading, parsing, checking and running a large request each take milliseconds: other callers are served in between. */
export async function readBody<T>(
  { agent, bytes }: Service,
  { request, share }: Unread,
  decode: (text: string, maxValues: number) => T,
): Promise<Decoded<T>> {
  const { maxBodyBytes, maxBodyValues } = agent.settings;
  const held = bytes.bodyOf(share);
  try {
    const text = await request.body(maxBodyBytes, held);
    // The host counts bytes: a text that is not long may have had its turn, too.
    if (!isLarge(text)) return { value: decode(text, maxBodyValues), turn: held.taken };
    return await decodeLarge(held, text, (whole) => decode(whole, maxBodyValues));
  } catch (thrown) {
    held.taken?.end();
    throw thrown;
  } finally {
    held.set(0); // its text is no longer needed
  }
}

async function decodeLarge<T>(held: HeldBody, text: string, decode: (text: string) => T): Promise<Decoded<T>> {
  await held.turn(text.length); // unless the host has done so
  await nextIteration();
  const value = decode(text);
  await nextIteration();
  return { value, turn: held.taken };
}

export interface Request {
  readonly method: MethodName;
  /** In the form of 1.0, unchecked. */
  readonly params: unknown;
  /** URIs that the request asks for. */
  readonly extensions: readonly string[];
  readonly caller: Caller;
  readonly share: Share;
  readonly held: HeldBytes;
  /** Only of a large body: the check of the parameters and the operation run in two event-loop iterations. */
  readonly turn: LargeTurn | undefined;
}

/** Checks the parameters and runs the operation. */
export function perform(service: Service, incoming: BindingRequest, wanted: Request): Promise<Reply> {
  const { method, params, extensions, caller, share, held, turn } = wanted;
  const { request, requestId } = incoming;
  const parsed = parseAs(METHODS[method].request, params, findAllFaults);
  const lastEventId = request.header('last-event-id');
  const idempotencyKey = idempotencyKeyOf(request);
  const call: Call = {
    method,
    params: parsed,
    caller,
    share,
    held,
    requestId,
    extensions,
    exposed: service.anonymousList === 'context',
    onLeave: request.onLeave && ((callback) => request.onLeave?.(callback) ?? (() => {})),
    onDelivered: turn?.end,
    lastEventId,
    idempotencyKey,
    // Only a trusted proxy tells clients apart. Without one, a client keeps its keys when its address changes.
    keyScope: service.shares.trustProxy === true ? share.key : undefined,
    trace: traceOf(request),
  };
  const { agent } = service;
  return turn !== undefined ? nextIteration().then(() => agent.handle(call)) : agent.handle(call);
}

export function extensionHeader(header: string, extensions: readonly string[]): Record<string, string> | undefined {
  return extensions.length === 0 ? undefined : { [header]: extensions.join(', ') };
}
