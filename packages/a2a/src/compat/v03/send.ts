/** The parameters of the two sends, which both models of 0.3 share but for the names. */
import { isObject, type Members } from '../../protocol/is-object.js';
import type { SendMessageRequest } from '../../protocol/types.js';
import { roleFromV03 } from './enums.js';
import { given, invalid, show } from './parts.js';
import { pushFromV03, pushToV03 } from './push-config.js';
import { mapList, type Shapes, translateMessage } from './shapes.js';

/** A message of a 0.3 request. `part` translates a part, and gets its place for errors. */
export function messageFromV03(message: unknown, part: (part: unknown, field: string) => unknown): unknown {
  if (!isObject(message)) return message;
  const { content, parts = content, role, kind: _, ...rest } = message;
  let index = 0;
  return {
    ...rest,
    role: roleFromV03(role, 'message.role'),
    parts: mapList(parts, (one) => part(one, `message.parts[${index++}]`)),
  };
}

/** `blocking` is the opposite of `returnImmediately`; a send without it blocks. `pushName`: the member with the push configuration. */
export function configurationFromV03(configuration: unknown, pushName: string): unknown {
  if (!isObject(configuration)) return configuration;
  const { blocking = true, [pushName]: config, ...rest } = configuration;
  if (typeof blocking !== 'boolean' && blocking !== null)
    throw invalid('configuration.blocking', `must be true or false, got ${show(blocking)}`);
  return {
    ...rest,
    ...(blocking === false && { returnImmediately: true }),
    ...(config !== undefined && config !== null && { taskPushNotificationConfig: pushFromV03(config) }),
  };
}

/** The parameters of a send in 0.3. */
export function sendToV03(request: SendMessageRequest, shapes: Shapes, pushName: string): Members {
  const push = request.configuration?.taskPushNotificationConfig;
  return {
    message: translateMessage(request.message, shapes),
    configuration: { ...configurationOf(request), ...(push && { [pushName]: pushToV03(push) }) },
    ...given({ metadata: request.metadata }),
  };
}

/** 0.3 has no tenants. */
export function withoutTenant({ tenant: _, ...rest }: Members): Members {
  return rest;
}

/** `blocking` is always written: 0.3 names no default, and servers disagree on it. Some require the list of modes as well. */
function configurationOf({ configuration = {} }: SendMessageRequest): Members {
  const { acceptedOutputModes = [], historyLength, returnImmediately } = configuration;
  return { acceptedOutputModes, blocking: returnImmediately !== true, ...given({ historyLength }) };
}
