/** The JSON schema of 0.3, which JSON-RPC uses: objects have a `kind` instead of a wrapper. */
import { isObject, type Members } from '../../protocol/is-object.js';
import type { MethodName, RequestOf } from '../../protocol/methods.js';
import type { AgentCard, SendMessageRequest, StreamResponse, TaskPushNotificationConfig } from '../../protocol/types.js';
import { toSupersetCard } from './card.js';
import { roleToSchema, stateToSchema } from './enums.js';
import type { V03Model } from './model.js';
import { dataFromV03, partFromV03, partToSchema } from './parts.js';
import { pushFromV03, pushToV03 } from './push-config.js';
import { configurationFromV03, messageFromV03, sendToV03, withoutTenant } from './send.js';
import { type Shapes, translatePartsOf, translateResponse, translateTask } from './shapes.js';

const SHAPES: Shapes = {
  part: partToSchema,
  message: ({ role, ...rest }) => ({ kind: 'message', ...rest, role: roleToSchema(role) }),
  task: (task) => ({ kind: 'task', ...task }),
  state: stateToSchema,
};

/** The model with this form of parts. */
export function schemaModel(part: Shapes['part'] = partToSchema): V03Model {
  const shapes: Shapes = { ...SHAPES, part };
  return {
    requestFromV03: fromSchema,
    requestToV03: (method, params) => toSchema(method, params, shapes),
    resultFromV03: (_method, result) => translatePartsOf(result, dataFromV03),
    resultToV03: (method, result) => resultToSchema(method, result, shapes),
    eventToV03: (event, isFinal) => unwrapped(event, shapes, isFinal),
  };
}

export const SCHEMA = schemaModel();

function fromSchema(method: MethodName, params: unknown): unknown {
  if (!isObject(params)) return params;
  const { id, taskId, pushNotificationConfig, pushNotificationConfigId } = params;
  switch (method) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { message, configuration, metadata } = params;
      return {
        message: messageFromV03(message, partFromV03),
        configuration: configurationFromV03(configuration, 'pushNotificationConfig'),
        metadata,
      };
    }
    case 'CreateTaskPushNotificationConfig': {
      const config = pushFromV03(pushNotificationConfig);
      return isObject(config) ? { ...config, taskId } : { taskId, url: undefined };
    }
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      // Without an id, 0.3 means the only configuration, whose id is that of its task by default.
      return { taskId: id, id: pushNotificationConfigId ?? id };
    case 'ListTaskPushNotificationConfigs':
      return { taskId: id };
    default:
      return withoutTenant(params);
  }
}

function toSchema<M extends MethodName>(method: M, params: RequestOf<M>, shapes: Shapes): unknown {
  switch (method) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return sendToV03(params as SendMessageRequest, shapes, 'pushNotificationConfig'); // the type of both methods
    case 'CreateTaskPushNotificationConfig': {
      const { tenant: _, taskId, ...config } = params as TaskPushNotificationConfig;
      return { taskId, pushNotificationConfig: pushToV03(config) };
    }
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig': {
      const { taskId, id } = params as RequestOf<'GetTaskPushNotificationConfig'>; // the same members in both
      return { id: taskId, pushNotificationConfigId: id };
    }
    case 'ListTaskPushNotificationConfigs':
      return { id: (params as RequestOf<'ListTaskPushNotificationConfigs'>).taskId };
    default:
      return withoutTenant(params as Members); // a request is an object
  }
}

function resultToSchema(method: MethodName, result: unknown, shapes: Shapes): unknown {
  if (!isObject(result)) return result;
  switch (method) {
    case 'SendMessage':
      return unwrapped(result, shapes);
    case 'GetTask':
    case 'CancelTask':
      return translateTask(result, shapes);
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return nested(result);
    case 'ListTaskPushNotificationConfigs':
      return Array.isArray(result.configs) ? result.configs.map(nested) : [];
    case 'DeleteTaskPushNotificationConfig':
      return null;
    case 'GetExtendedAgentCard':
      return toSupersetCard(result as unknown as AgentCard); // the result of this operation
    default:
      return result;
  }
}

function nested(config: TaskPushNotificationConfig | Members): Members {
  const { tenant: _, taskId, ...rest } = config as TaskPushNotificationConfig; // the result of a push operation
  return { taskId, pushNotificationConfig: pushToV03(rest) };
}

/** The tagged object instead of its wrapper. */
function unwrapped(response: Members | StreamResponse, shapes: Shapes, isFinal = false): unknown {
  const { task, message, statusUpdate, artifactUpdate } = translateResponse(response as Members, shapes);
  if (isObject(statusUpdate)) return { kind: 'status-update', ...statusUpdate, final: isFinal };
  if (isObject(artifactUpdate)) return { kind: 'artifact-update', ...artifactUpdate };
  return task ?? message;
}
