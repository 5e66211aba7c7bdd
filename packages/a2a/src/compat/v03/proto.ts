/** The ProtoJSON of 0.3, which HTTP+JSON uses: wrappers as in 1.0, `content` instead of `parts`, and resource names. */
import { isObject, type Members } from '../../protocol/is-object.js';
import type { MethodName, RequestOf } from '../../protocol/methods.js';
import type { AgentCard, SendMessageRequest, TaskPushNotificationConfig } from '../../protocol/types.js';
import { toProtoCard } from './card.js';
import { stateToProto } from './enums.js';
import type { V03Model } from './model.js';
import { dataFromV03, given, partFromProto, partToProto } from './parts.js';
import { configName, namedConfigFromV03, pushFromV03, pushToV03, taskName } from './push-config.js';
import { configurationFromV03, messageFromV03, sendToV03, withoutTenant } from './send.js';
import { mapList, type Shapes, translatePartsOf, translateResponse, translateTask } from './shapes.js';

const SHAPES: Shapes = {
  part: partToProto,
  // The proto file of 0.3 has no references to other tasks.
  message: ({ parts: content, referenceTaskIds: _, ...rest }) => ({ ...rest, content }),
  task: (task) => task,
  state: stateToProto,
};

/** A part of a result: only its nested data is changed. */
function dataFromProto(part: Members): unknown {
  const { data, metadata, kind } = part;
  const isNested = kind === undefined && isObject(data) && 'data' in data && Object.keys(data).length === 1;
  return isNested ? dataFromV03({ ...part, kind: 'data', data: data.data, metadata }) : part;
}

export const PROTO: V03Model = {
  requestFromV03: fromProto,
  requestToV03: toProto,
  resultFromV03: resultFromProto,
  resultToV03: resultToProto,
  eventToV03(event, isFinal) {
    const translated = translateResponse(event as Members, SHAPES);
    return isObject(translated.statusUpdate) ? { statusUpdate: { ...translated.statusUpdate, final: isFinal } } : translated;
  },
};

/** `params` contains the variables of the path and the members of the body or the query. */
function fromProto(method: MethodName, params: unknown): unknown {
  if (!isObject(params)) return params;
  switch (method) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { request, message = request, configuration, metadata } = params;
      return { message: messageFromV03(message, partFromProto), configuration: fromConfiguration(configuration), metadata };
    }
    case 'CreateTaskPushNotificationConfig':
      return fromCreate(params);
    default:
      return withoutTenant(params);
  }
}

function fromConfiguration(configuration: unknown): unknown {
  if (!isObject(configuration)) return configuration;
  const {
    push_notification,
    pushNotification = push_notification,
    history_length,
    historyLength = history_length,
    ...rest
  } = configuration;
  // The proto file of 0.3 cannot distinguish false from absent.
  const full = { ...rest, blocking: configuration.blocking ?? false, pushNotification, ...present(historyLength) };
  return configurationFromV03(full, 'pushNotification');
}

/** The proto file of 0.3 cannot distinguish 0 from absent. */
function present(historyLength: unknown): Members {
  return historyLength === undefined || historyLength === 0 ? {} : { historyLength };
}

/** Some clients send the inner configuration as the body, and some the whole request. */
function fromCreate({ taskId, config, config_id, configId = config_id, ...body }: Members): unknown {
  const { push_notification_config, pushNotificationConfig = push_notification_config } = isObject(config) ? config : body;
  const inner = pushFromV03(pushNotificationConfig);
  return isObject(inner) ? { ...given({ id: configId }), ...inner, taskId } : { taskId, url: undefined };
}

function toProto<M extends MethodName>(method: M, params: RequestOf<M>): unknown {
  switch (method) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return sendToV03(params as SendMessageRequest, SHAPES, 'pushNotification'); // the type of both methods
    case 'CreateTaskPushNotificationConfig': {
      const config = params as TaskPushNotificationConfig; // the type of this method
      const inner = { name: configName(config), pushNotificationConfig: pushToV03(config) };
      // The shapes of both official SDKs at once.
      return { ...inner, parent: taskName(config.taskId ?? ''), configId: config.id ?? '', config: inner };
    }
    default:
      return withoutTenant(params as Members); // a request is an object
  }
}

function resultFromProto(method: MethodName, result: unknown): unknown {
  if (!isObject(result)) return result;
  switch (method) {
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return namedConfigFromV03(result);
    case 'ListTaskPushNotificationConfigs':
      return { ...result, configs: mapList(result.configs, namedConfigFromV03) };
    case 'GetExtendedAgentCard':
      return result;
    default:
      return translatePartsOf(result, dataFromProto);
  }
}

function resultToProto(method: MethodName, result: unknown): unknown {
  if (!isObject(result)) return result;
  switch (method) {
    case 'SendMessage':
      return translateResponse(result, SHAPES);
    case 'GetTask':
    case 'CancelTask':
      return translateTask(result, SHAPES);
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return named(result);
    case 'ListTaskPushNotificationConfigs':
      return { ...result, configs: mapList(result.configs, (config) => named(config as Members)) }; // the result of this operation
    case 'GetExtendedAgentCard':
      return toProtoCard(result as unknown as AgentCard); // the result of this operation
    default:
      return result;
  }
}

function named(config: Members): Members {
  return { name: configName(config as Partial<TaskPushNotificationConfig>), pushNotificationConfig: pushToV03(config) };
}
