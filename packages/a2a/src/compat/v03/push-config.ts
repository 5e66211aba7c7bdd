/** Push configurations: 0.3 nests them, and REST names them by resource names. */
import { isObject, type Members } from '../../protocol/is-object.js';
import type { TaskPushNotificationConfig } from '../../protocol/types.js';
import { given } from './parts.js';

/** The nested configuration of 0.3, as 1.0 has it beside the id of the task. Of several schemes the first one is kept. */
export function pushFromV03(config: unknown): unknown {
  if (!isObject(config)) return config;
  const { authentication, ...rest } = config;
  if (!isObject(authentication)) return rest;
  const { schemes, scheme = Array.isArray(schemes) ? schemes[0] : undefined, credentials } = authentication;
  return { ...rest, authentication: given({ scheme, credentials }) };
}

/** The nested configuration of 0.3. */
export function pushToV03({ id, url, token, authentication }: Partial<TaskPushNotificationConfig>): Members {
  const schemes = authentication?.scheme === undefined || authentication.scheme === '' ? [] : [authentication.scheme];
  const credentials = authentication?.credentials;
  return given({ id, url, token, authentication: authentication && { schemes, ...given({ credentials }) } });
}

/** The name of the task in REST. */
export function taskName(taskId: string): string {
  return `tasks/${taskId}`;
}

/** The name of a configuration in REST. */
export function configName({ taskId = '', id = '' }: Partial<TaskPushNotificationConfig>): string {
  return `${taskName(taskId)}/pushNotificationConfigs/${id}`;
}

const CONFIG_NAME = /^tasks\/([^/]{1,256})\/pushNotificationConfigs\/([^/]{0,256})$/;

/** A configuration of REST as one of 1.0. */
export function namedConfigFromV03(config: unknown): unknown {
  if (!isObject(config)) return config;
  const { name, pushNotificationConfig, push_notification_config = pushNotificationConfig } = config;
  if (!isObject(push_notification_config)) return config;
  const [, taskId, id] = typeof name === 'string' ? (CONFIG_NAME.exec(name) ?? []) : [];
  return { ...given({ taskId, id }), ...(pushFromV03(push_notification_config) as Members) }; // an object, like its input
}
